// What holds for every built-in tool: names, schemas, purity, bounds, cancelling.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { wireName, wireSchema } from '../../src/providers/wire-tools.ts';
import { builtinTools } from '../../src/tools/index.ts';
import type { JsonObject } from '../../src/types/json.ts';
import { sentenceOf } from '../../src/types/user-error.ts';
import { gitIn } from '../helpers/git-repository.ts';
import { rootFaults } from '../helpers/strict-schema.ts';
import { toolContext } from '../helpers/tool-context.ts';

/** Of each tool an input that reads or makes far more than a result may hold, or that takes long. */
const heavy: Record<string, unknown> = {
  ReadFile: { path: 'big.txt', limit: 100_000 },
  WriteFile: { path: 'new.txt', content: 'line\n'.repeat(50_000) },
  ApplyPatch: { patch: `--- /dev/null\n+++ b/patched.txt\n@@ -0,0 +1,50000 @@\n${'+line\n'.repeat(50_000)}` },
  EditFile: { path: 'created.txt', old_string: '', new_string: 'line\n'.repeat(50_000) },
  Bash: { command: 'seq 1 100000; sleep 60', timeout_s: 1 },
  BashOutput: { id: 'bg_1', wait_s: 60 },
  KillBash: { id: 'bg_1' },
  Glob: { pattern: '**', limit: 10_000 },
  Grep: { pattern: 'word', limit: 10_000, context: 5 },
  LS: { depth: 20, limit: 10_000 },
  GitStatus: { limit: 10_000 },
  GitDiff: { limit: 100_000 },
  GitLog: { limit: 1_000, full: true },
  GitBranch: { limit: 1_000 },
  // Nothing of ours is reached by it, whatever listens there.
  WebFetch: { url: 'http://127.0.0.1:9/' },
  TodoRead: {},
  TodoClear: {},
  AskUserQuestion: { questions: [{ question: 'Which?', header: 'Way', options: [{ label: 'this' }, { label: 'that' }] }] },
  MemoryWrite: { title: 'x', text: 'y' },
  SearchMemory: { query: 'x' },
  TodoWrite: { items: Array.from({ length: 2_000 }, (_, n) => ({ content: `step ${n} ${'x'.repeat(100)}`, status: 'pending' })) },
};

const ctx = toolContext();
ctx.put('big.txt', `${'word '.repeat(30)}\n`.repeat(20_000));
for (let n = 0; n < 1_500; n++) ctx.put(`many/${String(n).padStart(4, '0')}-${'x'.repeat(60)}`, '');
const git = gitIn(ctx.root);
git('init', '-q');
git('add', 'big.txt');
git('commit', '-q', '-m', `Big\n\n${'words and more\n'.repeat(5_000)}`);
ctx.put('big.txt', `${'other '.repeat(30)}\n`.repeat(20_000));
git('add', 'many');
afterAll(() => ctx.dispose());

const tools = builtinTools();

test('the order is fixed, the names are unique', () => {
  expect(tools.map(({ name }) => name)).toEqual(['ReadFile', 'WriteFile', 'EditFile', 'ApplyPatch', 'Bash', 'BashOutput', 'KillBash', 'Glob', 'Grep', 'LS', 'GitStatus', 'GitDiff', 'GitLog', 'GitBranch', 'WebFetch', 'TodoWrite', 'TodoRead', 'TodoClear', 'AskUserQuestion', 'MemoryWrite', 'SearchMemory']);
});

test('what a user may edit as plain text, before allowing it', () => {
  expect(Object.fromEntries(tools.flatMap(({ name, editable }) => (editable === undefined ? [] : [[name, editable]])))).toEqual({ Bash: 'command', WriteFile: 'content', ApplyPatch: 'patch' });
});

/** All property names at any depth. */
function keysOf(schema: JsonObject): string[] {
  const inner = Object.values((schema.properties ?? {}) as JsonObject) as JsonObject[];
  const items = schema.items as JsonObject | undefined;
  return [...Object.keys((schema.properties ?? {}) as JsonObject), ...inner.flatMap(keysOf), ...(items ? keysOf(items) : [])];
}

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const parse = () => {
    const parsed = tool.parse(heavy[name]);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.value;
  };

  test('has a name, a description and a schema that every API takes', () => {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(tool.description.length).toBeGreaterThan(40);
    expect(tool.description.length).toBeLessThan(1_024);
    expect(tool.schema).toMatchObject({ type: 'object', additionalProperties: false });
    for (const key of ['$schema', '$ref', '$defs', 'oneOf', 'anyOf', 'allOf', 'not']) expect(JSON.stringify(tool.schema)).not.toContain(`"${key}"`);
    for (const key of keysOf(tool.schema)) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect(JSON.parse(JSON.stringify(tool.schema))).toEqual(tool.schema);
  });

  test('has a schema that goes to all three kinds of services as it is, and means what the tool checks', () => {
    // Anthropic's input_schema, the flat function of Responses and the nested one of Chat Completions hold the very same object.
    expect([wireName(name, 64), wireSchema(tool.schema), rootFaults(tool.schema)]).toEqual([name, tool.schema, { combined: [], noProperties: false }]);
    const meant = z.fromJSONSchema(tool.schema);
    for (const raw of [heavy[name], {}, { ...Object(heavy[name]), surplus: 1 }, [], 'text']) expect([raw, meant.safeParse(raw).success]).toEqual([raw, tool.parse(raw).ok]);
  });

  test('says what it touches and what it is about without touching anything', () => {
    const value = parse();
    const before = JSON.stringify(value);
    expect(tool.access(value, '/no/such/root')).toEqual(tool.access(value, '/no/such/root'));
    expect(tool.access(value, '/no/such/root').length).toBeGreaterThan(0);
    expect(tool.title(value)).not.toMatch(/[\n\r\x1b]/);
    expect(JSON.stringify(value)).toBe(before);
  });

  test('gives a bounded result', async () => {
    expect((await tool.run(parse(), ctx).catch((error: unknown) => ({ text: sentenceOf(error) }))).text.length).toBeLessThanOrEqual(50_000);
  });

  test('ends soon when it is cancelled before and while it runs', async () => {
    for (const wait of [0, 20]) {
      const controller = new AbortController();
      const running = tool.run(parse(), { ...ctx, signal: controller.signal }).then(() => 'ended', () => 'ended');
      if (wait > 0) await sleep(wait);
      controller.abort();
      // Not cancelled, the slowest of them would take a minute.
      expect(await Promise.race([running, sleep(20_000, 'late', { ref: false })])).toBe('ended');
    }
  });
});

test.each([[undefined, 120], [30_000, 30], [9_000_000, 600]])('with %s ms for commands Bash offers %i s', (commandTimeoutMs, seconds) => {
  expect(JSON.stringify(builtinTools({ commandTimeoutMs }).map(({ schema }) => schema))).toContain(`"default":${seconds},`);
});
