// Opens what the command line asks for: the app, headless output, or one of the short answers; and leaves with its exit code.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Start } from '../app.ts';
import type { Invocation } from '../commands/flags.ts';
import { findPaths, type Paths } from '../config/paths.ts';
import { clean } from '../lib/clean.ts';
import { UserError } from '../types/user-error.ts';
import { leaveOnBugs, reportBug } from './bugs.ts';

/** Does what `argv` says and ends the process. */
export async function enter(argv: readonly string[], version: string): Promise<void> {
  leaveOnBugs();
  let code: number;
  try {
    code = await open(argv, version);
  } catch (error) {
    code = error instanceof UserError ? await refuse(error, argv) : reportBug(error);
  }
  // What was written is on its way when this returns; open connections must not keep a finished program alive.
  process.stdout.write('', () => process.exit(code));
}

async function open(argv: readonly string[], version: string): Promise<number> {
  const { helpText, parseArgv } = await import('../commands/argv.ts');
  const invocation = parseArgv(argv);
  const { door, prompt, format, failOnDenied, renderer } = invocation;
  if (door === 'help') return say(helpText());
  if (door === 'version') return say(`${version}\n`);
  if (door === 'app' && !(process.stdin.isTTY && process.stdout.isTTY)) {
    throw new UserError('This is not a terminal, so there is no screen to draw on.', 'Use mewcode -p "PROMPT" for one answer on stdout.');
  }
  // As --config: counted from where the user stands, not from --cwd.
  const rules = invocation.rules === undefined ? undefined : resolve(invocation.rules);
  const permissions = invocation.permissions?.action === 'test' ? { ...invocation.permissions, files: invocation.permissions.files.map((file) => resolve(file)) } : invocation.permissions;
  const start = prepareStart(invocation, version);
  switch (door) {
    case 'paths':
      return say(describePaths(start.paths));
    case 'config': {
      const { describeConfig } = await import('../config/describe.ts');
      return say(describeConfig(await start.load(start.trust)));
    }
    case 'doctor': {
      const [{ examine }, { doctorCode, doctorText }] = await Promise.all([import('../app/doctor.ts'), import('../commands/doctor.ts')]);
      const checks = await examine(start);
      say(`${doctorText(checks)}\n`);
      return doctorCode(checks);
    }
    case 'auth': {
      const { runAuth } = await import('../app/auth.ts');
      return untilStopped((signal) => runAuth(invocation.auth ?? 'status', start, { signal, out: say }));
    }
    case 'permissions': {
      const { runPermissions } = await import('../app/permissions.ts');
      const { json = false } = invocation;
      return runPermissions(permissions ?? { action: 'list' }, { ...start, json, ...(rules !== undefined && { rules }) }, { stdin: process.stdin, out: say, err: complain });
    }
    case 'mcp': {
      const { runMcp } = await import('../app/mcp-shell.ts');
      const order = invocation.mcp ?? { action: 'help' };
      return untilStopped((signal) => runMcp(order, start, { signal, out: say, err: complain }));
    }
    case 'tools': {
      const { runPrint } = await import('../frontends/print.ts');
      return runPrint({ ...start, session: { kind: 'none' } }, { prompt: '/tools', format, stdin: NOTHING });
    }
    case 'print': {
      const { runPrint } = await import('../frontends/print.ts');
      return runPrint(start, { format, failOnDenied, ...(prompt !== undefined && { prompt }) });
    }
    case 'app': {
      const { runTui } = await import('../frontends/tui.tsx');
      return runTui(start, { renderer, ...(prompt !== undefined && { prompt }) });
    }
  }
}

/** Ctrl-C ends the wait for a login in order, so that nothing half done is kept. */
async function untilStopped(run: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  try {
    return await run(stop.signal);
  } finally {
    process.off('SIGINT', onSignal);
  }
}

/** What the app is started with. Names on the command line count from where the user stands, everything else from `--cwd`. */
function prepareStart({ door, cwd, config, session, trust, settings }: Invocation, version: string): Start {
  const { addDirs, mcpConfig, ...others } = settings;
  const flags = { ...others, ...(mcpConfig !== undefined && { mcpConfig: resolve(mcpConfig) }) };
  const file = config === undefined ? undefined : resolve(config);
  if (file !== undefined && !existsSync(file)) throw new UserError(`There is no configuration file ${file}.`);
  const folders = addDirs.map((folder) => checkFolder('--add-dir', folder));
  if (cwd !== undefined) process.chdir(checkFolder('--cwd', cwd));
  const { env } = process;
  const paths = findPaths({ cwd: process.cwd(), env });
  return {
    async load(trusted, choice, scope) {
      const { loadConfig } = await import('../config/load.ts');
      return loadConfig({ cwd: paths.cwd, env, home: paths.home, flags: choice ? { ...flags, provider: choice.provider, model: choice.model } : flags, trusted, ...scope, ...(file !== undefined && { file }) });
    },
    paths, env, version, trust, session, headless: door !== 'app', addDirs: folders,
  };
}

function checkFolder(flag: string, path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UserError(`${flag}: there is no folder ${resolve(path)}.`);
  return resolve(path);
}

/** One line for each file and folder that MewCode may read or write here. */
function describePaths(paths: Paths): string {
  const rows = Object.entries(paths).flatMap(([name, value]) => (typeof value === 'boolean' ? [] : [value].flat().map((path) => [name, path] as const)));
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, path]) => `${name.padEnd(width)}  ${path}${existsSync(path) ? '' : '  (not there)'}\n`).join('');
}

/** Names of files, folders and settings stand in all of it: to a terminal only cleaned text goes, a pipe gets it as it is. */
function say(text: string): number {
  process.stdout.write(process.stdout.isTTY ? clean(text) : text);
  return 0;
}

function complain(text: string): void {
  process.stderr.write(clean(text));
}

/** A mistake of the user: a sentence, and an object for those who wait for one. */
async function refuse(error: UserError, argv: readonly string[]): Promise<number> {
  complain(`mewcode: ${error.text}\n`);
  if (/--output-format[= ]json/.test(argv.join(' '))) {
    const { reportOfNothing } = await import('../frontends/print-report.ts');
    process.stdout.write(`${JSON.stringify(reportOfNothing(error.text))}\n`);
  }
  return 2;
}

const NOTHING = Object.assign((async function* none(): AsyncIterable<Uint8Array> {})(), { isTTY: true });
