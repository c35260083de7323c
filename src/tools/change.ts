// Changes of text files: opened, planned, shown and carried out, all or none. Every file that a tool writes is written here.
import { plural } from '../lib/plural.ts';
import type { View } from '../types/message.ts';
import type { FileInfo, ToolContext } from '../types/tool.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { merge } from './edit/merge.ts';
import { shownPath } from './text.ts';
import { decodeAnyText, encodeAnyText, remember, staleness, type Encoding } from './text-file.ts';
import { diffTexts, type FileDiff } from './unified-diff.ts';

/** `text` is a sentence for the model. */
export type Refused = { ok: false; text: string };

/** What the disk has. */
type Disk = { info: FileInfo; bytes: Uint8Array; text: string };

/** A text file as the model knows it; `disk` is `null` where there is none yet, and its text another one where others have changed it since. */
export type Opened = { ok: true; path: string; text: string; encoding: Encoding; disk: Disk | null };

/** What a file will be: `after` is `null` where it goes, `to` another path where it moves. `note` tells the model what else there is to know. */
export type Change = { ok: true; path: string; to: string; before: string | null; after: string | null; bytes: Uint8Array; disk: Disk | null; mode?: number; note: string };

/** Changes by others up to this many characters of diff are told with the result; more must be read. */
const TOLD = 10_000;

/**
 * Opens a file that is to be changed; it must be text. `known` is what the model must know of it: `latest`, what it
 * holds now; `before`, what it held at some time, so that changes can be merged; `nothing`, where the change itself
 * shows what it is made for.
 */
export async function openForChange(path: string, ctx: ToolContext, { known }: { known: 'latest' | 'before' | 'nothing' }): Promise<Opened | Refused> {
  const info = await ctx.files.stat(path);
  if (!info) return { ok: true, path, text: '', encoding: { name: 'utf-8', bom: false }, disk: null };
  if (info.kind !== 'file') return refuse(`${path} is ${info.kind === 'folder' ? 'a folder' : 'not a regular file'}, so it can't be written.`);
  const bytes = await ctx.files.read(path);
  const decoded = await decodeAnyText(bytes);
  if (!decoded.ok) return refuse(`${path} is ${decoded.why === 'binary' ? 'a binary file' : 'text in no encoding that can be told'}, so it can't be changed as text.`);
  const { text, encoding } = decoded;
  const latest: Opened = { ok: true, path, text, encoding, disk: { info, bytes, text } };
  const stale = staleness(ctx.files, info, bytes);
  // A refusal shows lines of the file: of one with secrets it must not.
  if (known === 'nothing' && !(stale === 'unread' && [info.path, ctx.files.resolve(path)].some(ctx.files.hidden))) return latest;
  if (stale === undefined) return latest;
  if (stale === 'unread') return refuse(`${path} exists and has not been read in this session. Nothing was changed. Read it with ReadFile, then try again.`);
  const old = known === 'before' ? ctx.files.seen.get(info.path)?.bytes : undefined;
  const before = old && await decodeAnyText(old);
  if (!before?.ok || before.encoding.name !== encoding.name || before.encoding.bom !== encoding.bom) return refuse(changedSince(path));
  return { ...latest, text: before.text };
}

/** The change that makes `after` of the text that the model knows; `null` deletes. What others did meanwhile stays. */
export async function planChange({ path, text, encoding, disk }: Opened, after: string | null, { to = path, mode, note = '' }: { to?: string; mode?: number; note?: string } = {}): Promise<Change | Refused> {
  const before = disk?.text ?? null;
  const planned = { ok: true as const, path, to, before, disk, ...(mode !== undefined && { mode }) };
  let result = after;
  let told = note;
  if (before !== null && before !== text) {
    const merged = after === null ? undefined : merge(text, after, before);
    const others = diffTexts(path, text, before).patch.trimEnd();
    if (merged === undefined || others.length > TOLD) return refuse(changedSince(path));
    result = merged;
    told += `\n${path} has changed on disk since it was last read, elsewhere; that change was kept:\n${others}`;
  }
  if (result === null) return { ...planned, after: null, bytes: new Uint8Array(), note: told };
  const encoded = await encodeAnyText(result, encoding);
  if (!encoded.ok) return refuse(`${path} is in ${encoding.name}, which can't hold ${JSON.stringify(encoded.char)}. Nothing was changed. Write it in another way, or convert the file to UTF-8 first.`);
  return { ...planned, after: result, bytes: encoded.bytes, note: told };
}

