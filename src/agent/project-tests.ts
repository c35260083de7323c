// The project's own tests, run before the model may stop.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collect } from '../lib/collect.ts';
import { preview } from '../lib/preview.ts';
import { sentenceOf } from '../types/user-error.ts';

/** What a project is recognised by and what then runs its tests. The first that fits counts. */
const RUNNERS: readonly { name: string; fits(root: string): boolean; argv: readonly string[] }[] = [
  { name: 'cargo test', fits: has('Cargo.toml'), argv: ['cargo', 'test', '-q'] },
  { name: 'npm test', fits: hasTestScript, argv: ['npm', 'test', '--silent'] },
  { name: 'go test', fits: has('go.mod'), argv: ['go', 'test', './...'] },
  { name: 'pytest', fits: (root) => ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some((name) => existsSync(join(root, name))) || /\[tool\.pytest/.test(read(join(root, 'pyproject.toml'))), argv: ['python3', '-m', 'pytest', '-q'] },
];

export type TestRun = { root: string; env: Readonly<Record<string, string>>; wrap(argv: readonly string[], options: { network: boolean }): readonly string[]; timeoutMs: number };

/** Runs them and gives what a failure says, under `--- cargo test ---`; `null` when all pass, none are known or the run was cancelled. */
export async function runProjectTests({ root, env, wrap, timeoutMs }: TestRun, signal: AbortSignal): Promise<string | null> {
  const runner = RUNNERS.find(({ fits }) => fits(root));
  if (!runner) return null;
  const title = `--- ${runner.name} ---`;
  try {
    const { exit, output } = await collect(wrap(runner.argv, { network: false }), { cwd: root, env, signal, timeoutMs, most: MOST_OUTPUT });
    if (exit.aborted || exit.code === 0) return null;
    return `${title}\n${preview(output.trimEnd(), SHOWN)}\n${exit.timedOut ? `Stopped after ${timeoutMs / 1_000} s.` : `Exit code ${exit.code ?? exit.signal}.`}`;
  } catch (error) {
    return `${title}\nThe tests could not be started: ${sentenceOf(error)}`;
  }
}

const MOST_OUTPUT = 4 * 1024 * 1024;
const SHOWN = { head: 2_000, tail: 6_000, errors: 30 };

function has(name: string): (root: string) => boolean {
  return (root) => existsSync(join(root, name));
}

/** What `npm init` writes fails on purpose. */
function hasTestScript(root: string): boolean {
  const [, script] = /"scripts"\s*:\s*\{[^}]*"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(read(join(root, 'package.json'))) ?? [];
  return script !== undefined && !script.includes('no test specified');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
