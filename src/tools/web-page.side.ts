// Turns HTML into Markdown in a thread of its own: a large or twisted page takes seconds, and a thread can be ended.
import { parentPort, workerData } from 'node:worker_threads';
import { readable } from './web/readable.ts';

export type PageJob = { html: string; url: string };
export type PageText = { title: string; text: string };

const { html, url } = workerData as PageJob;
const page: PageText = readable(html, url);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.postMessage(page);
