// The verifier: after files were changed it runs the checkers that cover them and says what is new since before the turn.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { collect } from '../lib/collect.ts';
import { sentenceOf } from '../types/user-error.ts';
import { addChange, compare, sayAll, sayChange, type Change, type Diagnostic } from './diagnostics.ts';
import { runProjectTests } from './project-tests.ts';
import { upwards, verifiersOf, type Target, type Verifier } from './verifiers.ts';

/** What is appended to the result of a call that changed files. `failed`: there are new errors. */
export type Report = { text: string; failed: boolean };

/** One for each conversation. Nothing here rejects: what can't be checked is said. */
export type Verify = {
  /** What is wrong from here on was wrong before. */
  beginTurn(): void;
  /** Before files are changed: looks what is wrong already, once a turn. */
  before(files: readonly string[], signal: AbortSignal): Promise<void>;
  /** After files were changed. `null`: nothing covers them, or the last check was a moment ago and `settle` makes it up. */
  after(files: readonly string[], signal: AbortSignal): Promise<Report | null>;
  /** What was put off. Comes before the results of a round go to the model. */
  settle(signal: AbortSignal): Promise<Report | null>;
  /** When the model wants to stop: what the project's tests say, where they are wanted, the turn's edits check clean and they fail. */
  finish(signal: AbortSignal): Promise<string | null>;
  /** By hand: all that is wrong with these files and their projects; without files, with what was changed in this session and the project at the root. */
  check(files: readonly string[], signal: AbortSignal): Promise<string>;
};

export type VerifyOptions = {
  rows: readonly Verifier[];
  roots: readonly string[];
  env: Readonly<Record<string, string>>;
  wrap(argv: readonly string[], options: { network: boolean }): readonly string[];
  cacheDir: string | null;
  debounceMs: number;
  timeoutMs: number;
  /** Run the project's tests before the model may stop. */
  tests: boolean;
  clock?: () => number;
};

type Job = { row: Verifier; target: Target; key: string };
type Outcome = { ok: true; diagnostics: readonly Diagnostic[] } | { ok: false; problem: string };

/** More than any checker has to say. */
const MOST_OUTPUT = 16 * 1024 * 1024;
const TAIL_LINES = 15;
/** How often in a turn failing tests are given back, and how much longer than a check they may take. */
const TEST_ROUNDS = 3;
const TEST_PATIENCE = 20;

