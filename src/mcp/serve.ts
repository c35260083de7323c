// The other end of MCP: our own tools offered to a client on stdin and stdout.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult, type ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';
import { cleanLine } from '../lib/clean.ts';
import { head } from '../lib/cut.ts';
import type { Access } from '../types/permission.ts';
import type { Answer, Question } from '../types/question.ts';
import type { Tool, ToolResult } from '../types/tool.ts';

export type Streams = { stdin: Readable; stdout: Writable; stderr: Writable };

/** One call on its way: its end, its live output, and the way to the user, who sits behind the client. */
export type Caller = { signal: AbortSignal; progress(text: string): void; ask(question: Question, signal: AbortSignal): Promise<Answer> };

export type Served = {
  version: string;
  instructions: string;
  tools: readonly Tool[];
  /** What a plain call of a tool touches; `undefined` where that hangs on its arguments. */
  touches(tool: Tool): readonly Access[] | undefined;
  /** Never rejects. */
  call(name: string, input: unknown, caller: Caller): Promise<Pick<ToolResult, 'ok' | 'text' | 'images'>>;
};

/** Nobody is hurried by a question. */
const PATIENCE_MS = 24 * 60 * 60_000;
const LONGEST_QUESTION = 4_000;
const LONGEST_LINE = 300;
/** Between two notifications of progress. */
const PROGRESS_MS = 100;
/** How long answers may take once nobody asks any more. */
const LAST_WORDS_MS = 1_000;

/** Serves until the client is gone or `signal` aborts; calls that are under way then are aborted. */
export async function serve({ version, instructions, tools, touches, call }: Served, { stdin, stdout, stderr }: Streams, signal: AbortSignal): Promise<void> {
  const server = new Server({ name: 'mewcode', title: 'MewCode', version }, { capabilities: { tools: {} }, instructions });
  const say = (text: string) => stderr.write(`mewcode: ${cleanLine(text)}\n`);
  const gone = new AbortController();
  const pending = new Set<Promise<unknown>>();

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: { ...tool.schema, type: 'object' as const }, annotations: annotationsOf(touches(tool)) })) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal: cancelled, sendNotification, _meta: meta }) => {
    const token = meta?.progressToken;
    let told = 0;
    let last = 0;
    const working = call(params.name, params.arguments ?? {}, {
      signal: AbortSignal.any([cancelled, gone.signal]),
      progress(text) {
        const line = cleanLine(text.trimEnd().split('\n').at(-1) ?? '');
        if (token === undefined || line === '' || Date.now() - last < PROGRESS_MS) return;
        last = Date.now();
        told += 1;
        sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress: told, message: head(line, LONGEST_LINE) } }).catch(() => {});
      },
      ask: (question, until) => ask(server, question, until),
    });
    pending.add(working);
    const { ok, text, images = [] } = await working.finally(() => pending.delete(working));
    return { content: [{ type: 'text', text }, ...images.map(({ mime, base64 }) => ({ type: 'image' as const, data: base64, mimeType: mime }))], isError: !ok } satisfies CallToolResult;
  });

  const over = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    stdout.once('error', () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  Object.assign(server, { onerror: (error: Error) => say(error.message) } satisfies Partial<Server>);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await over;
  // What was asked last may just be answered: a pipe of requests ends with them.
  if (!signal.aborted) await Promise.race([breath().then(() => Promise.all(pending)), sleep(LAST_WORDS_MS)]);
  gone.abort();
  await Promise.race([Promise.all(pending), sleep(LAST_WORDS_MS)]);
  await breath();
  await server.close();
}

/** Time for what has come in to be taken up, and for answers to be written. */
const breath = () => sleep(50);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });

function annotationsOf(access: readonly Access[] | undefined): { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean } {
  const has = (...kinds: Access['kind'][]) => access === undefined || access.some(({ kind }) => kinds.includes(kind));
  // What touches nothing outside of us may still change something in here.
  return { readOnlyHint: !has('write', 'run', 'mcp', 'none'), destructiveHint: has('write', 'run', 'mcp'), openWorldHint: has('net', 'run', 'mcp') };
}

/** Asks the user through the client. A client that can't ask dismisses. */
async function ask(server: Server, question: Question, signal: AbortSignal): Promise<Answer> {
  const can = server.getClientCapabilities()?.elicitation;
  const nobody: Answer = { kind: 'dismissed' };
  // A client that names no mode has forms.
  if (!can || (can.url && !can.form) || question.kind === 'form') return nobody;
  const choices = question.kind === 'choose' ? question.options.map(({ id, label }) => ({ id, label })) : [
    { id: 'once', label: 'Allow once' },
    ...(question.session ? [{ id: 'session', label: `Allow for this session: ${question.session.join(', ')}` }] : []),
    { id: 'deny', label: 'Deny' },
  ];
  const params: ElicitRequestFormParams = {
    mode: 'form', message: wordsOf(question),
    requestedSchema: { type: 'object', properties: { answer: { type: 'string', title: 'Answer', oneOf: choices.map(({ id, label }) => ({ const: id, title: head(cleanLine(label), LONGEST_LINE) })) } }, required: ['answer'] },
  };
  const { action, content } = await server.elicitInput(params, { signal, timeout: PATIENCE_MS });
  const answer = content?.['answer'];
  if (action !== 'accept' || typeof answer !== 'string') return question.kind === 'permission' ? { kind: 'deny' } : nobody;
  if (question.kind === 'choose') return { kind: 'chosen', ids: [answer] };
  if (answer === 'session' && question.session) return { kind: 'allow', keep: 'session', rules: question.session };
  return answer === 'once' ? { kind: 'allow' } : { kind: 'deny' };
}

function wordsOf(question: Exclude<Question, { kind: 'form' }>): string {
  if (question.kind === 'choose') return head([question.title, question.text].filter((text) => text !== undefined).join('\n\n'), LONGEST_QUESTION);
  const { call, title, decision, view } = question;
  const shown = view?.type === 'diff' ? view.patch : view?.type === 'terminal' ? view.command : view?.type === 'text' ? view.text : '';
  const all = [`MewCode wants to run ${call.name} ${title}`, decision.because, shown === title ? '' : shown].filter((text) => text !== '').join('\n\n');
  return all.length > LONGEST_QUESTION ? `${head(all, LONGEST_QUESTION)}\n… (${all.length - LONGEST_QUESTION} more characters)` : all;
}
