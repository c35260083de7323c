// What MCP servers ask of the user and of the model, through the whole program: over a real server, and one that asks too much.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolResultPart } from '../../src/types/message.ts';
import type { Answer, Question } from '../../src/types/question.ts';
import { makeWorld, openApp, type Opened } from '../helpers/start-app.ts';
import { fromNpm, until } from '../mcp/servers.ts';

const ASKING = join(import.meta.dirname, '../fixtures/mcp/asking.mjs');

/** Opens the app with a server `s`, and the demo model that calls (with `text` in its first answer) and then says `said`. Requests of servers begin at the first step, too. */
async function open(server: readonly string[], calls: readonly { name: string; input: object }[], { answer = () => ({ kind: 'dismissed' }), said = [], text, more = '' }: { answer?(question: Question): Answer | Promise<Answer>; said?: readonly object[]; text?: string; more?: string } = {}): Promise<Opened & { asked: Question[]; results(): ToolResultPart[] }> {
  const world = makeWorld();
  const args = server.map((arg) => JSON.stringify(arg)).join(', ');
  world.write(`protocol: demo\nmcp_servers:\n  s: {command: ${JSON.stringify(process.execPath)}, args: [${args}]${more}}\n`);
  writeFileSync(join(world.home, 'permissions.yaml'), 'allow: [mcp_s_*]\n');
  const script = join(world.home, 'script.yaml');
  writeFileSync(script, JSON.stringify([...calls.map((call, at) => ({ calls: [call], ...(at === 0 && text !== undefined && { text }) })), ...said, { text: 'Done.' }]));
  const asked: Question[] = [];
  const opened = await openApp(world, { env: { MEWCODE_DEMO_SCRIPT: script, MEWCODE_BROWSER: 'none' }, answer: ((question: Question) => { asked.push(question); return answer(question); }) as (question: Question) => Answer });
  await until(() => opened.app.state.get().mcp.some(({ state }) => state === 'ready'));
  return { ...opened, asked, results: () => opened.events.flatMap((event) => (event.type === 'part' && event.part.type === 'tool_result' ? [event.part] : [])) };
}

/** The answers that the asking server got, by call. */
const got = (results: readonly ToolResultPart[]): unknown[] => results.map(({ text }) => JSON.parse(text) as unknown);
const ask = (requests: readonly object[], more: object = {}) => ({ name: 'mcp_s_ask', input: { requests, ...more } });
const form = (message = 'Who are you?') => ({ method: 'elicitation/create', params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } });
const page = (url: string) => ({ method: 'elicitation/create', params: { mode: 'url', message: 'Log in there', url, elicitationId: 'e1' } });
const sampling = (more: object = {}) => ({ method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: 'Say something.' } }], maxTokens: 50, ...more } });
const chosen = (id: string): Answer => ({ kind: 'chosen', ids: [id] });

describe('a real server', () => {
  const everything = [fromNpm('everything')];

  test('gets a form filled in, declined and dismissed', async () => {
    const answers: Answer[] = [{ kind: 'filled', values: { name: 'Mew', check: true, integer: 7, titledMultipleSelectEnum: ['fish-1'] } }, { kind: 'deny' }];
    const call = { name: 'mcp_s_trigger-elicitation-request', input: {} };
    const { app, asked, results } = await open(everything, [call], { said: [{ text: 'One.' }, { calls: [call] }, { text: 'Two.' }, { calls: [call] }], answer: () => answers.shift() ?? { kind: 'dismissed' } });
    for (let turn = 0; turn < 3; turn += 1) await app.submit('go');
    expect(asked).toHaveLength(3);
    expect(asked[0]).toEqual({ kind: 'form', title: 'Please provide inputs for the following fields:', from: 'MCP server s', schema: expect.objectContaining({ required: ['name'] }) });
    expect(results().map(({ text }) => text)).toEqual([
      expect.stringMatching(/User inputs:\n- Name: Mew\n- Agreed to terms: true\n- Favorite Integer: 7\n[\s\S]*"fish-1"/), expect.stringContaining('User declined'), expect.stringContaining('User cancelled'),
    ]);
  });

  test('gets an answer of the model, once that is allowed; what it costs is counted', async () => {
    const call = { name: 'mcp_s_trigger-sampling-request', input: { prompt: 'Why is the sky blue?', maxTokens: 60 } };
    const { app, asked, results, events } = await open(everything, [call], { text: 'Because of the light.', answer: () => chosen('once') });
    await app.submit('go');
    expect(asked).toEqual([{
      kind: 'choose', title: 'MCP server s wants demo to answer',
      text: expect.stringMatching(/at most 60 tokens, without tools[^]*system: You are a helpful test server\.\n\nuser: Resource trigger-sampling-request context: Why is the sky blue\?$/),
      options: [{ id: 'once', label: 'Allow once' }, { id: 'session', label: 'Allow s to use the model in this session' }, { id: 'deny', label: 'Deny' }],
    }]);
    expect(results()[0]?.text).toContain('Because of the light.');
    expect(events.filter((event) => event.type === 'usage').map(({ agent }) => agent)).toEqual(['main', 'you', 'main']);
  });
});

