// The house keeps its shape: who may import whom, no cycles, file sizes, and names that must not leak out of their rooms.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** What each room may import besides itself, `types` and `lib`. The same table stands in src/README.md. */
const MAY: Record<string, string[]> = {
  types: [], lib: [],
  config: [], providers: [], tools: [], permissions: [], sandbox: [], context: [], session: [], extend: [], mcp: [], store: [], terminal: [], commands: [],
  agent: ['permissions', 'context'],
  app: ['config', 'providers', 'tools', 'permissions', 'sandbox', 'context', 'session', 'extend', 'mcp', 'store', 'commands', 'agent'],
  ui: ['store'],
  hooks: ['store', 'ui'],
  components: ['store', 'ui', 'hooks'],
  frontends: ['app', 'store', 'ui', 'terminal', 'components'],
  main: ['config', 'app', 'commands', 'frontends'],
};
/** Only by import(), so that nothing of them is loaded before it is needed. */
const LAZY: Record<string, string[]> = { app: ['mcp'], main: ['app', 'commands', 'frontends'] };

type File = { path: string; room: string; text: string; imports: { to: string; lazy: boolean; type: boolean }[] };

const files: File[] = globSync('{src,components,hooks}/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports: File['imports'] = [];
  const add = (pattern: RegExp, lazy: boolean) => {
    for (const match of text.matchAll(pattern)) {
      const target = match[2] ?? '';
      if (target.startsWith('.')) imports.push({ to: normalize(join(dirname(path), target)), lazy, type: match[1] !== undefined });
    }
  };
  add(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]/gm, false);
  add(/^import\s+()?['"]([^'"]+)['"]/gm, false);
  add(/\b(typeof\s+)?import\(\s*['"]([^'"]+)['"]\s*\)/g, true);
  return { path, room: roomOf(path), text, imports };
});

function roomOf(path: string): string {
  const parts = path.split('/');
  if (parts[0] !== 'src') return parts[0] ?? '';
  return parts.length > 2 ? (parts[1] ?? '') : (parts[1] ?? '').replace(/\.tsx?$/, '');
}

const firstLine = (text: string) => text.split('\n').find((line) => !line.startsWith('#!')) ?? '';

const listed = (pattern: RegExp, path: string) => [...readFileSync(join(ROOT, path), 'utf8').matchAll(pattern)].map((match) => match[1] ?? '');

describe('architecture', () => {
  test('every room keeps to the import table', () => {
    const wrong = files.flatMap((file) => file.imports.flatMap(({ to, lazy, type }) => {
      const room = roomOf(to);
      const always = file.room === 'types' ? ['types'] : file.room === 'lib' ? ['lib'] : [file.room, 'types', 'lib'];
      if (always.includes(room)) return [];
      if (!(MAY[file.room] ?? []).includes(room)) return [`${file.path} -> ${to}`];
      if (!lazy && !type && LAZY[file.room]?.includes(room)) return [`${file.path} -> ${to} (only by import())`];
      return [];
    }));
    expect(wrong).toEqual([]);
  });

  test('every file imports files that are there, and stands in a known room', () => {
    const known = new Set(files.map((file) => file.path));
    expect(files.flatMap((file) => file.imports.filter(({ to }) => !known.has(to) && !to.endsWith('.json')).map(({ to }) => `${file.path} -> ${to}`))).toEqual([]);
    expect(files.filter((file) => !(file.room in MAY)).map((file) => file.path)).toEqual([]);
  });

  test('there is no cycle', () => {
    const edges = new Map(files.map((file) => [file.path, file.imports.filter((edge) => !edge.lazy && !(edge.type && file.room === 'types')).map((edge) => edge.to)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]) => {
      if (trail.includes(path)) { cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> ')); return; }
      if (done.has(path)) return;
      for (const to of edges.get(path) ?? []) visit(to, [...trail, path]);
      done.add(path);
    };
    for (const path of edges.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  test('no file is over 400 lines, and nine in ten are under 250', () => {
    const sizes = files.map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }));
    expect(sizes.filter((file) => file.lines > 400)).toEqual([]);
    expect(sizes.filter((file) => file.lines >= 250).length).toBeLessThanOrEqual(Math.ceil(sizes.length / 10));
  });

  test('the first line of each file says what it is for', () => {
    expect(files.filter((file) => !/^\/\/ .{15,}/.test(firstLine(file.text))).map((file) => file.path)).toEqual([]);
  });

  test('there are no default exports and no `any`', () => {
    expect(files.filter((file) => /^export default /m.test(file.text) || /(?::|\bas) any\b/.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  test('no tool is known by name to the store, the screen or the hooks', () => {
    const names = globSync('src/tools/*.ts', { cwd: ROOT }).flatMap((path) => listed(/\bname: '([A-Z]\w+)'/g, path));
    const where = files.filter((file) => ['store', 'ui', 'components', 'hooks'].includes(file.room));
    expect(where.flatMap((file) => names.filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(file.text)).map((name) => `${file.path}: ${name}`))).toEqual([]);
  });

  test('no vendor is known by name to the agent, the context or a wire', () => {
    const vendors = /['"`](anthropic|openai|deepseek|glm|litellm|copilot|mattermost|openrouter|ollama)['"`]/;
    const wires = ['src/providers/anthropic', 'src/providers/openai-responses', 'src/providers/openai-chat'];
    const where = files.filter((file) => ['agent', 'context'].includes(file.room) || wires.some((wire) => file.path.startsWith(wire)));
    const naming = where.flatMap((file) => file.text.split('\n').filter((line) => vendors.test(line) && !line.startsWith('import ')).map((line) => `${file.path}: ${line.trim()}`));
    expect(naming).toEqual([]);
  });
});
