// What a fetched page says: its bytes as text, and HTML as Markdown, made beside the program since no page may hold it up.
import { Worker } from 'node:worker_threads';
import { sideEntry } from '../../lib/side-entry.ts';
import type { PageJob, PageText } from '../web-page.side.ts';
import { stripTags } from './strip-tags.ts';

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT = /^(?:text\/.*|application\/(?:(?:.*\+)?(?:json|xml|yaml)|x-ndjson|jsonl|javascript|x-javascript|ecmascript|typescript|toml|x-yaml|x-sh|sql|graphql|x-www-form-urlencoded))$/;

/** How a content type is read; `null` when it is neither. Without one the bytes tell. */
export function kindOf(type: string, bytes: Uint8Array): 'html' | 'text' | null {
  const mime = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (HTML.test(mime)) return 'html';
  if (TEXT.test(mime)) return 'text';
  if (mime !== '') return null;
  const start = Buffer.from(bytes.subarray(0, 1_024));
  if (start.includes(0)) return null;
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(start.toString('latin1')) ? 'html' : 'text';
}

/** The bytes as text: a byte order mark, the header and the page itself say which encoding. */
export function decode(bytes: Uint8Array, type: string): string {
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  const marks: [string, string][] = [['\xef\xbb\xbf', 'utf-8'], ['\xfe\xff', 'utf-16be'], ['\xff\xfe', 'utf-16le']];
  const named = marks.find(([mark]) => start.startsWith(mark))?.[1] ?? charset(type) ?? charset(/<meta\b[^>]*\bcharset\s*=[^>]*>/i.exec(start)?.[0] ?? '') ?? /^<\?xml[^>]*\bencoding=["']([\w.:-]+)/i.exec(start)?.[1];
  try {
    if (named !== undefined) return new TextDecoder(named).decode(bytes);
  } catch {
    // An encoding that nobody knows: as if none had been named.
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const charset = (text: string): string | undefined => /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1];

/** HTML as Markdown with its title. A page that can't be taken apart in time, or at all, gives its bare text. */
export async function readHtml(html: string, url: URL, { signal, timeoutMs = 10_000 }: { signal: AbortSignal; timeoutMs?: number }): Promise<PageText> {
  const job: PageJob = { html, url: url.href };
  const worker = new Worker(sideEntry('tools/web-page'), { workerData: job, env: {}, resourceLimits: { maxOldGenerationSizeMb: 1_024 }, stdout: true, stderr: true });
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const made = await new Promise<PageText | undefined>((resolve) => {
      over.addEventListener('abort', () => resolve(undefined), { once: true });
      worker.on('error', () => resolve(undefined));
      worker.on('message', resolve);
    });
    signal.throwIfAborted();
    return made ?? { title: '', text: stripTags(html) };
  } finally {
    void worker.terminate();
  }
}