/** What the permission dialog shows. Throws the refusal: such a call fails without asking anyone. */
export function showChanges(changes: readonly Change[] | Change | Refused, ctx: ToolContext): View {
  if ('ok' in changes && !changes.ok) throw new UserError(changes.text);
  return diffsOf('ok' in changes ? [changes] : changes, ctx).view;
}

type Diffs = { diffs: readonly FileDiff[]; patch: string; added: number; removed: number; view: View };

/** The diffs of changes, one by one and together. */
function diffsOf(changes: readonly Change[], ctx: ToolContext): Diffs {
  const name = (path: string): string => shownPath(ctx.files.resolve(path), ctx.roots[0] ?? ctx.cwd);
  const diffs = changes.map(({ path, to, before, after }) => diffTexts(after === null ? '/dev/null' : name(to), before ?? '', after ?? '', { from: name(path) }));
  const patch = diffs.map((diff) => diff.patch).join('');
  const sum = (part: 'added' | 'removed') => diffs.reduce((total, diff) => total + diff[part], 0);
  const [only] = changes;
  return { diffs, patch, added: sum('added'), removed: sum('removed'), view: { type: 'diff', path: changes.length === 1 && only ? name(only.to) : plural(changes.length, 'file'), patch } };
}

/**
 * Carries changes out: all of them or, when one fails, none. Gives the diffs. This is the one place where tools write
 * files; `disk` of each change is what was there before.
 */
export async function makeChanges(changes: readonly Change[], ctx: ToolContext): Promise<Diffs> {
  for (const change of changes) await checkUnmoved(change, ctx);
  ctx.signal.throwIfAborted();
  const begun: Change[] = [];
  try {
    for (const change of changes) {
      begun.push(change);
      await carryOut(change, ctx);
    }
  } catch (error) {
    const left = await takeBack(begun.toReversed(), ctx);
    const rest = left.length === 0 ? 'Nothing was changed.' : `Taking back what was done failed too: look at ${left.join(', ')}.`;
    throw changes.length === 1 && left.length === 0 ? error : new UserError(sentenceOf(error), rest);
  }
  for (const { path, to, after, bytes, disk } of changes) {
    if (disk && (after === null || to !== path)) ctx.files.seen.delete(disk.info.path);
    const info = after === null ? null : await ctx.files.stat(to);
    if (info) remember(ctx.files, info, bytes);
  }
  return diffsOf(changes, ctx);
}

async function carryOut({ path, to, after, bytes, disk, mode }: Change, ctx: ToolContext): Promise<void> {
  if (after !== null) await ctx.files.write(to, bytes, mode === undefined ? {} : { mode });
  if (disk && (after === null || to !== path)) await ctx.files.remove(path);
}

/** Gives the files that could not be made as they were. */
async function takeBack(changes: readonly Change[], ctx: ToolContext): Promise<string[]> {
  const left: string[] = [];
  for (const { path, to, disk } of changes) {
    try {
      if ((!disk || to !== path) && await ctx.files.stat(to)) await ctx.files.remove(to);
      if (disk) await ctx.files.write(path, disk.bytes, { mode: disk.info.mode });
    } catch {
      left.push(path);
    }
  }
  return left;
}

/** What was looked at must still be there when it is written. */
async function checkUnmoved({ path, to, disk }: Change, ctx: ToolContext): Promise<void> {
  const now = await ctx.files.stat(path);
  if (now?.mtimeMs !== disk?.info.mtimeMs || now?.size !== disk?.info.size) throw new UserError(changedSince(path));
  if (to !== path && await ctx.files.stat(to)) throw new UserError(`${to} exists, so ${path} can't be moved there. Nothing was changed.`);
}

/** A failed result that is a sentence. */
export function refuse(text: string): Refused {
  return { ok: false, text };
}

const changedSince = (path: string): string => `${path} has changed on disk since it was last read. Nothing was changed. Read it again with ReadFile, then try again.`;
