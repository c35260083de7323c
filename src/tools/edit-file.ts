// EditFile: pieces of a file replaced by others.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { Tool, ToolContext } from '../types/tool.ts';
import { makeChanges, openForChange, planChange, refuse, showChanges, type Change, type Opened, type Refused } from './change.ts';
import { defineTool, wellFormed } from './define.ts';
import { editText, type Edit } from './edit/edit-text.ts';
import { sayMissing } from './missing.ts';
import { bounded } from './text.ts';
import { sumOf } from './unified-diff.ts';

/** A longer diff tells the model nothing that it does not know. */
const SHOWN_DIFF = 10_000;

const oldString = () => wellFormed().describe('The text to replace, as the file has it, without the line numbers of ReadFile. Empty: create the file');
const newString = () => wellFormed().describe('The text to put there, taken literally');
const replaceAll = () => z.boolean().optional().describe('Replace every occurrence');

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the project root'),
  old_string: oldString().optional(),
  new_string: newString().optional(),
  replace_all: replaceAll(),
  edits: z.array(z.strictObject({ old_string: oldString(), new_string: newString(), replace_all: replaceAll() })).min(1).optional().describe('Several edits instead of one, applied in order, all or none'),
}).check((ctx) => {
  const { edits, old_string, new_string, replace_all } = ctx.value;
  const single = [old_string, new_string, replace_all].some((value) => value !== undefined);
  const message = edits ? (single ? 'has both `edits` and a single edit; give either `edits`, or `old_string` and `new_string`' : undefined)
    : old_string === undefined || new_string === undefined ? 'needs `old_string` and `new_string`, or `edits`' : undefined;
  if (message !== undefined) ctx.issues.push({ code: 'custom', message, input: ctx.value });
});
type Input = z.infer<typeof input>;

/** One replacement, the same one everywhere, or several in order. */
export function editFile(): Tool<Input> {
  return defineTool({
    name: 'EditFile',
    description: 'Replaces old_string by new_string in a text file; with edits, several pieces in order, all or none. old_string must occur exactly once: add lines around it until it does, or set replace_all. Copy it from the file exactly, indentation included; small differences in white space are forgiven only where a single place can be meant, and the result says so. The file keeps its own line endings, encoding and byte order mark, and must have been read with ReadFile. An empty old_string creates a file that does not exist yet.',
    input,
    title: ({ path, edits }) => cleanLine(edits && edits.length > 1 ? `${path} (${edits.length} edits)` : path),
    access: ({ path }, cwd) => [{ kind: 'write', target: resolve(cwd, path) }],
    preview: async (args, ctx) => showChanges(await plan(args, ctx), ctx),
    async run(args, ctx) {
      const change = await plan(args, ctx);
      if (!change.ok) return change;
      const made = await makeChanges([change], ctx);
      if (change.before === null) return { ok: true, text: `Created ${args.path} (${plural(made.added, 'line')}).`, view: made.view };
      const text = bounded(`Edited ${args.path}${change.places > 1 ? ` in ${plural(change.places, 'place')}` : ''} (${sumOf(made)} lines).${change.note}\n${made.patch.trimEnd()}`, 'Read the file to see the rest.', SHOWN_DIFF);
      return { ok: true, text, view: made.view };
    },
  });
}

async function plan(args: Input, ctx: ToolContext): Promise<(Change & { places: number }) | Refused> {
  const { path } = args;
  const edits = editsOf(args);
  const opened = await openForChange(path, ctx, { known: 'before' });
  if (!opened.ok) return opened;
  const [first] = edits;
  if (!opened.disk && first?.wrote !== '') return refuse(`${await sayMissing(path, ctx)} To create it, leave old_string empty.`);
  if (opened.disk && edits.some(({ wrote }) => wrote === '')) return refuse(`${path} exists, so an empty old_string does not say what to replace. Give the text to replace, or write the whole file with WriteFile.`);
  const start: Opened = opened.disk ? opened : { ...opened, text: first?.wanted ?? '' };
  const edited = editText(start.text, opened.disk ? edits : edits.slice(1), path);
  if (!edited.ok) return edited;
  const change = await planChange(opened, edited.text, { note: edited.note });
  return change.ok ? { ...change, places: edited.places } : change;
}

function editsOf({ edits, old_string = '', new_string = '', replace_all }: Input): Edit[] {
  return (edits ?? [{ old_string, new_string, replace_all }]).map((edit) => ({ wrote: edit.old_string, wanted: edit.new_string, all: edit.replace_all ?? false }));
}
