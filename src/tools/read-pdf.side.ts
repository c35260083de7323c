// The text of a PDF, page by page, in a thread of its own: a hostile file may keep it busy for ever, and a thread can be ended.
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';

/** What the thread is started with: the file, and the first page wanted, counted from 1. */
export type PdfJob = { bytes: Uint8Array; offset: number };
/** What it says: how many pages there are, then each page from there on; or why there are none. */
export type PdfEvent = { type: 'pages'; total: number } | { type: 'page'; text: string } | { type: 'end' } | { type: 'failed'; why: string };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
const say = (event: PdfEvent) => parentPort?.postMessage(event);

const { bytes, offset } = workerData as PdfJob;
try {
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
  say({ type: 'pages', total: pdf.numPages });
  for (let number = offset; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    say({ type: 'page', text: items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('') });
    page.cleanup();
  }
  say({ type: 'end' });
} catch (error) {
  say({ type: 'failed', why: error instanceof Error && error.name === 'PasswordException' ? 'is an encrypted PDF; its password is needed' : `is a PDF that can't be read (${(error instanceof Error ? error.message : String(error)).replace(/\.$/, '')})` });
}
