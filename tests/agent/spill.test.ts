// Results that are too long: kept in a file with a preview in their place, within the limits of a result and of a message, the same after a resume.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { runTurn } from '../../src/agent/loop.ts';
import { foldSession } from '../../src/session/fold.ts';
import { EVENTS, openLog } from '../../src/session/log.ts';
import { initialState, reduce } from '../../src/store/reduce.ts';
import { defineTool } from '../../src/tools/define.ts';
import { readFile } from '../../src/tools/read-file.ts';
import type { Message, ToolResultPart } from '../../src/types/message.ts';
import type { Tool } from '../../src/types/tool.ts';
import { testConversation } from '../helpers/conversation.ts';

let cwd: string;
beforeEach(() => { cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-spill-'))); });
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** Gives numbered lines with so many characters in all. */
const say = defineTool({
  name: 'Say', description: 'Says a lot', input: z.object({ length: z.number() }), title: String, access: () => [{ kind: 'none', target: '' }],
  run: async ({ length }) => ({ ok: true, text: textOf(length) }),
}) as Tool;
const textOf = (length: number) => Array.from({ length: Math.ceil(length / 10) }, (_, n) => (n === 2_500 ? 'fatal: no\n' : `${String(n + 1).padStart(9)}\n`)).join('').slice(0, length);

const results = (messages: readonly Message[] | undefined) => (messages ?? []).flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result'));

async function calls(lengths: readonly number[], options: Partial<Parameters<typeof testConversation>[0]> = {}) {
  const t = testConversation({ cwd, spillDir: join(cwd, 's', 'tool-results'), tools: [say], steps: [{ calls: lengths.map((length, n) => ({ id: `c${n + 1}`, name: 'Say', input: { length } })) }, { text: 'Done.' }], ...options });
  await runTurn(t.conversation, ['go'], new AbortController().signal);
  return { ...t, sent: results(t.requests[1]?.messages), notices: t.state().notices.map(({ text }) => text) };
}

test('a result over the limit is kept in a file that only the user can read, and a preview is sent', async () => {
  const { sent, notices, state } = await calls([50_000, 50_001]);
  const file = join(cwd, 's', 'tool-results', 'c2.txt');
  expect(readFileSync(file, 'utf8')).toBe(textOf(50_001));
  expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
  const [whole, spilled] = sent;
  expect(whole).toEqual({ type: 'tool_result', callId: 'c1', name: 'Say', ok: true, text: textOf(50_000) });
  expect(spilled?.spill).toBe(file);
  expect(spilled?.text).toMatch(new RegExp(`^<persisted-output>\nToo long to be shown whole\\. It is kept \\(50,001 bytes\\) in ${file}\nRead it in pages with ReadFile \\(offset, limit\\)\\. Preview:\n\n +1\n[^]*\n2501: fatal: no\n[^]* 5000\n</persisted-output>$`));
  expect(spilled?.text.length).toBeLessThan(3_500);
  expect(notices).toEqual([expect.stringMatching(/^◇ spilled 1 tool result\(s\) to disk \(~46,\d\d\d chars freed\)$/)]);
  expect(results(state().messages)).toEqual(sent);
});

test('of the results of one message the largest are spilled until all fit', async () => {
  const { sent, notices, events } = await calls([45_000, 48_000, 46_000, 47_000, 44_000]);
  expect(sent.map(({ spill }) => spill !== undefined)).toEqual([false, true, false, false, false]);
  expect(sent.reduce((total, { text }) => total + text.length, 0)).toBeLessThanOrEqual(200_000);
  expect(notices).toHaveLength(1);
  // What was sent is what a resume finds.
  const dir = join(cwd, 'session');
  const log = openLog(dir);
  for (const event of events) log.append(event);
  log.close();
  const folded = foldSession(join(dir, EVENTS), reduce, initialState()).state;
  expect(JSON.stringify(results(folded.messages))).toBe(JSON.stringify(sent));
});

test('a page of a spilled file is never spilled again, whatever the limits', async () => {
  const file = join(cwd, 's', 'tool-results', 'c1.txt');
  const t = testConversation({
    cwd, spillDir: join(cwd, 's', 'tool-results'), spillOver: { result: 5_000, message: 6_000 }, tools: [say, readFile() as Tool],
    steps: [{ calls: [{ id: 'c1', name: 'Say', input: { length: 40_000 } }] }, { calls: [{ id: 'c2', name: 'ReadFile', input: { path: file } }] }, { text: 'Done.' }],
  });
  await runTurn(t.conversation, ['go'], new AbortController().signal);
  const [first, second] = results(t.requests[2]?.messages);
  expect([first?.spill, second?.spill]).toEqual([file, undefined]);
  expect(second?.text.length).toBeGreaterThan(30_000);
  expect(t.state().notices).toHaveLength(1);
});

test('the same id twice does not overwrite what was kept', async () => {
  await calls([60_000]);
  const { sent } = await calls([70_000]);
  expect(sent[0]?.spill).toBe(join(cwd, 's', 'tool-results', 'c1-2.txt'));
  expect(readdirSync(join(cwd, 's', 'tool-results'))).toEqual(['c1-2.txt', 'c1.txt']);
});

test('keys are masked in the file', async () => {
  const spill = defineTool({ ...say, name: 'Tell', input: z.object({}), run: async () => ({ ok: true, text: `SECRET ${'x'.repeat(60_000)}` }) }) as Tool;
  await calls([], { tools: [spill], steps: [{ calls: [{ id: 'c1', name: 'Tell' }] }, { text: 'Done.' }] });
  expect(readFileSync(join(cwd, 's', 'tool-results', 'c1.txt'), 'utf8')).toBe(`•••• ${'x'.repeat(60_000)}`);
});

test('an id is no path', async () => {
  const { sent } = await calls([], { steps: [{ calls: [{ id: '../../x/y', name: 'Say', input: { length: 60_000 } }] }, { text: 'Done.' }] });
  expect(sent[0]?.spill).toBe(join(cwd, 's', 'tool-results', '______x_y.txt'));
});

test.each<[string, () => Partial<Parameters<typeof testConversation>[0]>, string]>([
  ['in a session that keeps nothing', () => ({ spillDir: undefined }), '[Nothing is kept on disk in this session, so what is left out is lost.]'],
  ['where the disk refuses', () => { writeFileSync(join(cwd, 'taken'), ''); return { spillDir: join(cwd, 'taken', 'x') }; }, '[It could not be kept on disk ('],
])('%s a result is bounded, and says so', async (_, options, said) => {
  const { sent, notices } = await calls([120_000], options());
  const [part] = sent as [ToolResultPart];
  expect(part.text).toContain(said);
  expect(part.text).toMatch(/\[… [\d,]+ characters left out/);
  expect(part.text.length).toBeGreaterThan(40_000);
  expect(part.text.length).toBeLessThanOrEqual(50_000);
  expect([part.spill, notices]).toEqual([undefined, []]);
});
