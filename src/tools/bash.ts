// Bash: one shell command, its output live, and the folder that it leaves the shell in kept for the next.
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { spawnGroup, type Exit } from '../lib/spawn.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { sentenceOf } from '../types/user-error.ts';
import { defineTool } from './define.ts';
import { findProgram } from '../lib/find-program.ts';
import { isInside } from './listing.ts';
import { collectOutput } from './output.ts';
import { MAX_RESULT, shownPath } from './text.ts';

/** Seconds a command may ask for. */
const LONGEST = 600;

const inputFor = (timeout: number) => z.strictObject({
  command: z.string().min(1).describe('Shell text for bash'),
  timeout_s: z.int().min(1).max(LONGEST).default(timeout).describe('Seconds after which the command and all that it started is ended'),
  description: z.string().optional().describe('What it does, in five to ten words'),
});
type Input = z.infer<ReturnType<typeof inputFor>>;

/** Room for the lines about the exit and the folder. */
const NOTE = 1_000;
/** A cancelled call hands over what it has at once; the group is ended meanwhile. */
const LAST_WORDS_MS = 60;

/** A shell that remembers its folder, and nothing else, from one call to the next: one for each session. A command that names no time gets `timeoutMs`. */
export function bash({ timeoutMs = 120_000 }: { timeoutMs?: number } = {}): Tool<Input> {
  /** Where the last command left the shell, when not in the project root. The pipeline asks for it, judges by it and hands it back as `ctx.cwd`. */
  let kept: string | undefined;
  return defineTool({
    name: 'Bash',
    description: 'Runs a shell command with bash in a process group of its own. Gives stdout and stderr as they came, and the exit code. There is no input: interactive programs see its end at once. `cd` lasts for the next call while it stays inside the project; variables do not last. Of output over 49,000 characters the middle is left out, and said. When the command ends or its time is up, everything that it started is ended too, so nothing keeps running in the background. Read, search and change files with the tools made for it.',
    input: inputFor(Math.min(LONGEST, Math.max(1, Math.round(timeoutMs / 1_000)))),
    title: ({ command }) => cleanLine(command),
    access: ({ command }) => [{ kind: 'run', target: command }],
    editable: 'command',
    cwd: () => kept,
    async run(args, ctx) {
      const home = await realpath(ctx.roots[0] ?? ctx.cwd);
      const before = await realpath(ctx.cwd).catch(() => undefined);
      // It was judged in that folder: it runs there or not at all.
      if (before === undefined || (ctx.cwd === kept && before !== kept)) {
        kept = undefined;
        return { ok: false, text: `Nothing was run: the folder ${ctx.cwd} is gone. The next command runs in the project root.` };
      }
      const { result, folder = before } = await runCommand(args, before, ctx);
      if (folder === before) return result;
      const inside = await staysInside(folder, ctx);
      if (inside) kept = folder === home ? undefined : folder;
      const next = shownPath(kept ?? home, home);
      return { ...result, text: `${result.text}\n${inside ? '' : `${folder} is outside the project. `}The next command runs in ${next === '.' ? 'the project root' : next}.` };
    },
  });
}

/** `folder` is where the shell was at its end, when it could say so. */
async function runCommand({ command, timeout_s }: Input, cwd: string, ctx: ToolContext): Promise<{ result: ToolResult; folder?: string }> {
  const scratch = await mkdtemp(join(tmpdir(), 'mewcode-bash-'));
  const output = collectOutput({ limit: MAX_RESULT - NOTE, show: (text) => ctx.progress(text) });
  try {
    const { argv, env } = await shellFor(command, scratch, ctx);
    ctx.signal.throwIfAborted();
    const running = spawnGroup(ctx.wrap(argv), { cwd, env, signal: ctx.signal, timeoutMs: timeout_s * 1000, onOutput: output.add });
    const exit = await Promise.race([running.done, cancelled(ctx.signal, running.done)]);
    output.close();
    return { result: describe(command, output.text(), exit, timeout_s), folder: await readFolder(scratch) };
  } catch (error) {
    if (ctx.signal.aborted) return { result: { ok: false, text: 'Cancelled by the user before it was run.' } };
    return { result: { ok: false, text: `The shell could not be started in ${cwd}: ${sentenceOf(error)}` } };
  } finally {
    output.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * How the command is run. bash reads BASH_ENV before it, so that the command itself stays as it was judged and errors
 * name its own lines: there stderr joins stdout (which keeps their order) and a trap notes the folder however the
 * shell ends. `exec` and a trap of the command's own lose the note, nothing else.
 */
async function shellFor(command: string, scratch: string, ctx: ToolContext): Promise<{ argv: string[]; env: Record<string, string> }> {
  const shell = findProgram('bash', ctx.env);
  const note = `'${join(scratch, 'folder').replaceAll("'", "'\\''")}'`;
  const before = `exec 2>&1\nunset BASH_ENV\ntrap ${quoteWord(`{ pwd -P >|${note}; } 2>/dev/null`)} EXIT\n`;
  if (shell === undefined) return { argv: ['sh', '-c', before + command], env: { ...ctx.env } };
  await writeFile(join(scratch, 'before'), before);
  return { argv: [shell, '-c', command], env: { ...ctx.env, BASH_ENV: join(scratch, 'before') } };
}

const quoteWord = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function describe(command: string, output: string, exit: Exit, timeout: number): ToolResult {
  const how = exit.aborted ? 'Cancelled by the user: the command and everything that it started was ended.'
    : exit.timedOut ? `Timed out after ${timeout} s: the command and everything that it started was ended.`
      : exit.code === null ? `Ended by ${exit.signal}.` : `Exit code ${exit.code}.`;
  const shown = output.trimEnd();
  return {
    ok: exit.code === 0 && !exit.aborted && !exit.timedOut,
    text: `${shown === '' ? '(no output)' : shown}\n${how}`,
    view: { type: 'terminal', command, output, ...(exit.code !== null && { exit: exit.code }) },
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

async function readFolder(scratch: string): Promise<string | undefined> {
  const text = await readFile(join(scratch, 'folder'), 'utf8').catch(() => '');
  return text.endsWith('\n') ? text.slice(0, -1) : undefined;
}

/** Whether a real path lies below a root and is still there, no link having come between. */
async function staysInside(folder: string, ctx: ToolContext): Promise<boolean> {
  const roots = await Promise.all(ctx.roots.map((root) => realpath(root).catch(() => root)));
  return roots.some((root) => isInside(folder, root)) && (await realpath(folder).catch(() => undefined)) === folder;
}
