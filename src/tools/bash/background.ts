// Commands that go on in the background: started, looked at, ended, and told of when they end by themselves.
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanLine } from '../../lib/clean.ts';
import { head, tail } from '../../lib/cut.ts';
import { spawnGroup, type Exit } from '../../lib/spawn.ts';
import type { BackgroundTask, Happening } from '../../types/event.ts';
import type { ToolContext, ToolResult } from '../../types/tool.ts';
import { sentenceOf } from '../../types/user-error.ts';
import { readOutput } from '../output.ts';
import { openOutputFile, type OutputFile } from './keep.ts';
import { prepareShell } from './shell.ts';

/** How many may run at the same time. */
const MOST = 16;
/** A group has 2 s to obey. */
const OVERDUE_MS = 2_500;
/** Characters of unseen output that are kept in memory; the file has the rest. */
const UNSEEN = 40_000;

/** What `look` gives of one command: what it said since the last look. */
export type Glimpse = {
  task: BackgroundTask;
  command: string;
  output: string;
  /** Characters before `output` that nobody has seen; where all of it is. */
  missed: number;
  whole: string;
  ms: number;
  exit: number | null;
};

export type Tasks = {
  /** Starts it and gives the result of the call at once. */
  start(command: string, cwd: string, ctx: ToolContext): Promise<ToolResult>;
  /** What is new of one, after waiting up to `waitMs` for anything to be new; `undefined` where there is none of that id. */
  look(id: string, options?: { waitMs: number; signal: AbortSignal }): Promise<Glimpse | undefined>;
  /** Ends one and waits for its end. */
  end(id: string): Promise<void>;
  /** One line for each, for a wrong id. */
  list(): string[];
  /** Sentences on what has ended by itself since the last time, and was not looked at since. */
  news(): string[];
  /** Ends all; nothing more is told. */
  close(): void;
};

type Entry = {
  task: BackgroundTask;
  command: string;
  startedAt: number;
  endedAt?: number;
  exit: number | null;
  unseen: string;
  /** The line that it is at: seen, but not counted as seen. */
  open(): string;
  missed: number;
  /** Says where all of its output is. */
  whole(): string;
  /** Nobody has heard of its end. */
  news: boolean;
  kill(): void;
  done: Promise<void>;
  /** Called when there is something new. */
  wake: Set<() => void>;
};

/** Holds the background commands of one session. */
export function createTasks({ emit = () => {}, clock = Date.now, before = 0 }: { emit?(happening: Happening): void; clock?: () => number; /** How many the session has had already: ids go on from there. */ before?: number } = {}): Tasks {
  const entries = new Map<string, Entry>();
  let closed = false;
  const running = () => [...entries.values()].filter(({ task }) => task.status === 'running');

  const change = (entry: Entry, task: BackgroundTask) => {
    entry.task = task;
    if (!closed) emit({ type: 'task', task });
  };

  const settle = (entry: Entry, exit: Exit) => {
    entry.endedAt = clock();
    entry.exit = exit.code;
    entry.news = !exit.aborted;
    const outcome = exit.code === null ? (exit.aborted ? 'ended' : `ended by ${exit.signal}`) : `exit code ${exit.code}`;
    change(entry, { ...entry.task, status: exit.aborted ? 'ended' : exit.code === 0 ? 'done' : 'failed', outcome });
    if (entry.news && !closed) emit({ type: 'notice', level: exit.code === 0 ? 'info' : 'warn', text: describeEnd(entry) });
  };

  const wake = (entry: Entry) => { for (const waiting of entry.wake) waiting(); };

  return {
    async start(command, cwd, ctx) {
      if (running().length >= MOST) return { ok: false, text: `${MOST} background commands are running, and no more can. End one with KillBash first: ${running().map(({ task }) => task.id).join(', ')}.` };
      const shell = await prepareShell(command, ctx.env);
      const id = `bg_${before + entries.size + 1}`;
      const argv = ctx.wrap(shell.argv);
      const stop = new AbortController();
      const file = ctx.spillFile === null ? undefined : openOutputFile(ctx.spillFile, ctx.mask);
      const entry: Entry = {
        task: { id, title: cleanLine(command), callId: ctx.callId, status: 'running' }, command, startedAt: clock(), exit: null, unseen: '', missed: 0,
        open: () => output.open(), whole: () => whereIs(file), news: false, kill: () => stop.abort(), done: Promise.resolve(), wake: new Set(),
      };
      const output = readOutput({
        take(text) {
          file?.write(text);
          const all = entry.unseen + text;
          entry.unseen = tail(all, UNSEEN);
          entry.missed += all.length - entry.unseen.length;
          wake(entry);
        },
        show: (text) => { if (!closed) emit({ type: 'task_output', id, text }); },
      });
      entries.set(id, entry);
      const finish = (exit: Exit) => {
        output.close();
        file?.close();
        settle(entry, exit);
        wake(entry);
      };
      change(entry, entry.task);
      const started = spawnGroup(argv, { cwd, env: shell.env, signal: stop.signal, thorough: true, onOutput: output.add });
      entry.done = started.done.then(finish, (error: unknown) => {
        entry.unseen = `It could not be started in ${cwd}: ${sentenceOf(error)}`;
        finish({ code: null, signal: null, timedOut: false, aborted: false });
      }).finally(() => void shell.dispose());
      return { ok: true, text: `It runs in the background as ${id}. BashOutput gives what it says, KillBash ends it; you are told when it ends. ${entry.whole()}`, view: { type: 'terminal', command, output: `in the background as ${id}` } };
    },
    async look(id, options) {
      const entry = entries.get(id);
      if (!entry) return undefined;
      if (options && entry.unseen === '' && entry.task.status === 'running') await somethingNew(entry, options);
      const { task, command, unseen, missed, startedAt, endedAt = clock(), exit } = entry;
      entry.unseen = '';
      entry.missed = 0;
      if (task.status !== 'running') entry.news = false;
      return { task, command, output: unseen + entry.open(), missed, whole: entry.whole(), exit, ms: endedAt - startedAt };
    },
    async end(id) {
      const entry = entries.get(id);
      entry?.kill();
      // Whoever does not even obey a KILL is stuck in the kernel.
      await Promise.race([entry?.done, sleep(OVERDUE_MS, undefined, { ref: false })]);
    },
    list: () => [...entries.values()].map(({ task }) => `${task.id} (${task.outcome ?? 'running'}): ${task.title}`),
    news() {
      const ended = [...entries.values()].filter((entry) => entry.news);
      for (const entry of ended) entry.news = false;
      return ended.map((entry) => `${describeEnd(entry)} BashOutput gives what it said.`);
    },
    close() {
      closed = true;
      for (const entry of running()) entry.kill();
    },
  };
}

function describeEnd({ task: { id, title, outcome }, startedAt, endedAt = startedAt }: Entry): string {
  return `The background command ${id} (${head(title, 100)}) is over: ${outcome} after ${Math.round((endedAt - startedAt) / 1_000)} s.`;
}

function whereIs(file: OutputFile | undefined): string {
  if (!file) return 'Nothing is kept on disk in this session.';
  if (file.problem !== undefined) return `It could not be kept on disk: ${file.problem}`;
  return `All of it is kept in ${file.path}${file.note === undefined ? '.' : ` ${file.note}`}`;
}

/** Resolves when the command says something or ends, after `waitMs`, or at a cancel. */
function somethingNew(entry: Entry, { waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      entry.wake.delete(over);
      resolve();
    };
    const timer = setTimeout(over, waitMs);
    signal.addEventListener('abort', over, { once: true });
    entry.wake.add(over);
    if (signal.aborted) over();
  });
}
