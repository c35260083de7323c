// The same conversations against a model server that others wrote, and what becomes of them when it misbehaves.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock, type ChaosConfig, type FixtureOpts } from '@copilotkit/aimock';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { runTurn } from '../../src/agent/loop.ts';
import { builtinTools } from '../../src/tools/index.ts';
import type { AgentEvent } from '../../src/types/event.ts';
import { pairingFaults, testConversation, type TestConversation } from '../helpers/conversation.ts';
import { APIS } from '../helpers/sse-app.ts';
import { strictFor } from '../helpers/strict-for.ts';
import { providerFor } from './wires.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-aimock-')));
writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n');
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

let mock: LLMock | undefined;
afterEach(() => mock?.stop());

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });
const ROUNDS = [
  { reasoning: 'Both of them.', content: 'I look.', toolCalls: [call('ReadFile', { path: 'a.txt' }), call('Glob', { pattern: '*' })] },
  { content: 'It fails now.', toolCalls: [call('ReadFile', { path: 'missing.txt' })] },
  { reasoning: 'Once more.', toolCalls: [call('Grep', { pattern: 'two' }), call('NoSuchTool', {}), call('LS', {})] },
];
const LAST = { reasoning: 'That is it.', content: 'Grüße: all done 👋🏽' };

type Session = TestConversation & { faults: string[]; say(text: string): Promise<string> };

/** A server that goes through the rounds once for each prompt, and a session with it. */
async function open({ api, protocol, model }: (typeof APIS)[number], options: FixtureOpts = {}): Promise<Session> {
  mock = new LLMock({ port: 0, logLevel: 'silent', chunkSize: 5 });
  mock.on({ predicate: () => true }, ({ messages }) => {
    const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
    // It splits an answer's calls over messages of its own in one API: their number says which round it is.
    const called = since.reduce((sum, { tool_calls: calls = [] }) => sum + calls.length, 0);
    return ROUNDS.find((_, index) => called === ROUNDS.slice(0, index).reduce((sum, { toolCalls }) => sum + toolCalls.length, 0)) ?? LAST;
  }, options);
  await mock.start();
  const judge = strictFor(api);
  const faults: string[] = [];
  const judged: typeof fetch = (input, init) => {
    faults.push(...judge.check(JSON.parse(String(init?.body))));
    return fetch(input, init);
  };
  const provider = await providerFor(protocol, `${mock.url}/v1`, { model }, { fetch: judged });
  const t = testConversation({ cwd, tools: builtinTools(), steps: [], answer: () => ({ kind: 'allow' }) });
  const conversation = { ...t.conversation, provider: () => provider, maxTokens: 8_000 };
  return { ...t, faults, say: (text) => runTurn(conversation, [text], new AbortController().signal) };
}

const texts = ({ state }: Session): string[] => state().messages.filter(({ role }) => role === 'assistant').flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
const notices = (events: readonly AgentEvent[]): string[] => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
const sound = ({ state }: Session): void => expect(pairingFaults(state().messages.filter(({ role }) => role !== 'user'))).toEqual([]);

describe.each(APIS)('$api', (api) => {
  test('three turns with parallel calls, failures and thinking, and nothing sent that the real service would refuse', async () => {
    const session = await open(api);
    for (const prompt of ['one', 'two', 'three']) expect(await session.say(prompt)).toBe('end');
    expect(texts(session)).toEqual(Array.from({ length: 3 }, () => ['I look.', 'It fails now.', LAST.content]).flat());
    sound(session);
    const requests = mock?.getRequests() ?? [];
    expect(requests.map(({ response }) => response.status)).toEqual(Array.from({ length: 12 }, () => 200));
    // What it signs and numbers itself is nothing that our judge could know.
    expect(session.faults.filter((fault) => !/signature|encrypted content|not found/.test(fault))).toEqual([]);
  });

  test.each<[string, ChaosConfig, RegExp]>([
    ['drops every request', { dropRate: 1 }, /failed to answer \(status 500\).*\(4 tries\)$/],
    ['sends garbage', { malformedRate: 1 }, /(unreadable|not with a stream)/],
    ['limits the rate', { rateLimitRate: 1 }, /limits how often it may be asked.*\(4 tries\)$/],
    ['hangs up', { disconnectRate: 1 }, /broke off.*\(4 tries\)$/],
  ])('a server that %s: one clear sentence, and the session lives', async (_, chaos, sentence) => {
    const session = await open(api);
    mock?.setChaos(chaos);
    expect(await session.say('one')).toBe('error');
    expect(notices(session.events)).toEqual([expect.stringMatching(sentence)]);
    mock?.clearChaos();
    expect(await session.say('two')).toBe('end');
    expect(texts(session).at(-1)).toBe(LAST.content);
    sound(session);
  });

  test('a server that hangs up in mid-answer', async () => {
    const session = await open(api, { truncateAfterChunks: 3 });
    expect(await session.say('one')).toBe('error');
    expect(notices(session.events)).toEqual([expect.stringMatching(/broke off.*\(4 tries\)$/)]);
    expect(texts(session)).toEqual([]);
    sound(session);
  });

  test('a server that does now this, now that, and is slow', async () => {
    const session = await open(api);
    mock?.setChaos({ dropRate: 0.2, malformedRate: 0.1, disconnectRate: 0.3, rateLimitRate: 0.2, latencyMs: 2 });
    for (let turn = 0; turn < 10; turn += 1) expect(['end', 'error']).toContain(await session.say(`turn ${turn}`));
    expect(notices(session.events).filter((text) => !/^\S.* .*[.)]$/s.test(text))).toEqual([]);
    mock?.clearChaos();
    expect(await session.say('last')).toBe('end');
    sound(session);
  });
});
