// The demo model: what it understands, how it streams, and that it follows real results; scripts; aborts.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDemo, type DemoOptions } from '../../src/providers/demo.ts';
import { assemble, keptParts, type Live } from '../../src/types/assemble.ts';
import type { Message, Part, ToolCallPart } from '../../src/types/message.ts';
import type { ModelRequest, ProviderEvent } from '../../src/types/provider.ts';

const TOOLS = ['ReadFile', 'WriteFile', 'EditFile', 'Bash', 'Glob', 'Grep', 'LS', 'TodoWrite', 'mcp_weather_today'];

const message = (role: Message['role'], parts: Part[], source?: string): Message => ({ id: `m${role}`, role, parts, at: 0, source });
const user = (text: string, source?: string) => message('user', [{ type: 'text', text }], source);

function request(messages: Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'demo', system: ['be kind'], messages, thinking: 'auto', maxTokens: 1_000, sessionId: 's1',
    tools: TOOLS.map((name) => ({ name, description: name, schema: { type: 'object' } })), ...more,
  };
}

async function collect(events: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const all: ProviderEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function partsOf(events: readonly ProviderEvent[]): Part[] {
  return keptParts(events.reduce<Live>(assemble, { id: 'x', parts: [] }));
}

/** Answers of tools, as a table of results by tool name; what is not there succeeds with no text. */
type Results = Record<string, { ok?: boolean; text: string } | ((call: ToolCallPart, nth: number) => { ok?: boolean; text: string })>;

/** Talks to the demo model until it calls nothing; gives its calls, round by round, and its last words. */
async function converse(ask: string, results: Results = {}, options: DemoOptions = {}) {
  const demo = createDemo({ rate: 0, ...options });
  const messages = [user('the date is today', 'reminder'), user(ask)];
  const rounds: string[][] = [];
  for (let nth = 0; nth < 20; nth++) {
    const parts = partsOf(await collect(demo.stream(request(messages), new AbortController().signal)));
    const calls = parts.filter((part) => part.type === 'tool_call');
    if (calls.length === 0) return { rounds, text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n') };
    rounds.push(calls.map((call) => `${call.name} ${JSON.stringify(call.input)}`));
    messages.push(message('assistant', parts), message('tool', calls.map((call) => {
      const result = results[call.name] ?? { text: '' };
      const { ok = true, text } = typeof result === 'function' ? result(call, nth) : result;
      return { type: 'tool_result', callId: call.id, name: call.name, ok, text };
    })), user('a reminder behind the results', 'reminder'));
  }
  throw new Error('the demo model never came to an end');
}

const items = (one: string, two: string) => [`TodoWrite ${JSON.stringify({ items: [
  { content: 'look', status: one, active_form: 'look' }, { content: 'write', status: two, active_form: 'write' },
] })}`];

const script = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'demo-')), 'script.yaml');
  writeFileSync(path, text);
  return path;
};

