// What needs no server: names, results, lines, lists.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { titleOf } from '../../src/mcp/as-tool.ts';
import { contentsOf, promptText, resultOf } from '../../src/mcp/content.ts';
import { cutLines, refusalFor } from '../../src/mcp/lines.ts';
import { fingerprint, listAll, readPrompts, readResources, readTools } from '../../src/mcp/lists.ts';
import { serverPrefixes, toolNames } from '../../src/mcp/names.ts';

describe('names', () => {
  test('stay as they are where they can', () => {
    expect([...serverPrefixes(['github', 'my-server'])]).toEqual([['github', 'mcp_github'], ['my-server', 'mcp_my-server']]);
    expect([...toolNames('mcp_github', ['create_issue', 'get-me'])]).toEqual([['create_issue', 'mcp_github_create_issue'], ['get-me', 'mcp_github_get-me']]);
  });

  test('collisions are numbered, whatever the order: the one that needed no change keeps its name', () => {
    expect([...serverPrefixes(['a.b', 'a_b', 'a b'])].sort()).toEqual([['a b', 'mcp_a_b_2'], ['a.b', 'mcp_a_b_3'], ['a_b', 'mcp_a_b']]);
    expect([...toolNames('mcp_s', ['x.y', 'x_y'])].sort()).toEqual([['x.y', 'mcp_s_x_y_2'], ['x_y', 'mcp_s_x_y']]);
    // `b_c` of server `a` would be `c` of server `a_b`.
    expect([...toolNames('mcp_a', ['b_c', 'd'], ['mcp_a_b'])]).toEqual([['b_c', expect.stringMatching(/^mcp_a_b_c_[0-9a-f]{8}$/)], ['d', 'mcp_a_d']]);
  });

  test('are valid everywhere, different from each other, and do not hang on the order', () => {
    const word = fc.oneof(fc.string({ minLength: 1, maxLength: 90, unit: 'binary' }), fc.constantFrom('a', 'a_b', 'a.b', 'b', 'b_c', 'c', 'x'.repeat(80), `${'x'.repeat(80)}y`));
    fc.assert(fc.property(fc.uniqueArray(word, { maxLength: 5 }), fc.uniqueArray(word, { maxLength: 8 }), (servers, tools) => {
      const all = (order: (list: readonly string[]) => string[]) => {
        const prefixes = serverPrefixes(order(servers));
        return order(servers).flatMap((server) => {
          const prefix = prefixes.get(server) ?? '';
          return [...toolNames(prefix, order(tools), [...prefixes.values()].filter((other) => other !== prefix))].map(([tool, name]) => [server, tool, name] as const);
        });
      };
      const named = all((list) => [...list]);
      for (const [, , name] of named) expect(name).toMatch(/^mcp_[a-zA-Z0-9_-]{1,60}$/);
      expect(new Set(named.map(([, , name]) => name)).size).toBe(named.length);
      const key = (list: typeof named) => list.map((one) => JSON.stringify(one)).sort();
      expect(key(all((list) => list.toReversed()))).toEqual(key(named));
    }));
  });
});

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64');

test.each<[string, object, object]>([
  ['texts', { content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] }, { ok: true, text: 'a\nb' }],
  ['an error', { content: [{ type: 'text', text: 'no' }], isError: true }, { ok: false, text: 'no' }],
  ['an error without words', { isError: true }, { ok: false, text: 'The tool failed without saying why.' }],
  ['nothing', { content: [] }, { ok: true, text: 'The tool gave back nothing.' }],
  ['a picture, called something else', { content: [{ type: 'image', mimeType: 'image/jpg', data: PNG }] }, { ok: true, text: '[an image]', images: [{ mime: 'image/png', base64: PNG }] }],
  ['what is no picture', { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }, { ok: true, text: "[an image (image/png, 1 KB) of a kind that can't be shown]" }],
  ['a picture that is too large', { content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(6_000_000) }] }, { ok: true, text: '[an image (image/png, 4,395 KB) that is too large to be shown]' }],
  ['a sound', { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }] }, { ok: true, text: "[a sound (audio/wav, 1 KB) that can't be played here]" }],
  ['structured content that no text says', { content: [{ type: 'text', text: 'done' }], structuredContent: { a: 1 } }, { ok: true, text: 'done\n{"a":1}' }],
  ['structured content that a text says', { content: [{ type: 'text', text: '{ "a": 1 }' }], structuredContent: { a: 1 } }, { ok: true, text: '{ "a": 1 }' }],
  ['the older shape', { toolResult: [1] }, { ok: true, text: '[1]' }],
  ['a link', { content: [{ type: 'resource_link', uri: 'x://y', name: 'Y', mimeType: 'text/plain' }] }, { ok: true, text: '[resource x://y (Y, text/plain)]' }],
  ['a resource', { content: [{ type: 'resource', resource: { uri: 'x://y', text: 'inside' } }] }, { ok: true, text: '[resource x://y]\ninside' }],
  ['a binary resource', { content: [{ type: 'resource', resource: { uri: 'x://y', mimeType: 'application/zip', blob: 'AAAA' } }] }, { ok: true, text: '[resource x://y: application/zip, 1 KB of binary data]' }],
  ['a kind that nobody knows', { content: [{ type: 'smell', of: 'roses' }, 7] }, { ok: true, text: '{"type":"smell","of":"roses"}\n7' }],
])('a result: %s', (_name, raw, result) => {
  expect(resultOf(raw as Record<string, unknown>)).toEqual(result);
});