const slow = async (): Promise<Answer> => {
  await new Promise((resolve) => { setTimeout(resolve, 700); });
  return { kind: 'filled', values: { name: 'slow' } };
};

describe('questions', () => {
  test('nobody there: forms are cancelled, pages too, the model is refused', async () => {
    const { app, results } = await open([ASKING], [ask([form()]), ask([page('https://example.com/login')])], { said: [{ calls: [ask([sampling()])] }] });
    await app.submit('go');
    expect(got(results())).toEqual([[{ action: 'cancel' }], [{ action: 'cancel' }], [{ code: -1, message: expect.stringContaining('not allowed') }]]);
  });

  test('after a no the server is not heard until the next turn', async () => {
    const { app, asked, results } = await open([ASKING], [ask([form(), form(), sampling()])], { said: [{ text: 'First.' }, { calls: [ask([form()])] }], answer: () => (asked.length === 1 ? { kind: 'deny' } : { kind: 'filled', values: { name: 'Mew' } }) });
    await app.submit('go');
    await app.submit('again');
    expect(got(results())).toEqual([[{ action: 'decline' }, { action: 'cancel' }, { code: -1, message: expect.any(String) }], [{ action: 'accept', content: { name: 'Mew' } }]]);
    expect(asked).toHaveLength(2);
  });

  test('one at a time, and five in a turn at most', async () => {
    let standing = 0;
    let most = 0;
    const opened = await open([ASKING], [ask(Array.from({ length: 30 }, () => form()), { together: true })], {
      async answer() {
        standing += 1;
        most = Math.max(most, standing);
        await new Promise((resolve) => { setTimeout(resolve, 5); });
        standing -= 1;
        return { kind: 'filled', values: {} };
      },
    });
    await opened.app.submit('go');
    expect({ most, asked: opened.asked.length, answers: got(opened.results())[0] }).toEqual({ most: 1, asked: 5, answers: [...Array.from({ length: 5 }, () => ({ action: 'accept', content: {} })), ...Array.from({ length: 25 }, () => ({ action: 'cancel' }))] });
  });

  test('outside of a call nothing is asked', async () => {
    const { app, asked, results } = await open([ASKING, JSON.stringify([form('Your password?'), sampling()])], [{ name: 'mcp_s_early', input: {} }]);
    await app.submit('go');
    expect(got(results())).toEqual([[{ action: 'cancel' }, { code: -1, message: expect.any(String) }]]);
    expect(asked).toEqual([]);
  });

  test.each([['the server dies', { die: 150 }], ['the call is over', { leave: true }]])('a question goes away when %s', async (_name, how) => {
    const world = makeWorld();
    world.write(`protocol: demo\nmcp_servers:\n  s: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(ASKING)}]}\n`);
    writeFileSync(join(world.home, 'permissions.yaml'), 'allow: [mcp_s_*]\n');
    const script = join(world.home, 'script.yaml');
    writeFileSync(script, JSON.stringify([{ calls: [ask([form()], how)] }, { text: 'Done.' }]));
    const { createApp } = await import('../../src/app.ts');
    const { startOf } = await import('../helpers/start-app.ts');
    const app = createApp(startOf(world, { env: { MEWCODE_DEMO_SCRIPT: script } }), { emit: () => {}, ask: (_question, signal) => new Promise((resolve) => { signal.addEventListener('abort', () => resolve({ kind: 'dismissed' }), { once: true }); }) });
    await app.ready;
    await until(() => app.state.get().mcp.some(({ state }) => state === 'ready'));
    await app.submit('go');
    await until(() => app.state.get().questions.length === 0);
    expect(app.state.get().turn.ended?.why).toBe('end');
    await app.close();
  });

  test('the time of a call stands still while the user thinks, and goes on then', async () => {
    const { app, results } = await open([ASKING], [ask([form()]), ask([form()], { later: 2_000 })], { answer: slow, more: ', timeout: 0.5' });
    await app.submit('go');
    expect(results().map(({ text }) => text)).toEqual(['[{"action":"accept","content":{"name":"slow"}}]', expect.stringContaining('did not answer within 0.5 s')]);
  });

  test('pages: the whole address is shown, only https is opened', async () => {
    const { app, asked, results, events } = await open([ASKING], [ask([page('https://exämple.com/login?a=1'), page('http://example.com/'), page('https://a:b@example.com/'), page('javascript:alert(1)'), page('https://example.com/2')])], { answer: () => chosen('open') });
    await app.submit('go');
    const not = { code: -32602, message: expect.stringContaining('Only https') };
    expect(got(results())[0]).toEqual([{ action: 'accept' }, not, not, expect.objectContaining({ code: -32602 }), { action: 'accept' }]);
    expect(asked[0]).toMatchObject({ title: 'MCP server s asks you to open a page of xn--exmple-cua.com', text: 'https://xn--exmple-cua.com/login?a=1\n\nThe server says: Log in there' });
    expect(events.filter((event) => event.type === 'notice' && event.level === 'warn').map((event) => (event.type === 'notice' ? event.text : ''))).toEqual(['No browser could be started. Open this page yourself: https://xn--exmple-cua.com/login?a=1', 'No browser could be started. Open this page yourself: https://example.com/2']);
  });

  test('a form that is no form, or far too large, is not shown', async () => {
    const big = { type: 'object', properties: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`field_${n}`, { type: 'string', description: 'x'.repeat(50) }])) };
    const { app, asked, results } = await open([ASKING], [ask([{ method: 'elicitation/create', params: { message: 'x', requestedSchema: 7 } }, { method: 'elicitation/create', params: { message: 'x', requestedSchema: big } }])]);
    await app.submit('go');
    expect(got(results())[0]).toEqual([expect.objectContaining({ code: -32603 }), expect.objectContaining({ code: -32602 })]);
    expect(asked).toEqual([]);
  });
});

