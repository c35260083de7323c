// Bash: one shell command, its output live, and the folder that it leaves the shell in kept for the next.
import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { spawnGroup, type Exit } from '../lib/spawn.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { sentenceOf } from '../types/user-error.ts';
import type { Tasks } from './bash/background.ts';
import { holdOnline } from './bash/confined.ts';
import { keepOutput, type KeptOutput } from './bash/keep.ts';
import { prepareShell } from './bash/shell.ts';
import { defineTool } from './define.ts';
import { isInside } from './listing.ts';
import { readOutput } from './output.ts';
import { MAX_RESULT, shownPath } from './text.ts';

/** Seconds a command may ask for. */
const LONGEST = 600;

const inputFor = (timeout: number) => z.strictObject({
  command: z.string().min(1).describe('Shell text for bash'),
  timeout_s: z.int().min(1).max(LONGEST).default(timeout).describe('Seconds after which the command and all that it started is ended; in the background there is no such limit'),
  description: z.string().optional().describe('What it does, in five to ten words'),
  background: z.boolean().optional().describe('Go on with other work while it runs'),
});
type Input = z.infer<ReturnType<typeof inputFor>>;

/** Room for the lines about the exit and the folder. */
const NOTE = 1_000;
/** A cancelled call hands over what it has at once; the group is ended meanwhile. */
const LAST_WORDS_MS = 60;
/** A group has 2 s to obey; whoever then still stands is stuck in the kernel and is not waited for. */
const OVERDUE_MS = 2_500;

/** A shell that remembers its folder, and nothing else, from one call to the next: one for each session. A command that names no time gets `timeoutMs`; `tasks` holds what runs in the background. */
export function bash(tasks: Tasks, { timeoutMs = 120_000 }: { timeoutMs?: number } = {}): Tool<Input> {
  /** Where the last command left the shell, when not in the project root. The pipeline asks for it, judges by it and hands it back as `ctx.cwd`. */
  let kept: string | undefined;
  const online = holdOnline();
  return defineTool({
    name: 'Bash',
    description: 'Runs a shell command with bash in a process group of its own. Gives stdout and stderr as they came, and the exit code. There is no input: interactive programs see its end at once. `cd` lasts for the next call while it stays inside the project; variables do not last. Output over 49,000 characters goes to a file that ReadFile can read; the result then has its beginning, its end and the lines between that look like errors. When the command ends or its time is up, all that it started is ended too. With background: true it goes on while you work (servers, watchers, long builds): the call gives an id at once, BashOutput gives what is new, KillBash ends it, and you are told when it ends by itself. Read, search and change files with the tools made for it.',
    input: inputFor(Math.min(LONGEST, Math.max(1, Math.round(timeoutMs / 1_000)))),
    title: ({ command }) => cleanLine(command),
    access: ({ command }) => [{ kind: 'run', target: command }],
    editable: 'command',
    cwd: () => kept,
    async run(args, offered) {
      const ctx = online.of(offered);
      const home = await realpath(ctx.roots[0] ?? ctx.cwd);
      const before = await realpath(ctx.cwd).catch(() => undefined);
      // It was judged in that folder: it runs there or not at all.
      if (before === undefined || (ctx.cwd === kept && before !== kept)) {
        kept = undefined;
        return { ok: false, text: `Nothing was run: the folder ${ctx.cwd} is gone. The next command runs in the project root.` };
      }
      if (args.background) return online.background(ctx, await tasks.start(args.command, before, ctx));
      const { result, folder = before } = await online.settle(args.command, ctx, await runCommand(args, before, ctx), (again) => runCommand(args, before, again));
      if (folder === before) return result;
      const inside = await staysInside(folder, ctx);
      if (inside) kept = folder === home ? undefined : folder;
      const next = shownPath(kept ?? home, home);
      return { ...result, text: `${result.text}\n${inside ? '' : `${folder} is outside the project. `}The next command runs in ${next === '.' ? 'the project root' : next}.` };
    },
  });
}

/** `folder` is where the shell was at its end, when it could say so. */
async function runCommand({ command, timeout_s }: Input, cwd: string, ctx: ToolContext): Promise<{ result: ToolResult; folder?: string | undefined }> {
  const shell = await prepareShell(command, ctx.env);
  const keeper = keepOutput({ file: ctx.spillFile, limit: MAX_RESULT - NOTE, mask: ctx.mask });
  const output = readOutput({ take: keeper.add, show: (text) => ctx.progress(text) });
  try {
    ctx.signal.throwIfAborted();
    const timeoutMs = timeout_s * 1_000;
    const running = spawnGroup(ctx.wrap(shell.argv), { cwd, env: shell.env, signal: ctx.signal, timeoutMs, thorough: true, onOutput: output.add });
    const exit = await Promise.race([running.done, cancelled(ctx.signal, running.done), overdue(timeoutMs + OVERDUE_MS, running.done)]);
    output.close();
    return { result: describe(command, keeper.read(), exit, timeout_s), folder: await shell.folder() };
  } catch (error) {
    if (ctx.signal.aborted) return { result: { ok: false, text: 'Cancelled by the user before it was run.' } };
    return { result: { ok: false, text: `The shell could not be started in ${cwd}: ${sentenceOf(error)}` } };
  } finally {
    output.close();
    keeper.close();
    await shell.dispose();
  }
}

function describe(command: string, { text, spill }: KeptOutput, exit: Exit, timeout: number): ToolResult {
  const how = exit.aborted ? 'Cancelled by the user: the command and everything that it started were ended.'
    : exit.timedOut ? `Timed out after ${timeout} s: the command and everything that it started were ended.`
      : exit.code === null ? `Ended by ${exit.signal}.` : `Exit code ${exit.code}.`;
  const shown = text.trimEnd();
  return {
    ok: exit.code === 0 && !exit.aborted && !exit.timedOut,
    text: `${shown === '' ? '(no output)' : shown}\n${how}`,
    view: { type: 'terminal', command, output: text, ...(exit.code !== null && { exit: exit.code }) },
    ...(spill !== undefined && { spill }),
  };
}

/** Settles soon after a cancel, even while the group takes its time to end. */
function cancelled(signal: AbortSignal, done: Promise<unknown>): Promise<Exit> {
  return new Promise((resolve) => {
    const onAbort = () => setTimeout(() => resolve({ code: null, signal: null, timedOut: false, aborted: true }), LAST_WORDS_MS);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const forget = () => signal.removeEventListener('abort', onAbort);
    void done.then(forget, forget);
  });
}

function overdue(ms: number, done: Promise<unknown>): Promise<Exit> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ code: null, signal: null, timedOut: true, aborted: false }), ms);
    const forget = () => clearTimeout(timer);
    void done.then(forget, forget);
  });
}

/** Whether a real path lies below a root and is still there, no link having come between. */
async function staysInside(folder: string, ctx: ToolContext): Promise<boolean> {
  const roots = await Promise.all(ctx.roots.map((root) => realpath(root).catch(() => root)));
  return roots.some((root) => isInside(folder, root)) && (await realpath(folder).catch(() => undefined)) === folder;
}
