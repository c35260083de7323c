// Long conversations through the real app against services that refuse what the real ones refuse: not one request is.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { APIS, configFor, makePlace, startApp, type Place, type Running } from '../helpers/sse-app.ts';
import type { Answer, Piece } from '../helpers/sse-bytes.ts';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';
import { pairingFaults } from '../helpers/conversation.ts';
import type { ChatVendor } from '../helpers/strict-chat.ts';

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'beta\n', 'src/c.ts': 'export const c = 3;\n' };

let server: SseServer | undefined;
let place: Place | undefined;
let running: Running | undefined;
afterEach(async () => {
  await running?.app.close();
  await server?.close();
  place?.remove();
});

/** A service with these replies in turn, and the app over it. */
async function open(api: Pick<(typeof APIS)[number], 'protocol' | 'model'>, replies: readonly Reply[], more = '', model = api.model, vendor?: ChatVendor): Promise<void> {
  server = await startSseServer({ replies, strict: { sealed: true, ...(vendor && { vendor }) } });
  place = makePlace(FILES, configFor(api.protocol, model, server.url, more));
  running = await startApp(place, { answer: (question) => (question.kind === 'permission' && question.title.includes('forbidden') ? { kind: 'deny', note: 'not that one' } : { kind: 'allow' }) });
}

async function resume(append?: string): Promise<void> {
  if (!running || !place) throw new Error('nothing to go on with');
  await running.app.close();
  running = await startApp(place, { resume: true, ...(append !== undefined && { append }) });
}

async function say(text: string): Promise<string> {
  if (!running) throw new Error('not open');
  await running.app.submit(text);
  const ended = running.events.findLast((event) => event.type === 'turn_ended');
  return ended?.type === 'turn_ended' ? (ended.failure ?? ended.why) : 'none';
}

const read = (path: string): Piece => ({ call: 'ReadFile', input: { path } });
const edit = (old_string: string, new_string: string, path = 'a.txt'): Piece => ({ call: 'EditFile', input: { path, old_string, new_string } });
const bash = (command: string): Piece => ({ call: 'Bash', input: { command } });
const hm = (text: string): Piece => ({ thinking: text });
const usage = { input: 500, output: 30 };
const answer = (...say: Piece[]): Answer => ({ say, usage });

/** What must hold when all is over. */
function expectSound(): void {
  expect(server?.faults).toEqual([]);
  expect(pairingFaults((running?.app.state.get().messages ?? []).filter(({ role }) => role !== 'user'))).toEqual([]);
}

