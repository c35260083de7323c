// A change of one text file: planned, shown and carried out. What WriteFile and EditFile have in common.
import type { View } from '../types/message.ts';
import type { FileInfo, ToolContext } from '../types/tool.ts';
import { UserError } from '../types/user-error.ts';
import { shownPath } from './text.ts';
import { decodeText, encodeText, remember, staleness, type Encoding } from './text-file.ts';
import { diffTexts, type FileDiff } from './unified-diff.ts';

/** A text file as it is; of one that does not exist yet `isNew` is set and the text is empty. */
export type Opened = { ok: true; isNew: boolean; text: string; encoding: Encoding } | Refused;
/** `text` is a sentence for the model. */
export type Refused = { ok: false; text: string };
/** What a file will be. */
export type Change = { ok: true; path: string; isNew: boolean; before: string; after: string; encoding: Encoding; note?: string } | Refused;

/** Opens a file that is to be changed: it must be text, and in the state that was last read. */
export async function openForChange(path: string, ctx: ToolContext): Promise<Opened> {
  const info = await ctx.files.stat(path);
  if (!info) return { ok: true, isNew: true, text: '', encoding: { name: 'utf-8', bom: false } };
  if (info.kind !== 'file') return refuse(`${path} is ${info.kind === 'folder' ? 'a folder' : 'not a regular file'}, so it can't be written.`);
  const bytes = await ctx.files.read(path);
  switch (staleness(ctx.files, info, bytes)) {
    case 'unread':
      return refuse(`${path} exists and has not been read in this session. Nothing was changed. Read it with ReadFile, then try again.`);
    case 'changed':
      return refuse(`${path} has changed on disk since it was last read. Nothing was changed. Read it again with ReadFile, then try again.`);
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) return refuse(`${path} is not UTF-8 or UTF-16 text, so it can't be changed as text.`);
  return { ok: true, isNew: false, text: decoded.text, encoding: decoded.encoding };
}

/** What the permission dialog shows. Throws the refusal: such a call fails without asking anyone. */
export function showChange(change: Change, ctx: ToolContext): View {
  if (!change.ok) throw new UserError(change.text);
  return viewOf(change, diffOf(change, ctx), ctx);
}

/** Writes the file and remembers it. Gives the diff, as text and as a view. */
export async function makeChange(change: Extract<Change, { ok: true }>, ctx: ToolContext): Promise<FileDiff & { view: View }> {
  const bytes = encodeText(change.after, change.encoding);
  ctx.signal.throwIfAborted();
  await ctx.files.write(change.path, bytes);
  const info: FileInfo | null = await ctx.files.stat(change.path);
  if (info) remember(ctx.files, info, bytes);
  const diff = diffOf(change, ctx);
  return { ...diff, view: viewOf(change, diff, ctx) };
}

/** A failed result that is a sentence. */
export function refuse(text: string): Refused {
  return { ok: false, text };
}

const nameOf = (path: string, ctx: ToolContext): string => shownPath(ctx.files.resolve(path), ctx.roots[0] ?? ctx.cwd);

const diffOf = (change: Extract<Change, { ok: true }>, ctx: ToolContext): FileDiff => diffTexts(nameOf(change.path, ctx), change.before, change.after);

const viewOf = (change: Extract<Change, { ok: true }>, { patch }: FileDiff, ctx: ToolContext): View => ({ type: 'diff', path: nameOf(change.path, ctx), patch });
