// Headless output: what goes to stdout and stderr, the JSON object, exit codes, what is piped in.
import { PassThrough, Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { codeOfCalls } from '../../src/frontends/print-report.ts';
import { printWith, type PrintOptions } from '../../src/frontends/print.ts';
import { attach, readPiped } from '../../src/frontends/stdin.ts';
import { initialState, reduce } from '../../src/store/reduce.ts';
import type { App } from '../../src/types/command.ts';
import type { Frontend, Happening } from '../../src/types/event.ts';
import type { Question } from '../../src/types/question.ts';
import { UserError } from '../../src/types/user-error.ts';
import { fakeApp } from '../helpers/fake-app.ts';

function sink(isTTY = false) {
  const stream = Object.assign(new Writable({ write(chunk, _encoding, done) { stream.text += String(chunk); done(); } }), { isTTY, text: '' });
  return stream;
}

const CALL = { id: 'c1', name: 'Shell', input: { command: 'ls' } };
const said = (id: string, text: string): Happening => ({ type: 'message', message: { id, role: 'assistant', parts: [{ type: 'text', text }], at: 0 } });
const DECIDED: Happening = { type: 'decided', callId: 'c1', decision: { verdict: 'ask', layer: 'mode', because: 'x', trace: [] } };
const ANSWER = said('a1', 'It is done.');
const ENDED: Happening = { type: 'turn_ended', why: 'end' };

/** Runs headless over an App whose turn is these events; `asks` are the questions that it asks on the way. */
async function print(events: readonly Happening[], options: Partial<PrintOptions> & { parts?: Partial<App>; asks?: Question[] } = {}) {
  const [stdout, stderr] = [sink(), sink()];
  const prompts: string[] = [];
  const answers: unknown[] = [];
  let closed = 0;
  const open = (frontend: Frontend): App => {
    const app = fakeApp({
      start: { id: 's1' },
      async submit(text) {
        prompts.push(text);
        for (const question of options.asks ?? []) answers.push(await frontend.ask(question, new AbortController().signal));
        for (const event of events) {
          app.emit(event);
          frontend.emit({ agent: 'main', at: 0, ...event });
        }
      },
      close: async () => { closed += 1; },
      ...options.parts,
    });
    return app;
  };
  const { parts: _parts, asks: _asks, ...rest } = options;
  const code = await printWith(open, { prompt: 'go', format: 'text', stdin: Readable.from([]), stdout, stderr, ...rest });
  return { code, stdout: stdout.text, stderr: stderr.text, prompts, answers, closed };
}

const usage: Happening = { type: 'usage', usage: { input: 10, cacheRead: 5, cacheWrite: 1, output: 3 }, costUsd: 0.25, model: 'm' };

describe('text', () => {
  test('only the final text on stdout; tools on stderr', async () => {
    expect(await print([
      { type: 'turn_started' },
      { type: 'message', message: { id: 'a0', role: 'assistant', parts: [{ type: 'text', text: 'I look first.' }, { type: 'tool_call', ...CALL }], at: 0 } },
      { type: 'tool_called', call: CALL, title: 'ls' },
      { type: 'tool_started', callId: 'c1', acts: true },
      { type: 'tool_ended', callId: 'c1', outcome: 'failed', ms: 1 },
      { type: 'message', message: { id: 't1', role: 'tool', parts: [{ type: 'tool_result', callId: 'c1', name: 'Shell', ok: false, text: 'no' }], at: 0 } },
      ANSWER, ENDED,
    ])).toEqual({ code: 0, stdout: 'It is done.\n', stderr: '● Shell ls\n✗ Shell ls: failed\n', prompts: ['go'], answers: [], closed: 1 });
  });

  test('a continued answer is one text', async () => {
    const reminder: Happening = { type: 'message', message: { id: 'r', role: 'user', source: 'reminder', parts: [{ type: 'text', text: 'go on' }], at: 0 } };
    expect((await print([{ type: 'turn_started' }, said('a', 'one tw'), reminder, said('b', 'o three'), ENDED])).stdout).toBe('one two three\n');
  });

  test('a terminal gets no control sequences, a pipe gets the text as it is', async () => {
    const evil = said('a', 'a\u001b[2Jb');
    const terminal = sink(true);
    await print([{ type: 'turn_started' }, evil, ENDED], { stdout: terminal });
    expect(terminal.text).toBe('ab\n');
    expect((await print([{ type: 'turn_started' }, evil, ENDED])).stdout).toBe('a\u001b[2Jb\n');
  });

  test('a retry is told on stderr', async () => {
    const failure = { kind: 'overloaded' as const, message: 'The service is overloaded.' };
    const { stderr } = await print([{ type: 'turn_started' }, { type: 'stream', messageId: 'a', event: { type: 'retrying', failure, attempt: 1, waitMs: 1_500 } }, ANSWER, ENDED]);
    expect(stderr).toBe('… The service is overloaded. Trying again in 2 s.\n');
  });

  test('what a command shows is the answer', async () => {
    const view = { type: 'table' as const, head: ['mode', 'what'], rows: [['plan', 'looks']] };
    expect(await print([], { parts: { submit: async () => ({ view }) } })).toMatchObject({ code: 0, stdout: 'mode  what\nplan  looks\n', stderr: '' });
  });

  test('a warning at the start is no failure of a command', async () => {
    const notice = { agent: 'main', at: 0, type: 'notice', level: 'warn', text: 'A key is not known.' } as const;
    const code = await printWith((frontend) => {
      frontend.emit(notice);
      return fakeApp();
    }, { prompt: '/clear', format: 'text', stdin: Readable.from([]), stdout: sink(), stderr: sink() });
    expect(code).toBe(0);
  });

  test.each([['done', true, 0], ['failed', true, 1], ['denied', false, 1], ['denied', true, 3]] as const)('a call of the user that was %s (--fail-on-denied %s) exits with %i', (outcome, failOnDenied, code) => {
    const before = initialState();
    const events: Happening[] = [{ type: 'tool_called', call: CALL, title: 'ls' }, DECIDED, { type: 'tool_ended', callId: 'c1', outcome, ms: 1 }];
    const after = events.reduce((state, event) => reduce(state, { agent: 'you', at: 0, ...event }), before);
    expect(codeOfCalls({ before, after, failOnDenied })).toBe(code);
  });

  test('a command that is none exits with 2', async () => {
    expect(await print([{ type: 'notice', level: 'warn', text: 'There is no command /x.' }])).toMatchObject({ code: 2, stdout: '', stderr: 'mewcode: There is no command /x.\n' });
  });

  test('a name that a model made up is cleaned', async () => {
    const call = { id: 'c9', name: '\u001b]0;x\u0007Evil\nname', input: {} };
    expect((await print([{ type: 'turn_started' }, { type: 'tool_called', call, title: '' }, { type: 'tool_ended', callId: 'c9', outcome: 'failed', ms: 0 }, ANSWER, ENDED])).stderr).toBe('✗ Evil name: failed\n');
  });
});

describe('json', () => {
  test('one object with everything', async () => {
    const { code, stdout } = await print([
      { type: 'turn_started' },
      { type: 'stream', messageId: 'a1', event: { type: 'part_start', index: 0, part: 'text' } },
      { type: 'tool_called', call: CALL, title: 'ls' },
      DECIDED,
      { type: 'tool_ended', callId: 'c1', outcome: 'denied', ms: 0 },
      usage, ANSWER, ENDED,
    ], { format: 'json' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      result: 'It is done.', session_id: 's1', stop_reason: 'end', rounds: 1,
      usage: { input_tokens: 10, output_tokens: 3, cache_creation_input_tokens: 1, cache_read_input_tokens: 5 },
      cost_usd: 0.25, duration_ms: expect.any(Number), is_error: false,
      permission_denials: [{ tool_name: 'Shell', tool_use_id: 'c1', tool_input: { command: 'ls' } }],
    });
  });

  test('a wrong configuration is one object and exit code 2', async () => {
    const ready = Promise.reject(new UserError('The key modle is not known.', 'Did you mean model?'));
    ready.catch(() => {});
    const { code, stdout, stderr, closed } = await print([], { format: 'json', parts: { ready } });
    expect({ code, stderr, closed }).toEqual({ code: 2, stderr: 'mewcode: The key modle is not known. Did you mean model?\n', closed: 1 });
    expect(JSON.parse(stdout)).toEqual({
      result: 'The key modle is not known. Did you mean model?', session_id: 's1', stop_reason: null, rounds: 0,
      usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      cost_usd: 0, duration_ms: expect.any(Number), permission_denials: [], is_error: true,
    });
  });
});

describe('exit codes', () => {
  const denied: Happening[] = [{ type: 'turn_started' }, { type: 'tool_called', call: CALL, title: 'ls' }, DECIDED, { type: 'tool_ended', callId: 'c1', outcome: 'denied', ms: 0 }, ANSWER, ENDED];

  test('a denied call counts only where that was asked for', async () => {
    expect((await print(denied)).code).toBe(0);
    expect(await print(denied, { failOnDenied: true })).toMatchObject({ code: 3, stdout: 'It is done.\n' });
  });

  test('a call that was refused without being judged is no denial', async () => {
    expect((await print(denied.filter((event) => event !== DECIDED), { failOnDenied: true })).code).toBe(0);
  });

  test('a failed turn: one sentence on stderr, nothing on stdout', async () => {
    const failure = 'The key is not accepted. Check ANTHROPIC_API_KEY.';
    expect(await print([
      { type: 'turn_started' }, ANSWER, { type: 'notice', level: 'error', text: failure }, { type: 'turn_ended', why: 'error', failure },
    ])).toMatchObject({ code: 1, stdout: '', stderr: `mewcode: ${failure}\n` });
  });

  test.each([['limit', 4], ['max_tokens', 1], ['refusal', 1], ['filter', 1]] as const)('%s is %d, with the text so far', async (why, expected) => {
    expect(await print([{ type: 'turn_started' }, ANSWER, { type: 'turn_ended', why }])).toMatchObject({ code: expected, stdout: 'It is done.\n' });
  });

  test('no prompt is a mistake', async () => {
    expect(await print([], { prompt: undefined })).toEqual({
      code: 2, stdout: '', stderr: 'mewcode: There is no prompt. Say what to do: mewcode -p "PROMPT", or pipe it in.\n', prompts: [], answers: [], closed: 0,
    });
  });

  test('bugs are not swallowed, and the App is closed', async () => {
    let closed = 0;
    await expect(print([], { parts: { submit: async () => { throw new TypeError('a bug'); }, close: async () => { closed += 1; } } })).rejects.toThrow('a bug');
    expect(closed).toBe(1);
  });
});

test('there is nobody to ask', async () => {
  const decision = { verdict: 'ask' as const, layer: 'mode', because: 'x', trace: [] };
  const { answers } = await print([], { asks: [
    { kind: 'permission', call: CALL, title: 'ls', decision, cwd: '/' },
    { kind: 'choose', title: 'which?', options: [] },
  ] });
  expect(answers).toEqual([{ kind: 'dismissed' }, { kind: 'dismissed' }]);
});

describe('what is piped in', () => {
  test('stands behind the prompt as an attached block', async () => {
    expect((await print([], { prompt: 'explain', stdin: Readable.from([Buffer.from('one\n'), Buffer.from('two\n')]) })).prompts).toEqual(['explain\n\n<stdin>\none\ntwo\n</stdin>']);
    expect(attach('', 'do this')).toBe('do this');
    expect(attach('do this', ' \n')).toBe('do this');
  });

  test('a character cut in two by the pipe is whole again', async () => {
    const bytes = Buffer.from('\ufeffgrüße');
    expect(await readPiped(Readable.from([bytes.subarray(0, 6), bytes.subarray(6)]), { onSilence: () => {} })).toBe('grüße');
  });

  test('a terminal is not read', async () => {
    expect(await readPiped(Object.assign(new PassThrough(), { isTTY: true }), { onSilence: () => {} })).toBe('');
  });

  test('an open but silent pipe is given up, a slow one is not', async () => {
    let silent = 0;
    expect(await readPiped(new PassThrough(), { onSilence: () => { silent += 1; }, patienceMs: 10 })).toBe('');
    expect(silent).toBe(1);
    const slow = new PassThrough();
    slow.write('a');
    void setTimeout(50).then(() => slow.end('b'));
    expect(await readPiped(slow, { onSilence: () => { silent += 1; }, patienceMs: 10 })).toBe('ab');
    expect(silent).toBe(1);
  });

  test('too much, or no text, is refused', async () => {
    await expect(readPiped(Readable.from([Buffer.from('a\0b')]), { onSilence: () => {} })).rejects.toThrow('not text');
    const megabyte = Buffer.alloc(1024 * 1024, 'a');
    await expect(readPiped(Readable.from(Array.from({ length: 11 }, () => megabyte)), { onSilence: () => {} })).rejects.toThrow('10 MB');
  });
});
