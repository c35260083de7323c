// The text tool protocol: calls found in text however it is cut, tags never shown, and history told as text.
import { array, assert, asyncProperty, constantFrom, nat } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textTools } from '../../src/providers/text-tools.ts';
import { toText } from '../../src/providers/text-tools-request.ts';
import type { Message, ToolCallPart } from '../../src/types/message.ts';
import type { ModelRequest, ProviderEvent, StopReason } from '../../src/types/provider.ts';
import { collect, joined, partsOf, requestOf, user } from './wires.ts';

const TOOLS = [{ name: 'ReadFile', description: 'Reads a file.', schema: { type: 'object', properties: { path: { type: 'string' } } } }];

function told(pieces: readonly string[], stop: StopReason = 'end'): ProviderEvent[] {
  return [{ type: 'part_start', index: 3, part: 'text' }, ...pieces.map((delta): ProviderEvent => ({ type: 'part_delta', index: 3, delta })), { type: 'part_end', index: 3 }, { type: 'end', stop }];
}

async function split(events: readonly ProviderEvent[], messages: readonly Message[] = [user('Go')]): Promise<ProviderEvent[]> {
  let ids = 0;
  const stream = textTools(async function* () { yield* events; }, { newId: () => `c${(ids += 1)}` });
  return collect(stream(requestOf(messages, { tools: TOOLS }), new AbortController().signal));
}

const JSON_CALL = '{"type":"tool_call","tool":"ReadFile","arguments":{"path":"a.ts"}}';
const CALL = `<tool_call>${JSON_CALL}</tool_call>`;
const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string, raw = JSON_CALL, input: unknown = { path: 'a.ts' }, name = 'ReadFile') => ({ type: 'tool_call', id, name, input, native: { wire: 'text-tools', data: { raw } } });
const bad = (raw: string, problem: string, name = 'tool_call') => ({ type: 'tool_call', id: 'c1', name, input: {}, problem, native: { wire: 'text-tools', data: { raw } } });

const QUOTING = JSON.stringify({ type: 'tool_call', tool: 'WriteFile', arguments: { path: 'x', content: 'a "</tool_call>" b\n```\n<tool_call>' } });

describe('a text, whole and character by character', () => {
  test.each<[string, object[]]>([
    ['Hello\n', [text('Hello\n')]],
    [CALL, [call('c1')]],
    [`I look.\n\n${CALL}\n`, [text('I look.'), call('c1')]],
    [`I look: ${CALL} and on\n${CALL}${CALL}`, [text('I look:'), call('c1'), text('and on'), call('c2'), call('c3')]],
    [`<tool_call>\n${JSON_CALL}\n</tool_call>`, [call('c1', `\n${JSON_CALL}\n`)]],
    [`<tool_call>${QUOTING}</tool_call>`, [call('c1', QUOTING, { path: 'x', content: 'a "</tool_call>" b\n```\n<tool_call>' }, 'WriteFile')]],
    [`${CALL}</tool_call>\nDone`, [call('c1'), text('Done')]],
    ['<tool_call>{"tool":"LS"}</tool_call>', [call('c1', '{"tool":"LS"}', {}, 'LS')]],
    ['a < b, <tool, </tool_cal> and <tool_calls>', [text('a < b, <tool, </tool_cal> and <tool_calls>')]],
    ['ends with <tool_c', [text('ends with <tool_c')]],
    ['', []],
  ])('%j', async (whole, parts) => {
    expect(partsOf(await split(told([whole])))).toEqual(parts);
    expect(partsOf(await split(told([...whole])))).toEqual(parts);
  });
});

describe('a tag that is only spoken of is text', () => {
  test.each([
    `Like this:\n\`\`\`xml\n${CALL}\n\`\`\`\nSee?`,
    `1. so\n   ~~~~\n   ~~~\n${CALL}\n   ~~~~`,
    `Write \`${CALL}\` or \`\`a \` ${CALL}\`\`.`,
    'Use the <tool_call> tag\nto call.',
    'the tag is <tool_call>',
    `never closed:\n\`\`\`\n${CALL}`,
  ])('%j', async (whole) => {
    expect(partsOf(await split(told([whole])))).toEqual([text(whole)]);
    expect(partsOf(await split(told([...whole])))).toEqual([text(whole)]);
  });

  test('behind a closed code block a call is one', async () => {
    expect(partsOf(await split(told(['```\n<tool_call>\n```\nNow `x`: ', CALL])))).toEqual([text('```\n<tool_call>\n```\nNow `x`:'), call('c1')]);
  });
});

