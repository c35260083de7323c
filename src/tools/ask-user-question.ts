// AskUserQuestion: the model asks the user to choose, one dialog a question.
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Answer } from '../types/question.ts';
import type { Tool } from '../types/tool.ts';
import { defineTool } from './define.ts';

const input = z.strictObject({
  questions: z.array(z.strictObject({
    question: z.string().min(1).describe('The whole question'),
    header: z.string().min(1).describe('Its subject in one to three words'),
    options: z.array(z.strictObject({
      label: z.string().min(1).describe('The answer in a few words'),
      description: z.string().optional().describe('What follows from it'),
    })).min(2).max(4).describe('The answers to choose from. The user can always write another one, so do not offer "other".'),
    multi_select: z.boolean().default(false).describe('Whether several answers can be chosen'),
  })).min(1).max(4),
});
type Input = z.infer<typeof input>;
type Asked = Input['questions'][number];

/** `nobody`: there is no user at a screen, so that asking is answered at once. */
export function askUserQuestion({ nobody = false }: { nobody?: boolean } = {}): Tool<Input> {
  return defineTool({
    name: 'AskUserQuestion',
    description: 'Asks the user one to four questions with answers to choose from. Use it where the work can go two ways and only the user knows which; not for what you can find out, and not for permission to use a tool.',
    input,
    title: ({ questions }) => cleanLine(questions.map(({ header }) => header).join(', ')),
    access: () => [{ kind: 'none', target: '' }],
    async run({ questions }, ctx) {
      if (nobody) return { ok: false, text: 'Nobody can be asked: MewCode runs without a screen. Decide by yourself, take the cautious way, and say in your answer what you assumed.' };
      const answered: string[] = [];
      for (const [at, asked] of questions.entries()) {
        const given = answerOf(asked, await ctx.ask({
          kind: 'choose', title: [...(questions.length > 1 ? [`${at + 1} of ${questions.length}`] : []), cleanLine(asked.header)].join(' · '), text: asked.question, free: true, ...(asked.multi_select && { many: true }),
          options: asked.options.map(({ label, description }, index) => ({ id: String(index), label, ...(description !== undefined && { detail: description }) })),
        }));
        if (given === null) return { ok: false, text: [...answered, `The user closed the question "${asked.question}" without an answer.${at + 1 < questions.length ? ' What comes after it was not asked.' : ''}`].join('\n') };
        answered.push(`${asked.question}\n→ ${given}`);
      }
      return { ok: true, text: answered.join('\n') };
    },
  });
}

/** The answer in words; `null` where there was none. */
function answerOf({ options }: Asked, answer: Answer): string | null {
  if (answer.kind !== 'chosen') return null;
  const labels = answer.ids.flatMap((id) => options[Number(id)]?.label ?? []);
  const all = [...labels, ...(answer.text ? [`(in their own words) ${answer.text}`] : [])];
  return all.length === 0 ? null : all.join('; ');
}