describe('requests', () => {
  test.each<[ask: string, calls: string[]]>([
    ['read package.json', ['ReadFile {"path":"package.json"}']],
    ['Please read the file `src/a b.ts`.', ['ReadFile {"path":"src/a b.ts"}']],
    ['read a.ts and b.ts', ['ReadFile {"path":"a.ts"}', 'ReadFile {"path":"b.ts"}']],
    ['show me a.ts, b.ts, and c.ts', ['ReadFile {"path":"a.ts"}', 'ReadFile {"path":"b.ts"}', 'ReadFile {"path":"c.ts"}']],
    ['list', ['LS {"path":"."}']],
    ['list files in src', ['LS {"path":"src"}']],
    ['ls src/types', ['LS {"path":"src/types"}']],
    ['find files *.md', ['Glob {"pattern":"**/*.md"}']],
    ['find package.json', ['Glob {"pattern":"**/*package.json*"}']],
    ['find all files named notes in docs', ['Glob {"pattern":"**/*notes*","path":"docs"}']],
    ['search for TODO in src', ['Grep {"pattern":"TODO","path":"src"}']],
    ['grep "a.b(c)"', ['Grep {"pattern":"a\\\\.b\\\\(c\\\\)"}']],
    ['where is countTokens?', ['Grep {"pattern":"countTokens"}']],
    ['create notes.md with three lines', ['WriteFile {"path":"notes.md","content":"Line 1 of notes.md.\\nLine 2 of notes.md.\\nLine 3 of notes.md.\\n"}']],
    ['create a file docs/x.txt with "hello there"', ['WriteFile {"path":"docs/x.txt","content":"hello there\\n"}']],
    ['write a.txt: one\\ntwo', ['WriteFile {"path":"a.txt","content":"one\\ntwo\\n"}']],
    ['run ls -la', ['Bash {"command":"ls -la"}']],
    ['run `if true; then echo a; fi`', ['Bash {"command":"if true; then echo a; fi"}']],
    ['$ echo hi', ['Bash {"command":"echo hi"}']],
    ['call mcp_weather_today {"city": "Bern"}', ['mcp_weather_today {"city":"Bern"}']],
    ['use the tool mcp_weather_today', ['mcp_weather_today {}']],
  ])('%s', async (ask, calls) => {
    expect((await converse(ask)).rounds).toEqual([calls]);
  });

  test.each(['help', 'hello', 'think about tea', 'long answer', 'what is the meaning of life', ''])('%j needs no tool', async (ask) => {
    const { rounds, text } = await converse(ask);
    expect(rounds).toEqual([]);
    expect(text).toMatch(/\w/);
  });

  test('help lists only what is understood', async () => {
    const { text } = await converse('help');
    const examples = [...text.matchAll(/^- `(.+)`$/gm)].flatMap((match) => match[1] ?? []);
    expect(examples.length).toBeGreaterThan(10);
    for (const example of examples.filter((example) => !example.startsWith('fail'))) {
      expect((await converse(example)).text, example).not.toContain('understand only plain requests, so');
    }
  });

  test('any text at all gets one ending', async () => {
    await fc.assert(fc.asyncProperty(fc.string(), async (ask) => {
      const events = await collect(createDemo({ rate: 0 }).stream(request([user(ask)]), new AbortController().signal));
      expect(events.filter((event) => event.type === 'end' || event.type === 'error')).toEqual([events.at(-1)]);
    }));
  });
});

describe('answers come from the results', () => {
  test('a read file is quoted', async () => {
    const { text } = await converse('read a.ts', { ReadFile: { text: '     1\tconst a = 1;\n     2\t\n     3\tconst b = 2;' } });
    expect(text).toBe('`a.ts` has 3 lines:\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```');
  });

  test('of parallel reads each is told, the failed one too', async () => {
    const { text } = await converse('read a.md and b.md', {
      ReadFile: (call) => (JSON.stringify(call.input).includes('a.md') ? { text: '     1\thello' } : { ok: false, text: 'There is no b.md.' }),
    });
    expect(text).toBe('`a.md` has 1 line:\n\n```md\nhello\n```\n\nI could not read `b.md`: There is no b.md.');
  });

  test('a change reads first, counts the places, then edits', async () => {
    const file = { text: '     1\told and old\n     2\tnew' };
    expect(await converse('replace "old" with "newer" in a.txt', { ReadFile: file })).toEqual({
      rounds: [['ReadFile {"path":"a.txt"}'], ['EditFile {"path":"a.txt","old_string":"old","new_string":"newer","replace_all":true}']],
      text: 'I replaced `old` with `newer` in `a.txt`, in 2 places.',
    });
    expect(await converse('change gone to here in a.txt', { ReadFile: file })).toEqual({
      rounds: [['ReadFile {"path":"a.txt"}']],
      text: '`gone` does not occur in `a.txt`, so I changed nothing.',
    });
  });

  test('an existing file is read before it is written over', async () => {
    expect((await converse('create a.txt with hello', {
      WriteFile: (_call, nth) => (nth === 0 ? { ok: false, text: 'a.txt exists. Read it before replacing it.' } : { text: 'written' }),
    }))).toEqual({
      rounds: [['WriteFile {"path":"a.txt","content":"hello\\n"}'], ['ReadFile {"path":"a.txt"}'], ['WriteFile {"path":"a.txt","content":"hello\\n"}']],
      text: 'I wrote `a.txt`.',
    });
  });

  test('a denied call is said to be denied, and nothing more is tried', async () => {
    expect(await converse('create a.txt with hello, then run ls', { WriteFile: { ok: false, text: 'The user denied this call.' } })).toEqual({
      rounds: [['WriteFile {"path":"a.txt","content":"hello\\n"}']],
      text: 'That was not allowed, so I stop here. I was told: The user denied this call.',
    });
  });

  test('a todo list is worked through', async () => {
    const { rounds, text } = await converse('todo: look, write');
    expect(rounds).toEqual([items('in_progress', 'pending'), items('completed', 'in_progress'), items('completed', 'completed')]);
    expect(text).toBe('All 2 steps are done.');
  });

  test('requests joined by "then" are done in turn', async () => {
    expect(await converse('create n.txt with hi, then run cat n.txt', { Bash: { text: 'hi\n' } })).toEqual({
      rounds: [['WriteFile {"path":"n.txt","content":"hi\\n"}'], ['Bash {"command":"cat n.txt"}']],
      text: '`cat n.txt` says:\n\n```\nhi\n```',
    });
  });

  test('attached text is looked at', async () => {
    expect((await converse('explain\n\n<stdin>\none\ntwo\n</stdin>')).text).toBe('The attached text has 2 lines and 7 characters. It begins:\n\n```\none\ntwo\n```');
  });

  test('a tool that was not given is not called', async () => {
    const demo = createDemo({ rate: 0 });
    const events = await collect(demo.stream(request([user('run ls')], { tools: [] }), new AbortController().signal));
    expect(partsOf(events)).toEqual([{ type: 'text', text: 'That takes the tool `Bash`, which I was not given.' }]);
  });
});