export function createVerify(options: VerifyOptions): Verify {
  const { rows, roots, env, cacheDir, debounceMs, timeoutMs, clock = Date.now } = options;
  // A session that has written nothing yet has no folder, and a checker in the sandbox can't make it.
  const cache = () => (cacheDir !== null && existsSync(cacheDir) ? cacheDir : null);
  let baseline = new Map<string, readonly Diagnostic[]>();
  let putOff = new Map<string, Job>();
  /** Checks that are left out for the rest of the turn, with why until that was said. */
  let givenUp = new Map<string, string | null>();
  let lastEnd = -Infinity;
  const changed = new Set<string>();
  /** Of this turn's edits: whether there were any since the tests ran, and which checks found new errors. */
  let untested = false;
  let broken = new Set<string>();
  let testRounds = 0;
  /** One at a time. */
  let queue: Promise<unknown> = Promise.resolve();

  function jobsOf(files: readonly string[]): Job[] {
    const jobs = files.flatMap((file) => {
      const root = roots.find((folder) => !relative(folder, file).startsWith('..'));
      if (root === undefined) return [];
      const targetFor = (row: Verifier): Target | undefined => {
        const folder = row.atRoot ? root : row.project === undefined ? dirname(file) : upwards(dirname(file), root).find((at) => existsSync(join(at, row.project ?? '')));
        return folder === undefined ? undefined : { folder, file, root, env, cacheDir: cache() };
      };
      const installed = (row: Verifier) => {
        const target = targetFor(row);
        return target !== undefined && ('look' in row || row.command(target) !== undefined);
      };
      return verifiersOf(file, rows, installed).flatMap((row) => {
        const target = targetFor(row);
        return target === undefined ? [] : [{ row, target, key: `${row.name} ${row.project !== undefined || row.atRoot === 'once' ? target.folder : file}` }];
      });
    });
    return dedupe(jobs);
  }

  /** Checkers of whole projects, where the root is one. */
  function jobsAtRoot(): Job[] {
    const [root] = roots;
    return root === undefined ? [] : rows.flatMap((row) => {
      const target = { folder: root, file: root, root, env, cacheDir: cache() };
      const there = row.project !== undefined && existsSync(join(root, row.project)) && 'command' in row && row.command(target) !== undefined;
      return there ? [{ row, target, key: `${row.name} ${root}` }] : [];
    });
  }

  async function run(job: Job, signal: AbortSignal): Promise<Outcome> {
    const next = queue.then(() => runOnce(job, signal));
    queue = next.catch(() => {});
    const outcome = await next;
    if (!outcome.ok && !signal.aborted) givenUp.set(job.key, outcome.problem);
    return outcome;
  }

  async function runOnce({ row, target }: Job, signal: AbortSignal): Promise<Outcome> {
    // A file that was taken away has nothing wrong with it.
    if (row.project === undefined && !existsSync(target.file)) return { ok: true, diagnostics: [] };
    if ('look' in row) return { ok: true, diagnostics: (await row.look(await readFile(target.file, 'utf8'), target.file)).map((one) => named(one, target)) };
    const started = row.command(target);
    if (started === undefined) return { ok: true, diagnostics: [] };
    let ran: Awaited<ReturnType<typeof collect>>;
    try {
      ran = await collect(options.wrap(started.argv, { network: false }), { cwd: target.folder, env: { ...env, ...started.env }, signal, timeoutMs, most: MOST_OUTPUT });
    } catch (error) {
      return { ok: false, problem: `could not be started: ${sentenceOf(error)}` };
    }
    const { exit, output } = ran;
    if (exit.timedOut) return { ok: false, problem: `was stopped after ${timeoutMs / 1_000} s (verifier.timeout_secs) and is left out for the rest of this turn.` };
    if (exit.aborted) return { ok: false, problem: 'was cancelled.' };
    const diagnostics = row.read(output).map((one) => named(one, target));
    if (exit.code === 0 || diagnostics.length > 0) return { ok: true, diagnostics };
    return { ok: false, problem: `ended with ${exit.code ?? exit.signal} and nothing that could be read:\n${output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')}` };
  }

  /** One section a checker, however many files it looked at. */
  async function report(jobs: readonly Job[], signal: AbortSignal): Promise<Report | null> {
    const changes = new Map<string, Change>();
    const problems: string[] = [];
    for (const job of jobs) {
      putOff.delete(job.key);
      if (signal.aborted) continue;
      const { name } = job.row;
      if (!givenUp.has(job.key)) {
        const outcome = await run(job, signal);
        if (!('look' in job.row)) lastEnd = clock();
        if (outcome.ok) {
          const change = compare(baseline.get(job.key) ?? [], outcome.diagnostics);
          changes.set(name, addChange(changes.get(name), change));
          if (change.fresh.some(isError)) broken.add(job.key);
          else broken.delete(job.key);
        }
      }
      const problem = givenUp.get(job.key);
      if (problem) problems.push(`${titleOf(name)}\n${name} ${problem}`);
      if (problem) givenUp.set(job.key, null);
    }
    const said = [...[...changes].map(([name, change]) => `${titleOf(name)}\n${sayChange(change)}`), ...problems];
    const failed = [...changes.values()].some(({ fresh }) => fresh.some(isError));
    return said.length === 0 ? null : { text: said.join('\n'), failed };
  }

  return {
    beginTurn() {
      baseline = new Map();
      putOff = new Map();
      givenUp = new Map();
      broken = new Set();
      untested = false;
      testRounds = 0;
    },
    async before(files, signal) {
      for (const job of jobsOf(files)) {
        if (baseline.has(job.key) || givenUp.has(job.key) || signal.aborted) continue;
        const outcome = await run(job, signal);
        if (outcome.ok) baseline.set(job.key, outcome.diagnostics);
      }
    },
    async after(files, signal) {
      untested = true;
      for (const file of files) changed.add(file);
      const jobs = jobsOf(files);
      // What needs no program is looked at at once.
      const [now, later] = clock() - lastEnd < debounceMs ? split(jobs, ({ row }) => 'look' in row) : [jobs, []];
      for (const job of later) putOff.set(job.key, job);
      return report(now, signal);
    },
    settle: (signal) => report([...putOff.values()], signal),
    async finish(signal) {
      if (!options.tests || !untested || broken.size > 0 || testRounds >= TEST_ROUNDS) return null;
      untested = false;
      testRounds += 1;
      return runProjectTests({ root: roots[0] ?? '/', env, wrap: options.wrap, timeoutMs: timeoutMs * TEST_PATIENCE }, signal);
    },
    async check(files, signal) {
      const said: string[] = [];
      for (const job of files.length > 0 ? jobsOf(files) : dedupe([...jobsOf([...changed]), ...jobsAtRoot()])) {
        const outcome = await run(job, signal);
        const lines = outcome.ok ? sayAll(outcome.diagnostics) : [`${job.row.name} ${outcome.problem}`];
        said.push([titleOf(job.row.name), ...(lines.length === 0 ? ['nothing found'] : lines)].join('\n'));
      }
      return said.length === 0 ? 'No checker covers these files, or none is installed.' : said.join('\n');
    },
  };
}

function dedupe(jobs: readonly Job[]): Job[] {
  return [...new Map(jobs.map((job) => [job.key, job])).values()];
}

const isError = ({ level }: Diagnostic): boolean => level === 'error';
const titleOf = (name: string): string => `--- ${name} verifier ---`;

/** Files named from the root, whatever the checker calls them. */
function named(one: Diagnostic, { folder, root }: Target): Diagnostic {
  return one.file === '' ? one : { ...one, file: relative(root, join(one.file.startsWith('/') ? '' : folder, one.file)) };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
