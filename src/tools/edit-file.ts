// EditFile: one piece of a file replaced by another.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Tool, ToolContext } from '../types/tool.ts';
import { makeChange, openForChange, refuse, showChange, type Change } from './change.ts';
import { defineTool, wellFormed } from './define.ts';
import { explainMissing } from './edit/explain.ts';
import { joinEndings, splitEndings, toLf } from './edit/line-endings.ts';
import { findPlaces, replacePlaces } from './edit/match.ts';
import { sayMissing } from './missing.ts';
import { bounded, count } from './text.ts';
import { sumOf } from './unified-diff.ts';

/** A longer diff tells the model nothing that it does not know. */
const SHOWN_DIFF = 10_000;

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the project root'),
  old_string: z.string().describe('The text to replace, exactly as the file has it, without the line numbers of ReadFile. Empty: create the file'),
  new_string: wellFormed().describe('The text to put there, taken literally'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence'),
});
type Input = z.infer<typeof input>;

/** One replacement, or the same one everywhere. */
export function editFile(): Tool<Input> {
  return defineTool({
    name: 'EditFile',
    description: 'Replaces old_string by new_string in a text file. old_string must match the file exactly, indentation included, and occur exactly once: add lines around it until it does, or set replace_all. LF and CRLF match each other; the file keeps its own line endings, encoding and byte order mark. The file must have been read with ReadFile and be unchanged since. An empty old_string creates a file that does not exist yet.',
    input,
    title: ({ path }) => cleanLine(path),
    access: ({ path }, cwd) => [{ kind: 'write', target: resolve(cwd, path) }],
    editable: 'new_string',
    preview: async (args, ctx) => showChange(await plan(args, ctx), ctx),
    async run(args, ctx) {
      const change = await plan(args, ctx);
      if (!change.ok) return change;
      const made = await makeChange(change, ctx);
      if (change.isNew) return { ok: true, text: `Created ${args.path} (${count(made.added, 'line')}).`, view: made.view };
      const text = bounded(`Edited ${args.path}${change.note ?? ''} (${sumOf(made)} lines).\n${made.patch.trimEnd()}`, 'Read the file to see the rest.', SHOWN_DIFF);
      return { ok: true, text, view: made.view };
    },
  });
}

async function plan({ path, old_string, new_string, replace_all }: Input, ctx: ToolContext): Promise<Change> {
  if (old_string === new_string) return refuse('old_string and new_string are the same, so there is nothing to change.');
  const opened = await openForChange(path, ctx);
  if (!opened.ok) return opened;
  const { text: before, encoding, isNew } = opened;
  if (isNew) {
    if (old_string !== '') return refuse(`${await sayMissing(path, ctx)} To create it, leave old_string empty.`);
    return { ok: true, path, isNew, before, after: new_string, encoding };
  }
  if (old_string === '') return refuse(`${path} exists, so an empty old_string does not say what to replace. Give the text to replace, or write the whole file with WriteFile.`);

  const file = splitEndings(before);
  const wanted = toLf(old_string);
  const matched = findPlaces(file.text, wanted, { all: replace_all });
  if (matched.ok) {
    const after = joinEndings(replacePlaces(file, matched.places, toLf(new_string)));
    if (after === before) return refuse('old_string and new_string differ only in their line endings, and the file keeps its own, so there is nothing to change.');
    return { ok: true, path, isNew, before, after, encoding, note: replace_all ? ` in ${count(matched.places.length, 'place')}` : '' };
  }
  if (matched.why === 'missing') return refuse(`old_string was not found in ${path}. Nothing was changed. ${explainMissing(file.text, wanted)}`);
  return refuse(`old_string occurs ${matched.lines.length} times in ${path}, in lines ${listLines(matched.lines)}. Nothing was changed. Add lines around it until it is unique, or set replace_all.`);
}

function listLines(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(', ');
  return lines.length > 20 ? `${shown} and ${lines.length - 20} more` : shown;
}