describe('the model', () => {
  test('allowed for the session it is not asked about again, but ten times a minute at most', async () => {
    const said = Array.from({ length: 10 }, (_, n) => ({ text: `Answer ${n}. END more` }));
    const { app, asked, results, events } = await open([ASKING], [ask(Array.from({ length: 12 }, () => sampling({ stopSequences: [' END'] })))], { text: said[0]?.text ?? '', said: said.slice(1), answer: () => chosen('session') });
    await app.submit('go');
    const refused = { code: -32600, message: expect.stringContaining('within a minute') };
    expect(got(results())[0]).toEqual([...said.map((_, n) => ({ model: 'demo', role: 'assistant', content: { type: 'text', text: `Answer ${n}.` }, stopReason: 'stopSequence' })), refused, refused]);
    expect(asked).toHaveLength(1);
    expect(events.filter((event) => event.type === 'usage').map(({ agent }) => agent)).toEqual(['main', ...Array.from({ length: 10 }, () => 'you'), 'main']);
  });

  test.each([
    ['too long', { messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(300_000) } }] }, 'more than 200,000 characters'],
    ['nothing', { messages: [] }, 'no message'],
    ['tools', { tools: [{ name: 'x', inputSchema: { type: 'object' } }] }, 'no tools'],
    ['a sound', { messages: [{ role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } }] }, 'only texts'],
  ])('is not asked: %s', async (_name, more, why) => {
    const { app, asked, results } = await open([ASKING], [ask([sampling(more)])]);
    await app.submit('go');
    expect(got(results())[0]).toEqual([{ code: -32600, message: expect.stringContaining(why) }]);
    expect(asked).toEqual([]);
  });
});
