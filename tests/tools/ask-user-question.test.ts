// AskUserQuestion: one dialog after the other, and the answers in words.
import { expect, test } from 'vitest';
import { askUserQuestion } from '../../src/tools/ask-user-question.ts';
import type { Answer, Question } from '../../src/types/question.ts';
import { toolContext } from '../helpers/tool-context.ts';

const questions = [
  { question: 'Which store?', header: 'Store', options: [{ label: 'SQLite', description: 'one file' }, { label: 'Redis' }] },
  { question: 'Which extras?', header: 'Extras', options: [{ label: 'cache' }, { label: 'log' }, { label: 'ui' }], multi_select: true },
];

async function ask(input: unknown, answers: readonly Answer[], options?: { nobody?: boolean }) {
  const tool = askUserQuestion(options);
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.problem);
  const asked: Question[] = [];
  const ctx = toolContext();
  try {
    const result = await tool.run(parsed.value, { ...ctx, ask: async (question) => { asked.push(question); return answers[asked.length - 1] ?? { kind: 'dismissed' }; } });
    return { result, asked, title: tool.title(parsed.value) };
  } finally {
    ctx.dispose();
  }
}

test('asks one after the other and lists what was chosen', async () => {
  expect(await ask({ questions }, [{ kind: 'chosen', ids: ['1'] }, { kind: 'chosen', ids: ['0', '2'], text: 'and docs' }])).toEqual({
    title: 'Store, Extras',
    asked: [
      { kind: 'choose', title: '1 of 2 · Store', text: 'Which store?', free: true, options: [{ id: '0', label: 'SQLite', detail: 'one file' }, { id: '1', label: 'Redis' }] },
      { kind: 'choose', title: '2 of 2 · Extras', text: 'Which extras?', free: true, many: true, options: [{ id: '0', label: 'cache' }, { id: '1', label: 'log' }, { id: '2', label: 'ui' }] },
    ],
    result: { ok: true, text: 'Which store?\n→ Redis\nWhich extras?\n→ cache; ui; (in their own words) and docs' },
  });
});

test('a closed question ends it, and what was answered is told', async () => {
  const { result, asked } = await ask({ questions: [...questions, questions[0]] }, [{ kind: 'chosen', ids: [], text: 'a file' }]);
  expect([asked.length, result]).toEqual([2, { ok: false, text: 'Which store?\n→ (in their own words) a file\nThe user closed the question "Which extras?" without an answer. What comes after it was not asked.' }]);
});

test('without a screen nobody is asked', async () => {
  const { result, asked } = await ask({ questions }, [], { nobody: true });
  expect([result.ok, asked]).toEqual([false, []]);
  expect(result.text).toMatch(/^Nobody can be asked/);
});

test.each<[string, object]>([
  ['no question', { questions: [] }], ['too many', { questions: Array.from({ length: 5 }, () => questions[0]) }],
  ['one option', { questions: [{ ...questions[0], options: [{ label: 'a' }] }] }], ['five options', { questions: [{ ...questions[0], options: Array.from({ length: 5 }, () => ({ label: 'a' })) }] }],
])('%s is refused', (_name, input) => {
  expect(askUserQuestion().parse(input).ok).toBe(false);
});
