// Pages of a PDF as text.
import { Worker } from 'node:worker_threads';
import { sideEntry } from '../../lib/side-entry.ts';
import type { ToolResult } from '../../types/tool.ts';
import type { PdfEvent, PdfJob } from '../read-pdf.side.ts';
import { bounded } from '../text.ts';
import { behindEnd, fill, MAX_PAGE, type Page } from './page.ts';

/** Larger ones would need gigabytes to be taken apart. */
export const MAX_PDF = 50 * 1024 * 1024;

export const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');

/** `offset` and `limit` count pages. Ends with the signal, and after `timeoutMs` with what it has. */
export async function readPdf(bytes: Uint8Array, { path, offset, limit }: Page, { signal, timeoutMs = 30_000 }: { signal: AbortSignal; timeoutMs?: number }): Promise<ToolResult> {
  const job: PdfJob = { bytes, offset };
  const worker = new Worker(sideEntry('tools/read-pdf'), { workerData: job, env: {}, resourceLimits: { maxOldGenerationSizeMb: 1_024 }, stdout: true, stderr: true });
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const pages: string[] = [];
  let total = 0;
  let size = 0;
  let why: string | undefined;
  try {
    await new Promise<void>((resolve) => {
      over.addEventListener('abort', () => { why ??= `took longer than ${timeoutMs / 1000} s to read`; resolve(); }, { once: true });
      worker.on('error', (error) => { why = `is a PDF that can't be read (${error.message})`; resolve(); });
      worker.on('message', (event: PdfEvent) => {
        if (event.type === 'pages') total = event.total;
        else if (event.type === 'failed') why = event.why;
        else if (event.type === 'page') {
          pages.push(bounded(`[Page ${offset + pages.length} of ${total}]\n${event.text.trim() || '(no text: perhaps a scanned picture)'}`, 'This page has more than one result holds.', MAX_PAGE));
          size += pages.at(-1)?.length ?? 0;
        }
        if (event.type === 'end' || event.type === 'failed' || pages.length >= limit || size > MAX_PAGE) resolve();
      });
    });
  } finally {
    void worker.terminate();
  }
  signal.throwIfAborted();
  if (pages.length === 0 && why !== undefined) return { ok: false, text: `${path} ${why}.` };
  if (offset > total) return behindEnd({ path, offset, total, noun: 'page' });
  return { ok: true, text: fill(pages, { offset, total, noun: 'page' }) };
}