describe('the stream', () => {
  test('thinking, then the call, then usage and the end', async () => {
    expect(await collect(createDemo({ rate: 0 }).stream(request([user('run ls')]), new AbortController().signal))).toEqual([
      { type: 'part_start', index: 0, part: 'thinking' },
      { type: 'part_delta', index: 0, delta: 'A command is wanted: ls' },
      { type: 'part_end', index: 0 },
      { type: 'part_start', index: 1, part: 'tool_call', id: 'demo-1', name: 'Bash' },
      { type: 'part_delta', index: 1, delta: '{"command":"ls"}' },
      { type: 'part_end', index: 1 },
      { type: 'usage', usage: { input: expect.any(Number), cacheRead: 0, cacheWrite: 0, output: 13, reasoning: 7 }, costUsd: 0 },
      { type: 'end', stop: 'tools' },
    ]);
  });

  test('a word at a time at the rate, and nothing is lost', async () => {
    const waits: number[] = [];
    const demo = createDemo({ rate: 50, wait: async (ms) => { waits.push(ms); } });
    const events = await collect(demo.stream(request([user('hello')]), new AbortController().signal));
    const words = events.flatMap((event) => (event.type === 'part_delta' ? event.delta : []));
    expect(words.slice(0, 3)).toEqual(['Hello.', ' I', ' am']);
    expect(waits.slice(0, 3)).toEqual([20, 20, 20]);
    expect(words.length).toBe(words.join('').split(/\s+/).length);
  });

  test('no thinking where none is wanted', async () => {
    const events = await collect(createDemo({ rate: 0 }).stream(request([user('run ls')], { thinking: 'off' }), new AbortController().signal));
    expect(partsOf(events).map((part) => part.type)).toEqual(['tool_call']);
  });

  test('tools that are found only later cost nothing', async () => {
    const tool = { name: 'LS', description: 'Lists a folder.', schema: { type: 'object' } };
    const [none, later, now] = await Promise.all([[], [{ ...tool, deferred: true }], [tool]].map(async (tools) => {
      const events = await collect(createDemo({ rate: 0 }).stream(request([user('hi')], { tools }), new AbortController().signal));
      return events.find((event) => event.type === 'usage')?.usage.input ?? 0;
    }));
    expect(later).toBe(none);
    expect(now).toBeGreaterThan(none ?? 0);
  });

  test('what was sent before is read from the cache, and ids go on after a resume', async () => {
    const demo = createDemo({ rate: 0 });
    const earlier = message('assistant', [{ type: 'tool_call', id: 'demo-1', name: 'LS', input: {} }, { type: 'tool_call', id: 'demo-2', name: 'LS', input: {} }]);
    const first = await collect(demo.stream(request([earlier, user('run ls')]), new AbortController().signal));
    const second = await collect(demo.stream(request([earlier, user('run ls'), user('run pwd')]), new AbortController().signal));
    const ids = [...first, ...second].flatMap((event) => (event.type === 'part_start' ? (event.id ?? []) : []));
    expect(ids).toEqual(['demo-3', 'demo-4']);
    const [one, two] = [first, second].map((events) => events.find((event) => event.type === 'usage')?.usage);
    expect(two?.cacheRead).toBe(one?.input);
    expect(two?.input).toBeGreaterThan(0);
  });

  test.each([0, 1, 60])('an abort at rate %d ends it at once', async (rate) => {
    const abort = new AbortController();
    const events: ProviderEvent[] = [];
    for await (const event of createDemo({ rate }).stream(request([user('long answer of 100000 words')]), abort.signal)) {
      events.push(event);
      if (event.type === 'part_start') abort.abort();
    }
    expect(events).toEqual([
      { type: 'part_start', index: 0, part: 'thinking' },
      { type: 'error', error: { kind: 'aborted', message: 'The answer was cancelled.' } },
    ]);
  });

  test('an aborted signal gives nothing but the error', async () => {
    const events = await collect(createDemo().stream(request([user('hello')]), AbortSignal.abort()));
    expect(events.at(-1)).toEqual({ type: 'error', error: { kind: 'aborted', message: 'The answer was cancelled.' } });
    expect(events.some((event) => event.type === 'part_delta')).toBe(false);
  });
});

