// ApplyPatch: a unified diff over several files, all or nothing.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { Tool, ToolContext } from '../types/tool.ts';
import { UserError } from '../types/user-error.ts';
import { makeChanges, openForChange, planChange, refuse, showChanges, type Change, type Opened, type Refused } from './change.ts';
import { defineTool, wellFormed } from './define.ts';
import { joinEndings, splitEndings } from './edit/line-endings.ts';
import { replacePlaces } from './edit/places.ts';
import { sayMissing } from './missing.ts';
import { applyHunks } from './patch/apply.ts';
import { parsePatch } from './patch/parse.ts';
import type { FilePatch } from './patch/types.ts';
import { bounded } from './text.ts';
import { sumOf } from './unified-diff.ts';

/** More would tell the model only what it wrote itself. */
const SHOWN = 10_000;

const input = z.strictObject({
  patch: wellFormed().describe('The whole patch, as `diff -u` or `git diff` print it'),
}).check(({ value, issues }) => {
  const parsed = parsePatch(value.patch);
  if (!parsed.ok) issues.push({ code: 'custom', message: parsed.problem, input: value.patch, path: ['patch'] });
});
type Input = z.infer<typeof input>;

/** Several files at once. A patch shows what it changes, so the files need not have been read. */
export function applyPatch(): Tool<Input> {
  return defineTool({
    name: 'ApplyPatch',
    description: 'Applies a unified diff to one or more text files, all or nothing: when one hunk does not fit, no file is changed and the result says where and why. Give --- a/path and +++ b/path (/dev/null for a file that is created or deleted; git\'s rename and mode lines work too), and hunks with at least three lines of context. Line numbers may be wrong where the context fits in one place only; up to 2 of the outermost context lines may differ, removed lines never. Files keep their own line endings and encoding.',
    input,
    title: (args) => cleanLine(titleOf(filesOf(args))),
    access: (args, cwd) => [...new Set(filesOf(args).flatMap(({ from, to }) => [from, to]))].flatMap((path) => (path === null ? [] : [{ kind: 'write' as const, target: resolve(cwd, path) }])),
    editable: 'patch',
    preview: async (args, ctx) => showChanges(changesOf(await plan(filesOf(args), ctx)), ctx),
    async run(args, ctx) {
      const planned = await plan(filesOf(args), ctx);
      if (!planned.ok) return planned;
      const made = await makeChanges(planned.changes, ctx);
      const files = planned.changes.map((change, index) => `${describe(change)} ${sumOf(made.diffs[index] ?? made)}`);
      const notes = planned.notes.map((note) => `Note: ${note}.`);
      return { ok: true, text: bounded([`Patched ${plural(files.length, 'file')} (${sumOf(made)} lines):`, ...files, ...notes].join('\n'), 'Read the files to see the rest.', SHOWN), view: made.view };
    },
  });
}

function filesOf({ patch }: Input): readonly FilePatch[] {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new UserError(`The patch ${parsed.problem}.`);
  return parsed.files;
}

function titleOf(files: readonly FilePatch[]): string {
  const names = [...new Set(files.map(({ from, to }) => to ?? from ?? ''))];
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more files` : names.join(', ');
}

function describe({ path, to, before, after }: Change): string {
  if (after === null) return `${path} (deleted)`;
  if (before === null) return `${to} (new)`;
  return to === path ? path : `${path} → ${to}`;
}

type Planned = { ok: true; changes: readonly Change[]; notes: readonly string[] };

const changesOf = (planned: Planned | Refused): readonly Change[] | Refused => (planned.ok ? planned.changes : planned);

/** What becomes of a file; a patch may speak of it more than once. */
type Draft = { opened: Opened; text: string | null; to: string; mode?: number };

async function plan(files: readonly FilePatch[], ctx: ToolContext): Promise<Planned | Refused> {
  const drafts = new Map<string, Draft>();
  const problems: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const path = file.from ?? file.to ?? '';
    const key = ctx.files.resolve(path);
    const begun = drafts.get(key) ?? await begin(file, ctx);
    if ('ok' in begun) { problems.push(begun.text); continue; }
    const problem = await draw(begun, file, { ctx, notes });
    if (problem === undefined) drafts.set(key, begun);
    else problems.push(...problem);
  }
  const changes: Change[] = [];
  for (const { opened, text, to, mode } of drafts.values()) {
    const change = await planChange(opened, text, { to, ...(mode !== undefined && { mode }) });
    if (!change.ok) problems.push(change.text);
    else if (change.after !== change.before || change.to !== change.path || (mode !== undefined && mode !== change.disk?.info.mode)) changes.push(change);
  }
  if (problems.length > 0) return refuse(bounded(`The patch was not applied; no file was changed.\n${problems.join('\n')}`, 'The others are like these.', SHOWN));
  return changes.length > 0 ? { ok: true, changes, notes } : refuse('The files are already as the patch would make them; nothing was changed.');
}

async function begin({ from, to, unseen }: FilePatch, ctx: ToolContext): Promise<Draft | Refused> {
  const path = from ?? to ?? '';
  const opened = await openForChange(path, ctx, { known: unseen ? 'latest' : 'nothing' });
  if (!opened.ok) return opened;
  if (from !== null && !opened.disk) return refuse(await sayMissing(path, ctx));
  if (from === null && opened.disk) return refuse(`${path}: the patch creates it, but it exists.`);
  return { opened, text: from === null ? null : opened.text, to: path };
}

/** Changes the draft; gives why it can't. */
async function draw(draft: Draft, { from, to, hunks, mode, unseen }: FilePatch, { ctx, notes }: { ctx: ToolContext; notes: string[] }): Promise<string[] | undefined> {
  const path = from ?? to ?? '';
  if ((from === null) !== (draft.text === null)) return [`${path}: the patch ${from === null ? 'creates it, but it exists' : 'changes it after deleting it'}.`];
  if (to !== null && to !== path && await ctx.files.stat(to)) return [`${to} exists, so ${path} can't be moved there.`];
  const before = draft.text ?? '';
  const file = splitEndings(before);
  const applied = unseen ? { ok: true as const, places: [{ start: 0, end: file.text.length, text: '' }], notes: [] } : applyHunks(file.text, hunks);
  if (!applied.ok) return applied.problems.map((problem) => `${path}, ${problem}`);
  const after = before === '' ? newText(hunks, applied.places.map(({ text }) => text).join('')) : joinEndings(replacePlaces(file, applied.places));
  if (to === null && after !== '') return [`${path}: the patch deletes it, but it holds more than the patch shows.`];
  for (const note of applied.notes) notes.push(`${path}, ${note}`);
  draft.text = to === null ? null : after;
  draft.to = to ?? draft.to;
  if (mode !== undefined) draft.mode = mode;
  else if (draft.opened.disk && draft.to !== draft.opened.path) draft.mode = draft.opened.disk.info.mode;
  return undefined;
}

/** A new file has the line endings that the patch shows. */
function newText(hunks: readonly { lines: readonly { sign: string; text: string }[] }[], text: string): string {
  const added = hunks.flatMap(({ lines }) => lines.filter(({ sign }) => sign === '+'));
  return added.length > 0 && added.every((line) => line.text.endsWith('\r')) ? text.replaceAll('\n', '\r\n') : text;
}