test('whatever a server sends is read without harm', () => {
  const keys = fc.constantFrom('type', 'text', 'data', 'mimeType', 'content', 'contents', 'messages', 'resource', 'uri', 'blob', 'name', 'inputSchema', 'arguments', 'annotations', 'execution', 'structuredContent', 'isError', 'role');
  const values = fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'assistant', '');
  const { anything } = fc.letrec((tie) => ({ anything: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), values, fc.array(tie('anything'), { maxLength: 4 }), fc.dictionary(keys, tie('anything'), { maxKeys: 6 })) }));
  fc.assert(fc.property(fc.dictionary(keys, anything, { maxKeys: 6 }), (raw) => {
    for (const { text, images = [] } of [resultOf(raw), contentsOf(raw)]) {
      expect(text.trim()).not.toBe('');
      expect(images).toEqual([]);
    }
    expect(typeof promptText(raw)).toBe('string');
    const items = Object.values(raw);
    for (const tool of readTools(items)) { expect(typeof tool.name).toBe('string'); expect(fingerprint(tool)).toMatch(/^[0-9a-f]{32}$/); }
    readResources(items);
    readPrompts(items);
  }), { numRuns: 300 });
});

test('a tool whose schema is far too deep is left out alone', () => {
  const inputSchema: unknown = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
  expect(readTools([{ name: 'deep', inputSchema }, { name: 'plain' }]).map(({ name }) => name)).toEqual(['plain']);
});

test('what a resource holds', () => {
  expect(contentsOf({ contents: [{ uri: 'x://y', text: 'inside' }] })).toEqual({ ok: true, text: '[resource x://y]\ninside' });
  expect(contentsOf({})).toEqual({ ok: true, text: 'The resource is empty.' });
});

test('lines come whole, however they are cut, and never more than what is allowed is held', () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/[\r\n]/.test(text) && text.isWellFormed()), { maxLength: 20 }), fc.integer({ min: 1, max: 17 }), (lines, size) => {
    const got: string[] = [];
    const take = cutLines({ longest: 40, onLine: (line) => got.push(line), onTooLong: ({ head, tail }) => got.push(head.startsWith(tail.slice(0, 1)) || head !== '' ? 'long' : '') });
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
    expect(got).toEqual(lines.map((line) => (Buffer.byteLength(line) > 40 ? 'long' : line)));
  }));
});

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"content', 'xxx"}]}}', 7],
  ['{"id":7,"jsonrpc":"2.0","result":{', '}}', 7],
  ['{"result":{"content":[{"id":3', '"}]},"jsonrpc":"2.0","id":12}', 12],
  ['{"result":{"content', '"}]},"id":12,"jsonrpc":"2.0"}', 12],
  ['{"jsonrpc":"2.0","method":"x","params":{"id":3', '{"id":4}]}}', undefined],
])('whom an answer that is too long was for: %s … %s', (head, tail, id) => {
  expect(refusalFor({ head, tail }, 1_048_576)?.id).toBe(id);
});

test('a list is asked for page by page, until a page comes again', async () => {
  const pages: Record<string, Record<string, unknown>> = { '': { tools: [1], nextCursor: 'a' }, a: { tools: [2], nextCursor: 'b' }, b: { tools: 'none', nextCursor: 'a' } };
  expect(await listAll(async (cursor) => pages[cursor ?? ''] ?? {}, 'tools')).toEqual([1, 2]);
});

test('a tool is read as far as it can be, and its fingerprint says whether it has changed', () => {
  const tool = { name: 'a', description: 'd', inputSchema: { type: 'object', properties: { x: { type: 'string' } } } };
  const [read] = readTools([tool]);
  if (!read) throw new Error('no tool');
  expect(read).toEqual({ name: 'a', description: 'd', schema: tool.inputSchema, readOnly: false, asTask: false });
  const print = (more: object) => readTools([{ ...tool, ...more }]).map(fingerprint)[0];
  expect(print({ inputSchema: { properties: { x: { type: 'string' } }, type: 'object' }, _meta: { a: 1 } })).toBe(fingerprint(read));
  for (const more of [{ description: 'D' }, { annotations: { readOnlyHint: true } }, { inputSchema: { type: 'object', properties: { x: { type: 'number' } } } }]) expect(print(more)).not.toBe(fingerprint(read));
});

test.each([
  [{ required: ['path'] }, { mode: 'x', path: 'src/a.ts' }, 'src/a.ts'],
  [{}, { count: 3, text: 'hi' }, 'hi'],
  [{}, { count: 3 }, '{"count":3}'],
  [{}, {}, ''],
  [{ required: ['toString'] }, {}, ''],
])('the title of %j with %j', (schema, input, title) => {
  expect(titleOf(schema, input)).toBe(title);
});
