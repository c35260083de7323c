// Random conversations through the real loop and the real wires against strict services: whatever is said, breaks off, is
// cancelled or switched, no request is refused, and the session goes on.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { runTurn } from '../../src/agent/loop.ts';
import { defineTool } from '../../src/tools/define.ts';
import type { Thinking } from '../../src/types/provider.ts';
import type { Tool } from '../../src/types/tool.ts';
import { pairingFaults, testConversation } from '../helpers/conversation.ts';
import type { Answer, Piece } from '../helpers/sse-bytes.ts';
import { startSseServer, type Reply } from '../helpers/sse-server.ts';
import { providerFor } from './wires.ts';

const RUNS = process.env.MEWCODE_LONG ? 400 : 12;

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-random-')));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const PICTURES = [{ mime: 'image/png', base64: 'iVBORw0KGgo=' }, { mime: 'image/svg+xml', base64: 'PHN2Zz4=' }];
const tool = (name: string, run: Tool['run']): Tool => defineTool({ name, description: name, input: z.looseObject({}), title: () => name, access: () => [], run }) as Tool;
const TOOLS: readonly Tool[] = [
  tool('Good', async () => ({ ok: true, text: 'It went well.' })),
  tool('Empty', async () => ({ ok: true, text: '' })),
  tool('Blank', async () => ({ ok: false, text: ' \n' })),
  tool('Picture', async () => ({ ok: true, text: '', images: PICTURES })),
  tool('Broken', async () => { throw new Error('It broke.'); }),
  tool('Slow', (_, { signal }) => new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: true, text: 'At last.' }), 5);
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve({ ok: false, text: 'stopped' }); }, { once: true });
  })),
];

const words = fc.oneof(fc.constantFrom('Yes.', 'I see. ', ' \n', '', 'Grüße 👋🏽\n', '<think>', 'a</think>b', '{"a": 1}'), fc.string({ unit: 'grapheme', maxLength: 20 }));
const thought = fc.constantFrom('Hm.', 'Let me see.\n', 'So it is.');
const call: fc.Arbitrary<Piece> = fc.record({
  call: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...TOOLS.map(({ name }) => name)) }, { weight: 1, arbitrary: fc.constantFrom('no such tool', 'functions.Good', 'ä'.repeat(150)) }),
  input: fc.dictionary(fc.constantFrom('a', 'b c', 'ü'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
});
const broken: fc.Arbitrary<Piece> = fc.constantFrom('{"a": "b', '[1]', '', 'null', '{"a":1}{"b":2}', '{ "a" : 1 }').map((raw) => ({ call: 'Good', raw }));
const piece = fc.oneof({ weight: 3, arbitrary: words.map((text) => ({ text })) }, { weight: 3, arbitrary: thought.map((thinking) => ({ thinking })) }, { weight: 1, arbitrary: fc.constant({ redacted: 'secret' }) }, { weight: 5, arbitrary: call }, { weight: 1, arbitrary: broken });

const spoken: fc.Arbitrary<Reply> = fc.record({
  say: fc.array(piece, { maxLength: 5 }),
  stop: fc.oneof({ weight: 8, arbitrary: fc.constant<Answer['stop']>(undefined) }, { weight: 1, arbitrary: fc.constantFrom<Answer['stop']>('max_tokens', 'refusal', 'pause') }),
  fault: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'reset' as const, 'stall' as const), before: fc.double({ min: 0, max: 1, noNaN: true }) }) }),
}).map(({ say, stop, fault }) => ({ say, ...(stop && { stop }), ...(fault && { fault }) }));
const reply: fc.Arbitrary<Reply> = fc.oneof({ weight: 10, arbitrary: spoken }, { weight: 1, arbitrary: fc.constantFrom<Reply>({ status: 529 }, { status: 500 }, { status: 400, body: { error: { message: 'No.' } } }) });

const BACKENDS = {
  messages: { protocol: 'anthropic', model: 'claude-opus-5-5' },
  budget: { protocol: 'anthropic', model: 'claude-haiku-4-5' },
  responses: { protocol: 'openai', model: 'gpt-6.2-sol' },
  chat: { protocol: 'deepseek', model: 'deepseek-flash' },
} as const;
type Backend = keyof typeof BACKENDS;

/** A turn: its replies in order (past them an answer that ends it), what is queued, and after how many events it is cancelled. */
const turn = (backends: readonly Backend[]) => fc.record({
  backend: fc.constantFrom(...backends),
  thinking: fc.constantFrom<Thinking>('auto', 'auto', 'auto', { effort: 'low' }, { budget: 2_000 }),
  replies: fc.array(reply, { maxLength: 5 }),
  queue: fc.array(fc.constantFrom('And this.', 'Stop that.'), { maxLength: 1 }),
  cancelAfter: fc.option(fc.nat({ max: 40 }), { nil: undefined, freq: 2 }),
});
type Turn = ReturnType<typeof turn> extends fc.Arbitrary<infer T> ? T : never;

async function converse(turns: readonly Turn[]): Promise<void> {
  let replies: Reply[] = [];
  let running = new AbortController();
  const server = await startSseServer({
    strict: true,
    replies: () => {
      const next = replies.shift() ?? { say: [{ text: 'That is all.' }] };
      // Silence ends only with a cancel, of the turn that met it.
      const asking = running;
      if ('fault' in next && next.fault?.kind === 'stall') setTimeout(() => asking.abort(), 10);
      return next;
    },
  });
  try {
    const t = testConversation({ cwd, tools: TOOLS, steps: [], mode: 'bypassPermissions', maxRounds: 12, answer: () => ({ kind: 'allow' }) });
    const last: Turn = { backend: turns.at(-1)?.backend ?? 'messages', thinking: 'auto', replies: [], queue: [], cancelAfter: undefined };
    const providers = Object.fromEntries(await Promise.all(Object.entries(BACKENDS).map(async ([name, { protocol, model }]) => [name, await providerFor(protocol, server.url, { model })] as const)));
    for (const { backend, thinking, replies: script, queue, cancelAfter } of [...turns, last]) {
      const provider = providers[backend];
      if (!provider) throw new Error(`no ${backend}`);
      const controller = new AbortController();
      running = controller;
      replies = [...script];
      t.queue.push(...queue);
      const from = t.events.length;
      const voice = { ...t.conversation.voice, emit: (event: Parameters<typeof t.conversation.voice.emit>[0]) => { t.conversation.voice.emit(event); if (cancelAfter !== undefined && t.events.length - from > cancelAfter) controller.abort(); } };
      const why = await runTurn({ ...t.conversation, voice, provider: () => provider, thinking, maxTokens: 8_000 }, ['Go on.'], controller.signal);
      expect(server.faults).toEqual([]);
      if (script === last.replies) expect(why).toBe('end');
    }
    expect(pairingFaults(t.state().messages.filter(({ role }) => role !== 'user'))).toEqual([]);
  } finally {
    await server.close();
  }
}

const property = (backends: readonly Backend[]) => fc.assert(fc.asyncProperty(fc.array(turn(backends), { minLength: 1, maxLength: 5 }), converse), { numRuns: RUNS });

describe('no request is refused', () => {
  test.each(['messages', 'budget', 'responses', 'chat'] as const)('%s', (backend) => property([backend]), 600_000);
  test('with another service every turn', () => property(['messages', 'responses', 'chat', 'budget']), 600_000);
});
