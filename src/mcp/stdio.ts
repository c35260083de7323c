// Talks with a server that is a program of ours: a line a message over its input and output, however it behaves.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { clean } from '../lib/clean.ts';
import { spawnGroup, type Exit, type Running } from '../lib/spawn.ts';
import { cutLines, refusalFor } from './lines.ts';

export type StdioOptions = { command: string; args: readonly string[]; cwd: string; env: Readonly<Record<string, string>>; /** Bytes of the longest message that is taken. */ longest?: number };

export type StdioTransport = Transport & {
  /** The last lines of what it said besides messages, cleaned; empty when it said nothing. */
  lastWords(): string;
  /** How it ended, as the end of a sentence; `undefined` while it runs. */
  ending(): string | undefined;
};

export const LONGEST_MESSAGE = 32 * 1_048_576;
/** What is kept of what it says besides messages: lines, characters of each, bytes of all. */
const WORDS = { lines: 12, chars: 400, bytes: 8_192 };
/** What answers nothing may come this often; then it has to wait. A message is looked at only once its turn has come. */
const BURST = { messages: 200, pauseMs: 50, slice: 8_192 };
/** How long it may take to end by itself once its input is closed. */
const FAREWELL_MS = 300;

/** Nothing is started before `start`. A failure to start shows as `ending`, like any other end. */
export function stdioTransport({ command, args, cwd, env, longest = LONGEST_MESSAGE }: StdioOptions): StdioTransport {
  let errors = Buffer.alloc(0);
  let noise: string[] = [];
  let running: Running | undefined;
  let ended: string | undefined;
  /** While it does not read what it is sent. */
  let drained: Promise<unknown> | undefined;
  let closing = false;
  const waiting: Buffer[] = [];
  let paused = false;
  let burst = 0;
  let since = 0;

  const takeBreath = (weight = 1) => {
    if (Date.now() - since > BURST.pauseMs) { since = Date.now(); burst = 0; }
    burst += weight;
    if (burst < BURST.messages || paused) return;
    paused = true;
    running?.pause();
    setTimeout(goOn, BURST.pauseMs).unref();
  };
  const goOn = () => {
    paused = false;
    burst = 0;
    pump();
    if (!paused) running?.resume();
  };
  const pump = () => {
    for (let next = paused ? undefined : waiting.shift(); next; next = paused ? undefined : waiting.shift()) takeOutput(next);
  };
  const hear = (line: string) => { noise = [...noise.slice(1 - WORDS.lines), line.slice(0, WORDS.bytes)]; };
  const deliver = (message: unknown) => {
    if (!isAnswer(message)) takeBreath();
    if (typeof message === 'object' && message !== null) transport.onmessage?.(message as JSONRPCMessage);
  };
  const takeOutput = cutLines({
    longest,
    onLine(line) {
      if (line.trim() === '') return takeBreath();
      let message: unknown;
      try {
        message = JSON.parse(line);
      } catch {
        // Programs log where they should not; it is no reason to give up on them.
        takeBreath();
        return hear(line);
      }
      for (const one of Array.isArray(message) ? message : [message]) deliver(one);
    },
    onTooLong(ends) {
      const refusal = refusalFor(ends, longest);
      if (refusal) transport.onmessage?.(refusal);
      else hear(`(a message of more than ${longest / 1_048_576} MiB)`);
    },
  });
  const onOutput = (chunk: Buffer, stream: 'stdout' | 'stderr') => {
    if (closing) return;
    if (stream === 'stderr') {
      errors = Buffer.concat([errors, chunk.subarray(-WORDS.bytes)]).subarray(-WORDS.bytes);
      return takeBreath(BURST.messages / 8);
    }
    for (let at = 0; at < chunk.length; at += BURST.slice) waiting.push(chunk.subarray(at, at + BURST.slice));
    pump();
  };
  const end = (how: string) => {
    if (ended !== undefined) return;
    // What it said to the end counts.
    paused = false;
    for (const rest of waiting.splice(0)) takeOutput(rest);
    ended = how;
    transport.onclose?.();
  };

  const transport: StdioTransport = {
    async start() {
      running = spawnGroup([command, ...args], { cwd, env: { ...env }, openInput: true, onOutput });
      running.done.then((exit) => end(endingOf(exit)), (error: NodeJS.ErrnoException) => end(failureOf(error, command, cwd)));
    },
    async send(message) {
      const stdin = running?.stdin;
      if (!stdin || ended !== undefined || !stdin.writable) throw new Error('The server has ended.');
      if (stdin.write(`${JSON.stringify(message)}\n`)) return;
      await (drained ??= Promise.race([new Promise((resolve) => { stdin.once('drain', resolve); }), running?.done.catch(() => {})]).finally(() => { drained = undefined; }));
    },
    async close() {
      if (closing) return;
      closing = true;
      running?.resume();
      running?.stdin?.end();
      await Promise.race([running?.done.catch(() => {}), sleep(FAREWELL_MS, undefined, { ref: false })]);
      running?.kill();
      end('it was stopped');
    },
    lastWords: () => linesOf(errors.toString('utf8')) || linesOf(noise.join('\n')),
    ending: () => ended,
  };
  return transport;
}

/** The last lines of a text, as they may be shown. */
function linesOf(text: string): string {
  const lines = clean(text).split('\n').map((line) => line.trim()).filter((line) => line !== '');
  return lines.slice(-WORDS.lines).map((line) => (line.length > WORDS.chars ? `${line.slice(0, WORDS.chars)}…` : line)).join('\n');
}

const isAnswer = (message: unknown): boolean => typeof message === 'object' && message !== null && ('result' in message || 'error' in message);

function endingOf({ code, signal }: Exit): string {
  return signal === null ? `it ended with exit code ${code ?? 'unknown'}` : `it was ended by ${signal}`;
}

function failureOf(error: NodeJS.ErrnoException, command: string, cwd: string): string {
  if (error.code === 'ENOENT') return existsSync(cwd) ? `there is no program "${command}"${command.includes('/') ? '' : ' on the PATH'}` : `there is no folder ${cwd}`;
  if (error.code === 'EACCES') return `"${command}" may not be run`;
  return `"${command}" could not be started (${error.message})`;
}