describe('scripts', () => {
  test('the n-th request of a session gets the n-th step', async () => {
    const demo = createDemo({ rate: 0, script: script(`
- thinking: hm
  text: one
  calls: [{name: A, input: {x: 1}}, {name: B, raw_arguments: '{"x": '}]
  usage: {input: 7, output: 3, cache_read: 2}
- text: part
  error: {kind: rate_limit, message: Slow down., status: 429, retry_after_ms: 5}
- {text: cut, stop: max_tokens}
`) });
    const next = (sessionId = 's1') => collect(demo.stream(request([user('whatever')], { sessionId }), new AbortController().signal));
    const first = await next();
    expect(partsOf(first)).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'one' },
      { type: 'tool_call', id: 'demo-1', name: 'A', input: { x: 1 } },
      { type: 'tool_call', id: 'demo-2', name: 'B', input: {}, problem: expect.stringContaining('not valid JSON') },
    ]);
    expect(first.slice(-2)).toEqual([
      { type: 'usage', usage: { input: 7, output: 3, cacheRead: 2, cacheWrite: 0 }, costUsd: 0 },
      { type: 'end', stop: 'tools' },
    ]);
    expect((await next()).at(-1)).toEqual({ type: 'error', error: { kind: 'rate_limit', message: 'Slow down.', status: 429, retryAfterMs: 5 } });
    expect((await next()).at(-1)).toEqual({ type: 'end', stop: 'max_tokens' });
    expect((await next()).at(-1)).toEqual({ type: 'error', error: { kind: 'invalid_request', message: 'The demo script has 3 steps, and one more was asked for. Add a step to it.' } });
    expect(partsOf(await next('s2'))[1]).toEqual({ type: 'text', text: 'one' });
  });

  test.each([
    ['- {txt: a}', /script\.yaml is not a list of steps: 0: .*txt/],
    ['text: a', /the file: /],
    ['- {text: [}', /can't be read/],
  ])('%j is refused with a sentence', async (text, sentence) => {
    const events = await collect(createDemo({ script: script(text) }).stream(request([user('hello')]), new AbortController().signal));
    expect(events).toEqual([{ type: 'error', error: { kind: 'invalid_request', message: expect.stringMatching(sentence) } }]);
  });

  test('a missing script is refused with a sentence', async () => {
    const events = await collect(createDemo({ script: '/no/such/file.yaml' }).stream(request([user('hello')]), new AbortController().signal));
    expect(events).toEqual([{ type: 'error', error: { kind: 'invalid_request', message: expect.stringMatching(/^The demo script \/no\/such\/file.yaml can't be read: ENOENT/) } }]);
  });
});
