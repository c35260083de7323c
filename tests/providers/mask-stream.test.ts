// maskStream: no piece of a key is left of a recorded stream, whichever API's and however it was cut.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMask } from '../../src/lib/mask.ts';
import { maskStream } from '../../src/providers/mask-stream.ts';
import { sseBytes, type Api } from '../helpers/sse-bytes.ts';

const SECRET = 'canary-0123456789-abcdef-xyz';
const mask = createMask([SECRET]);

test.each<Api>(['messages', 'responses', 'chat'])('%s: text, thinking and arguments', (api) => {
  const body = sseBytes(api, { say: [{ thinking: `a ${SECRET} b` }, { text: `c ${SECRET}` }, { call: 'Bash', input: { command: `echo ${SECRET} ${SECRET}` } }] });
  const masked = mask(maskStream(body, mask));
  for (let i = 0; i + 7 < SECRET.length - 4; i += 1) expect(masked).not.toContain(SECRET.slice(i, i + 7));
  expect(masked).toContain('echo ••••');
});

test('pieces of any length', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 3 }), (cuts) => {
    let rest = `before ${SECRET} after`;
    const pieces = cuts.map((cut) => { const piece = rest.slice(0, cut); rest = rest.slice(cut); return piece; });
    const body = [...pieces, rest].map((delta) => `data: ${JSON.stringify({ index: 0, delta })}\n\n`).join('');
    const said = mask(maskStream(body, mask)).split('\n').filter((line) => line.startsWith('data:')).map((line) => (JSON.parse(line.slice(5)) as { delta: string }).delta).join('');
    expect(said).toBe('before ••••-xyz after'.replace('-xyz', mask(SECRET).slice(4)));
  }));
});

test.each(['', 'plain text', '{"a": 1}', 'data: [DONE]\n\n', 'event: x\ndata: {"delta":"nothing"}\n\n', 'data: {broken\n'])('%j stays', (body) => {
  expect(maskStream(body, mask)).toBe(body);
});