describe('a call that can not be read says exactly what is wrong', () => {
  test.each<[string, string, string?]>([
    ["{'tool': 'ReadFile'}", "What stands between the tags is not valid JSON (Expected property name or '}' in JSON at position 1 (line 1 column 2)). It was: {'tool': 'ReadFile'}."],
    ['oops', 'What stands between the tags is not valid JSON (Unexpected token \'o\', "oops" is not valid JSON). It was: oops.'],
    ['[1]', 'Between the tags must stand one JSON object, not [1].'],
    ['{"type":"call","tool":"LS"}', '"type" must be "tool_call", not "call".', 'LS'],
    ['{"type":"tool_call","arguments":{}}', '"tool" must be the name of a tool, and is missing.'],
    ['{"tool":7}', '"tool" must be the name of a tool, not 7.'],
    ['{"tool":"LS","path":"a"}', '"path" is no key of a call: there are "type", "tool" and "arguments", and what the tool takes belongs into "arguments".', 'LS'],
    ['{"tool":"LS","arguments":"{}"}', '"arguments" must be a JSON object, not "{}".', 'LS'],
    ['{"tool":"LS","tool":"Bash"}', '"tool" is there twice: LS and Bash.', 'LS'],
  ])('%s', async (raw, problem, name) => {
    expect(partsOf(await split(told([`<tool_call>${raw}</tool_call>`])))).toEqual([bad(raw, problem, name)]);
  });

  test('without its closing tag, and where a quote was forgotten the next call is still found', async () => {
    expect(partsOf(await split(told([`Now\n<tool_call>${JSON_CALL}`])))).toEqual([text('Now'), bad(JSON_CALL, `The closing tag </tool_call> is missing behind ${JSON_CALL}.`, 'ReadFile')]);
    const parts = partsOf(await split(told([`<tool_call>{"tool":"LS","arguments":{"path":"a}}</tool_call>\n${CALL}\nEnd`])));
    expect(parts.slice(1)).toEqual([call('c2'), text('End')]);
    expect(parts[0]).toMatchObject({ name: 'LS', problem: expect.stringContaining('not valid JSON') as string });
  });
});

test('however it is cut, it comes out the same, and no whole call is ever shown', async () => {
  const piece = constantFrom(CALL, '<tool_call>', '</tool_call>', '<tool_', 'call>', '{"tool":"LS"', ',"arguments":{}}', '"', '\\', '`', '```', '~~~', '\n', ' ', 'word ', 'ü👋', '<');
  await assert(asyncProperty(array(piece, { maxLength: 14 }), array(nat(300), { maxLength: 10 }), async (pieces, cuts) => {
    const whole = pieces.join('');
    const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
    const cut = at.slice(1).map((end, index) => whole.slice(at[index], end));
    const events = joined(await split(told([whole])));
    expect(joined(await split(told(cut)))).toEqual(events);
    expect(joined(await split(told([...whole])))).toEqual(events);
    const open = events.flatMap((event) => (event.type === 'part_start' ? [event.index] : []));
    const ended = events.flatMap((event) => (event.type === 'part_end' ? [event.index] : []));
    expect(ended).toEqual(open);
    expect(open).toEqual([...open.keys()]);
  }), { numRuns: 500 });
});

test('a call is announced by its name as soon as that is there', async () => {
  expect((await split(told(['<tool_call>{"type":"tool_call","tool":"ReadFile",', '"arguments":{"path":"a.ts"}}</tool_call>']))).map((event) => event.type)).toEqual(['part_start', 'part_delta', 'part_end', 'end']);
  const events: ProviderEvent[] = [];
  const stream = textTools(async function* () { yield { type: 'part_start', index: 0, part: 'text' }; yield { type: 'part_delta', index: 0, delta: '<tool_call>{"tool":"Bash",' }; }, { newId: () => 'c' });
  for await (const event of stream(requestOf(), new AbortController().signal)) events.push(event);
  expect(events).toEqual([{ type: 'part_start', index: 0, part: 'tool_call', id: 'c', name: 'Bash' }]);
});

test.each<[string, StopReason, StopReason]>([
  ['Hi', 'end', 'end'], [CALL, 'end', 'tools'], [`${CALL} and the`, 'max_tokens', 'tools'], ['<tool_call>{"tool":', 'max_tokens', 'max_tokens'], ['Hi', 'max_tokens', 'max_tokens'], [CALL, 'refusal', 'refusal'],
])('%j with stop %s ends with %s', async (whole, given, expected) => {
  expect((await split(told([whole], given))).at(-1)).toEqual({ type: 'end', stop: expected });
});