describe.each(APIS)('$api', (api) => {
  test('30 rounds: parallel calls, edits, failures, denials, a cancelled turn, a queued prompt, cut answers, a resume', async () => {
    const stop = { messages: 'event: message_stop', responses: 'event: response.completed', chat: '"finish_reason"' }[api.api];
    await open(api, [
      // The first turn: what goes well, and what does not.
      answer(hm('All three.'), { text: 'I read all.' }, read('a.txt'), read('b.txt'), read('src/c.ts')),
      answer(edit('two', 'TWO')),
      answer({ text: 'A failing edit.' }, edit('nowhere', 'x'), read('missing.txt')),
      answer(bash('echo hi; exit 3'), { call: 'Grep', input: { pattern: 'TWO' } }, { call: 'Glob', input: { pattern: '**/*.ts' } }),
      answer({ call: 'NoSuch tool/…', input: { a: 1 } }, { call: 'ReadFile', input: { wrong: true } }),
      answer({ call: 'WriteFile', raw: '{"path": "x.txt", "cont' }),
      answer({ call: 'WriteFile', input: { path: 'forbidden.txt', content: 'no' } }, read('b.txt')),
      answer({ call: 'TodoWrite', input: { items: [{ content: 'Do it', status: 'pending' }] } }),
      answer({ call: 'LS', input: {} }, bash('true')),
      answer({ text: 'Done with that.' }),
      // The second is cancelled while one of two commands runs.
      answer(hm('Slow.'), bash('echo begun; sleep 60'), bash('echo never')),
      // The third and fourth are cancelled in mid-answer: in text, and when nothing but thinking has come.
      { ...answer(hm('So.'), { text: 'This is a half answer' }), fault: { kind: 'stall', before: 'half' } },
      { ...answer(hm('Only thought.'), { text: 'unheard' }), fault: { kind: 'stall', before: 'unheard' } },
      { ...answer(hm('Calls.'), { text: 'Then.' }, read('b.txt'), read('src/c.ts')), fault: { kind: 'stall', before: 'src' } },
      // The fifth has a prompt queued behind a round.
      answer(bash('sleep 0.3')),
      answer({ text: 'Heard.' }),
      // The sixth is cut off at the limit, in text and in a call, and once by the network.
      { ...answer({ text: 'Part one ' }), stop: 'max_tokens' },
      { ...answer({ text: 'part two.' }, { call: 'WriteFile', raw: '{"path":"y.txt","content":"' }), stop: 'max_tokens' },
      { ...answer({ text: 'lost' }, read('a.txt')), fault: { kind: 'cut', before: stop } },
      answer({ text: '  \n' }, edit('TWO', 'three')),
      answer(hm('Nothing to say.')),
      // Taken up again by another process.
      answer(hm('Again.'), read('a.txt'), read('b.txt')),
      answer({ text: 'Yes.' }),
      ...Array.from({ length: 6 }, (_, index): Answer => answer(hm(`Step ${index}.`), read('a.txt'), bash(`echo ${index}`))),
      answer({ text: 'The end.' }),
    ], 'agent:\n  max_rounds: 60\n');
    const { app, when } = running ?? {};
    if (!app || !when) throw new Error('not open');
    expect(await say('begin')).toBe('end');
    when((event) => event.type === 'tool_output', () => app.cancel());
    expect(await say('slow')).toBe('cancelled');
    for (const prompt of ['half', 'thought', 'calls']) {
      // What has come by then is kept: cancel once the service stands still.
      const asked = server?.requests.length ?? 0;
      void server?.request(asked).then(() => setTimeout(() => app.cancel(), 150));
      expect(await say(prompt)).toBe('cancelled');
    }
    when((event) => event.type === 'tool_started', () => void app.submit('and this too'));
    expect(await say('queue')).toBe('end');
    expect(await say('limits')).toBe('end');
    await resume();
    expect(await say('again')).toBe('end');
    expect(await say('more')).toBe('end');
    expectSound();
    expect(server?.requests).toHaveLength(30);
    expect(readFileSync(join(place?.project ?? '', 'a.txt'), 'utf8')).toBe('one\nthree\n');
  });

  test('10 rounds with thinking between calls, some of it empty or redacted', async () => {
    await open(api, [
      answer(hm('First.'), read('a.txt')),
      answer(hm('Second.'), { text: 'I see.' }, hm('Between.'), read('b.txt'), read('src/c.ts')),
      answer({ redacted: 'secret' }, bash('echo 1')),
      answer(hm(''), { text: 'On.' }, bash('echo 2')),
      answer(read('a.txt')),
      answer(hm('Sixth.'), { redacted: 'more' }, { text: 'So.' }, edit('two', '2')),
      answer(hm('That is that.'), { text: 'Done.' }),
      answer(hm('Next.'), read('b.txt')),
      answer(hm('Ninth.'), bash('echo 9')),
      answer({ text: 'Over.' }),
    ]);
    expect(await say('think')).toBe('end');
    await resume();
    expect(await say('think again')).toBe('end');
    expectSound();
    expect(server?.requests).toHaveLength(10);
  });

  test('a session that broke off between calls and results goes on', async () => {
    await open(api, [answer(hm('Two.'), bash('echo begun; sleep 60'), read('b.txt')), answer({ text: 'Where were we?' })]);
    const { app, when } = running ?? {};
    if (!app || !when) throw new Error('not open');
    const began = new Promise<void>((resolve) => when((event) => event.type === 'tool_output', resolve));
    const broken = app.submit('slow');
    await began;
    // The process is gone without a word, and another one reads what was on the disk then.
    const log = join(app.info.sessionDir ?? '', 'events.jsonl');
    const then = readFileSync(log);
    app.cancel();
    await broken;
    await app.close();
    writeFileSync(log, then);
    await resume();
    expect(await say('go on')).toBe('end');
    expectSound();
  });
});

test.each([
  { protocol: 'glm', model: 'glm-5.3', vendor: 'glm' },
  { protocol: 'litellm', model: 'some/model', vendor: 'any' },
  { protocol: 'openai-compatible', model: 'qwen3', vendor: 'any' },
] as const)('a conversation with $protocol', async ({ protocol, model, vendor }) => {
  await open({ protocol, model }, [
    answer(hm('First.'), read('a.txt'), read('b.txt')), answer({ text: 'Odd.' }, { call: 'No such', input: {} }), answer(hm('Third.'), { call: 'WriteFile', raw: '{"a' }), answer({ text: '<think>Inside.</think>So.' }, bash('false')),
    answer({ text: 'Done.' }), answer(hm('Then.'), edit('two', '2')), answer(hm('Fine.'), { text: 'Fine.' }),
  ], '', model, vendor);
  expect(await say('one')).toBe('end');
  await resume();
  expect(await say('two')).toBe('end');
  expectSound();
  expect(server?.requests).toHaveLength(7);
});

test('a session taken up with another system prompt loses its old thinking after one refusal, and goes on', async () => {
  const [api] = APIS;
  if (!api) throw new Error('no API');
  await open(api, [answer(hm('One.'), read('a.txt')), answer(hm('Two.'), { text: 'So.' }), answer(hm('Three.'), read('b.txt')), answer({ text: 'Fine.' })]);
  expect(await say('one')).toBe('end');
  await resume('Be brief.');
  expect(await say('two')).toBe('end');
  expect(server?.faults).toEqual([expect.stringContaining('bound to a different conversation'), expect.stringContaining('bound to a different conversation')]);
  expect(server?.requests).toHaveLength(5);
  expect(JSON.stringify(server?.requests.at(-1)?.body)).toContain('Three.');
});

describe('thinking with a budget', () => {
  const messages = APIS.filter(({ api }) => api === 'messages');
  test.each(messages)('a turn whose first answer had no thinking, and one where only the first has', async (api) => {
    await open(api, [
      answer(hm('Once.'), read('a.txt')), answer(read('b.txt')), answer({ text: 'So.' }),
      answer(read('a.txt')), answer(read('b.txt')), answer({ text: 'Fine.' }),
    ], 'thinking:\n  budget_tokens: 2000\n', 'claude-haiku-4-5');
    expect(await say('one')).toBe('end');
    expect(await say('two')).toBe('end');
    expectSound();
    expect(server?.requests).toHaveLength(6);
  });
});
