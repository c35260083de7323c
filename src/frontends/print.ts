// Headless: one prompt, no screen. The answer goes to stdout, progress to stderr, and what would be asked is denied.
import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Start } from '../app.ts';
import { clean, cleanLine } from '../lib/clean.ts';
import { killAllGroups } from '../lib/spawn.ts';
import { initialState } from '../store/reduce.ts';
import type { App } from '../types/command.ts';
import type { Frontend } from '../types/event.ts';
import type { SessionState } from '../types/state.ts';
import { UserError } from '../types/user-error.ts';
import { codeOfCalls, outcomeOf, progressLine, reportOf, viewText, type Ended, type Outcome } from './print-report.ts';
import { attach, readPiped, type Piped } from './stdin.ts';

export type PrintOptions = {
  prompt?: string;
  format: 'text' | 'json';
  /** A denied call gives exit code 3. */
  failOnDenied?: boolean;
  /** The process's own where not given. */
  stdin?: Piped;
  stdout?: Writable & { isTTY?: boolean };
  stderr?: Writable;
};

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** How long a turn that a signal cancelled may take to end. */
const LAST_WORDS_MS = 3_000;

/** Runs one prompt and gives the exit code. */
export async function runPrint(start: Start, options: PrintOptions): Promise<number> {
  const { createApp } = await import('../app.ts');
  return printWith((frontend) => createApp(start, frontend), options);
}

/** The same for any way to make the App. */
export async function printWith(open: (frontend: Frontend) => App, options: PrintOptions): Promise<number> {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr } = options;
  const began = Date.now();
  const watch = watchRun((line) => stderr.write(`${line}\n`));
  let app: App | undefined;
  let before: SessionState | undefined;

  async function work(): Promise<Outcome> {
    const piped = await readPiped(stdin, { onSilence: () => watch.say('mewcode: nothing has come in on stdin for 3 s, so I go on without it.') });
    const prompt = attach(options.prompt ?? '', piped);
    if (prompt.trim() === '') throw new UserError('There is no prompt.', 'Say what to do: mewcode -p "PROMPT", or pipe it in.');
    app = open(watch.frontend);
    const left = await app.ready;
    if (left?.exit !== undefined) return { code: left.exit, text: '' };
    before = app.state.get();
    watch.warned = undefined;
    const done = await app.submit(prompt);
    if (watch.ended) return outcomeOf({ before, after: app.state.get(), ended: watch.ended, failOnDenied: options.failOnDenied ?? false });
    // It was a command. One that went wrong has said so.
    if (done) return { code: done.exit ?? codeOfCalls({ before, after: app.state.get(), failOnDenied: options.failOnDenied ?? false }), text: done.view ? viewText(done.view) : '' };
    return watch.warned === undefined ? { code: 0, text: '' } : { code: 2, text: '', failure: watch.warned };
  }

  const signals = listenForSignals();
  const finished = work().catch((error: unknown): Outcome => {
    if (error instanceof UserError) return { code: 2, text: '', failure: error.text };
    throw error;
  });
  const interrupted = signals.happened.then(async (): Promise<Outcome> => {
    app?.cancel();
    // What still fails after that is of no interest.
    finished.catch(() => {});
    // Only a turn has something to hand over.
    await setTimeout(app?.state.get().turn.running ? LAST_WORDS_MS : 0);
    return { code: 1, text: '', failure: 'Interrupted.' };
  });
  try {
    const first = await Promise.race([finished, interrupted]);
    const outcome = { ...first, code: signals.code() ?? first.code };
    if (outcome.failure !== undefined) watch.say(`mewcode: ${clean(outcome.failure)}`);
    const after = app?.state.get() ?? initialState();
    const text = options.format === 'json' ? JSON.stringify(reportOf({ before: before ?? after, after, ended: watch.ended, outcome, ms: Date.now() - began })) : outcome.text;
    if (text !== '') await write(stdout, `${text}\n`);
    return outcome.code;
  } finally {
    signals.stop();
    await app?.close();
  }
}

/** A frontend that says on stderr what goes on, remembers how it ended, and has nobody to ask. */
function watchRun(write: (line: string) => void) {
  const titles = new Map<string, string>();
  const said = new Set<string>();
  const watch = {
    ended: undefined as Ended | undefined,
    /** The last warning or error. */
    warned: undefined as string | undefined,
    /** Says a line once. */
    say(line: string) {
      if (said.has(line)) return;
      said.add(line);
      write(line);
    },
    frontend: {
      emit(event) {
        if (event.type === 'tool_called') titles.set(event.call.id, cleanLine(`${event.call.name} ${event.title}`));
        if (event.type === 'turn_ended' && event.agent === 'main') watch.ended = event;
        if (event.type === 'notice' && event.level !== 'info') watch.warned = event.text;
        const line = progressLine(event, titles);
        if (line === undefined) return;
        if (event.type === 'notice') watch.say(line);
        else write(line);
      },
      ask: async () => ({ kind: 'dismissed' }),
    } satisfies Frontend,
  };
  return watch;
}

/** `happened` resolves at the first signal, whose exit code `code` then gives; a second one leaves at once. */
function listenForSignals() {
  const { promise: happened, resolve } = Promise.withResolvers<void>();
  let exitCode: number | undefined;
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => {
    const listener = () => {
      if (exitCode !== undefined) {
        killAllGroups();
        process.exit(exitCode);
      }
      exitCode = code;
      resolve();
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return { happened, code: () => exitCode, stop: () => { for (const off of listeners) off(); } };
}

/** To a terminal only cleaned text goes; a pipe gets it as it is. Resolves when it is written, or can't be. */
function write(stdout: Writable & { isTTY?: boolean }, text: string): Promise<void> {
  return new Promise((resolve) => { stdout.write(stdout.isTTY ? clean(text) : text, () => resolve()); });
}
