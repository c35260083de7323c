// The demo model's prose: how it quotes what it was given, and its long answer.
import { extname } from 'node:path';
import { plural } from '../lib/plural.ts';

/** Lines of a result that an answer repeats. */
const SHOWN = 12;


/** `text` as a code block of at most `SHOWN` lines, which says how many it left out. `file` gives the language. */
export function fence(text: string, file = ''): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  // A fence inside the text must not end ours.
  const ticks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map((run) => run[0].length + 1)));
  const more = lines.length > SHOWN ? `\n… and ${plural(lines.length - SHOWN, 'more line')}.` : '';
  return `${ticks}${extname(file).slice(1)}\n${lines.slice(0, SHOWN).join('\n')}\n${ticks}${more}`;
}

/** The lines of a file, from a result that numbers them. */
export function fileLines(result: string): string[] {
  return result.split('\n').flatMap((line) => /^\s*\d+[\t→](.*)$/.exec(line)?.slice(1) ?? []);
}

/** `N` numbered lines for a file that was asked for without saying what is in it. */
export const numberedLines = (count: number, file: string): string => Array.from({ length: count }, (_, i) => `Line ${i + 1} of ${file}.\n`).join('');

const SENTENCES = [
  'Everything that happens is an **event**, and everything that you must decide is a **question**.',
  'The screen, the session file and this answer are readers of the same stream.',
  'A tool says what it touches before it runs, so that the permission check can judge it.',
  'Nothing that was said is changed later: the conversation only grows, which keeps the prompt cache warm.',
  'Cancelling ends the whole process group, and what was streamed by then is kept.',
  'A frame costs the same at ten messages and at ten thousand.',
];

const EXAMPLES = [
  '- a list item\n- another, with `code` in it\n  - one that is *indented*\n- and [a link](https://example.com/)',
  '```ts\nexport function add(a: number, b: number): number {\n  return a + b; // 全角 and 🙂 are wide\n}\n```',
  '| layer | verdict | because |\n| --- | --- | --- |\n| blacklist | pass | nothing dangerous |\n| mode | ask | `default` asks before writing |',
  '> A quotation, which says that a wrong edit is worse than ten refusals.',
];

/** Markdown with all that a screen must draw, of about `words` words. */
export function longAnswer(words: number): string {
  const sections: string[] = ['# A long answer\n\nThis one shows headings, lists, code, tables and quotations, and goes on for a while.'];
  let counted = 16;
  for (let i = 0; counted < words; i++) {
    const sentences = Array.from({ length: 4 }, (_, j) => SENTENCES[(i * 5 + j) % SENTENCES.length] ?? '');
    const section = `## Part ${i + 1}\n\n${sentences.join(' ')}\n\n${EXAMPLES[i % EXAMPLES.length] ?? ''}`;
    sections.push(section);
    counted += section.split(/\s+/).length;
  }
  return `${sections.join('\n\n')}\n\nThat was all.`;
}
