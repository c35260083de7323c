// What else in a project would run something: hooks, scripts of skills, shell in custom commands, modes of agents.
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isBlock } from './merge.ts';
import type { Paths } from './paths.ts';
import { clip, hashOf, type Steering } from './trust.ts';

/** Folders that hold extensions: ours and those of other tools. */
const HOLDERS = ['.mewcode', '.claude', '.agents'];
/** More than anybody has; what is behind them is not used either. */
const MOST_FILES = 2_000;
const DEEPEST = 6;
/** Of a larger file this much and its size are looked at. */
const LARGEST = 4 * 1024 * 1024;

const SCRIPT = /\.(sh|bash|zsh|fish|py|rb|pl|php|js|mjs|cjs|ts|mts|lua|ps1|bat|cmd|exe|jar)$/i;

type Found = { path: string; runs: boolean };

/** The files that would run something, each with a line for what it is. */
export async function steeringExtensions(paths: Paths): Promise<Steering[]> {
  if (!paths.hasProject) return [];
  const found: Steering[] = [];
  const add = (path: string, why: (text: string) => readonly string[] | Promise<readonly string[]>) => collect(found, path, why);
  for (const { path } of filesBelow(join(paths.projectDir, 'hooks'))) await add(path, () => [`hook ${clip(basename(path))} (a program that is run on events)`]);
  for (const name of ['settings.json', 'settings.local.json']) await add(join(paths.root, '.claude', name), hooksOf);
  for (const holder of HOLDERS) {
    const base = holder === '.mewcode' ? paths.projectDir : join(paths.root, holder);
    for (const { path, runs } of filesBelow(join(base, 'skills'))) {
      const name = clip(relative(join(base, 'skills'), path));
      await add(path, (text) => (path.endsWith('.md') ? powersOf(text, `skill ${name}`) : runs ? [`skill ${name} (a script that the model may be told to run)`] : []));
    }
    for (const { path } of filesBelow(join(base, 'commands'))) if (path.endsWith('.md')) await add(path, (text) => powersOf(text, `command /${clip(relative(join(base, 'commands'), path).slice(0, -3).replaceAll('/', ':'))}`));
    for (const { path } of filesBelow(join(base, 'agents'))) if (path.endsWith('.md')) await add(path, (text) => powersOf(text, `agent ${clip(basename(path, '.md'))}`));
  }
  return found;
}

async function collect(found: Steering[], path: string, why: (text: string) => readonly string[] | Promise<readonly string[]>): Promise<void> {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info?.isFile()) return;
  const bytes = readHead(path, Math.min(info.size, LARGEST));
  const whole = bytes !== undefined && bytes.length === info.size;
  const text = bytes?.toString('utf8') ?? '';
  const lines = await why(text);
  // What can't be read whole may be run all the same: then another time or size is another file.
  if (lines.length > 0) found.push({ path, hash: hashOf(`${bytes?.toString('latin1') ?? ''}${whole ? '' : ` ${info.size} ${info.mtimeMs}`}`), why: lines, ...(whole && { text }) });
}

function readHead(path: string, length: number): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Regular files at any depth, links followed; `runs` where one is executable or has the name of a script. */
function filesBelow(folder: string, depth = 0): Found[] {
  let names: string[];
  try {
    names = readdirSync(folder).toSorted();
  } catch {
    return [];
  }
  const files = names.flatMap((name): Found[] => {
    const path = join(folder, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info?.isDirectory()) return depth < DEEPEST ? filesBelow(path, depth + 1) : [];
    return info?.isFile() ? [{ path, runs: (info.mode & 0o111) !== 0 || SCRIPT.test(name) }] : [];
  });
  return files.slice(0, MOST_FILES);
}

/** Hooks as other tools have them: `{hooks: {EVENT: [{hooks: [{command}]}]}}`. */
async function hooksOf(text: string): Promise<string[]> {
  const { peek } = await import('./check.ts');
  const settings = peek(text);
  const hooks = isBlock(settings) ? settings['hooks'] : undefined;
  if (!isBlock(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) => commandsIn(groups).map((command) => `hook ${clip(event)}: ${clip(command)} (a program that is run on events)`));
}

function commandsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (!isBlock(value)) return [];
  return [...(typeof value['command'] === 'string' ? [value['command']] : []), ...commandsIn(value['hooks'])];
}

/** Keys of a front matter that give more than a prompt does. */
const POWERS = ['allowed-tools', 'permission_mode', 'permissionMode', 'hooks', 'mcpServers'];

/** What a Markdown file of ours may do besides being read: keys of its front matter, and shell in its body. */
async function powersOf(text: string, name: string): Promise<string[]> {
  const [, front = '', body = text] = /^\uFEFF?---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n([^]*))?$/.exec(text) ?? [];
  const shell = [...body.matchAll(/!`([^`\n]+)`/g)].map(([, command = '']) => `${name}: ${clip(command)} (shell that is run when it is used)`);
  if (front === '') return shell;
  const { peek } = await import('./check.ts');
  const keys = peek(front);
  const powers = isBlock(keys) ? POWERS.flatMap((key) => (keys[key] == null ? [] : [`${name}: ${key}: ${clip(typeof keys[key] === 'string' ? keys[key] : JSON.stringify(keys[key]))} (more may happen without asking)`])) : [];
  return [...powers, ...shell];
}