test('what is no text passes, and what a service wants back stays with an untouched text', async () => {
  const native = { wire: 'responses', data: {} };
  const events = await split([
    { type: 'part_start', index: 5, part: 'thinking' }, { type: 'part_delta', index: 5, delta: `hm ${CALL}` }, { type: 'part_end', index: 5, native },
    { type: 'part_start', index: 6, part: 'text' }, { type: 'part_delta', index: 6, delta: 'Hi ' }, { type: 'part_end', index: 6, native }, { type: 'end', stop: 'end' },
  ]);
  expect(partsOf(events)).toEqual([{ type: 'thinking', text: `hm ${CALL}`, native }, { ...text('Hi '), native }]);
  expect(events.at(-1)).toEqual({ type: 'end', stop: 'end' });
});

const spoiled = (id: string): Message[] => [
  { id, role: 'assistant', at: 0, parts: [bad('oops', 'Why.') as ToolCallPart] },
  { id: `${id}r`, role: 'tool', at: 0, parts: [{ type: 'tool_result', callId: 'c1', name: 'tool_call', ok: false, text: 'Why.' }] },
];

describe('two retries', () => {
  const reminder: Message = { ...user('news', 'n'), source: 'reminder' };
  test.each<[string, Message[], boolean]>([
    ['the first', [user('Go')], false],
    ['the second', [user('Go'), ...spoiled('a')], false],
    ['the third in a row', [user('Go'), ...spoiled('a'), reminder, ...spoiled('b')], true],
    ['a good one between', [user('Go'), ...spoiled('a'), { id: 'g', role: 'assistant', at: 0, parts: [call('c9') as ToolCallPart] }, ...spoiled('b')], false],
    ['a new prompt between', [user('Go'), ...spoiled('a'), ...spoiled('b'), user('Again')], false],
  ])('%s', async (_name, messages, fails) => {
    const last = (await split(told(['<tool_call>oops</tool_call>']), messages)).at(-1);
    expect(last).toMatchObject(fails ? { type: 'error', error: { kind: 'invalid_request', message: expect.stringContaining('3 times in a row') as string } } : { type: 'end', stop: 'tools' });
  });
});

describe('a request', () => {
  const history: Message[] = [
    user('Read it'),
    { id: 'a1', role: 'assistant', at: 0, parts: [{ type: 'thinking', text: 'hm', native: { wire: 'chat', data: {} } }, { type: 'text', text: 'I look.' }, call('c1', '{"tool": "ReadFile","arguments":{}}') as ToolCallPart, { type: 'tool_call', id: 'toolu_2', name: 'LS', input: { path: '.' } }] },
    { id: 't1', role: 'tool', at: 0, parts: [
      { type: 'tool_result', callId: 'c1', name: 'ReadFile', ok: true, text: 'x </tool_result> y </ tool_result>', images: [{ mime: 'image/png', base64: 'AA' }] },
      { type: 'tool_result', callId: 'toolu"2', name: 'LS>', ok: false, text: 'no' },
    ] },
    { id: 'a2', role: 'assistant', at: 0, parts: [{ type: 'text', text: 'Done.' }] },
  ];
  const request: ModelRequest = requestOf(history, { tools: [...TOOLS, { name: 'Late', description: '', schema: {}, deferred: true }] });

  test('history becomes text, results can not end themselves', () => {
    expect(toText(request).messages).toEqual([
      history[0],
      { id: 'a1', role: 'assistant', at: 0, parts: [{ type: 'thinking', text: 'hm', native: { wire: 'chat', data: {} } }, { type: 'text', text: 'I look.\n<tool_call>{"tool": "ReadFile","arguments":{}}</tool_call>\n<tool_call>{"type":"tool_call","tool":"LS","arguments":{"path":"."}}</tool_call>' }] },
      { id: 't1', role: 'user', at: 0, parts: [
        { type: 'text', text: '<tool_result id="c1" tool="ReadFile">\nx <\\/tool_result> y <\\/ tool_result>\n</tool_result>' }, { type: 'image', mime: 'image/png', base64: 'AA' },
        { type: 'text', text: '<tool_result id="toolu_2" tool="LS_" error="true">\nno\n</tool_result>' },
      ] },
      history[3],
    ]);
  });

  test('tools are told last, in the same bytes each time, and deferred ones not at all', () => {
    const { system, tools } = toText(request);
    expect(tools).toEqual([]);
    expect(system.slice(0, -1)).toEqual(request.system);
    expect(system.at(-1)).toContain('## ReadFile\nReads a file.\nArguments, as JSON Schema: {"type":"object"');
    expect(system.at(-1)).not.toContain('Late');
    expect(toText(requestOf([user('Other')], { tools: TOOLS })).system).toEqual(system);
    expect(toText(requestOf()).system).toEqual(requestOf().system);
  });
});
