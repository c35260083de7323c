// A patch in parts, whatever form it was written in.

/** `text` is without the line feed; a carriage return before it is kept. `last`: no newline stands behind it. */
export type PatchLine = { sign: ' ' | '-' | '+'; text: string; last?: true };

/** `line` is where it begins in the old file, counted from 1, and `behind` what stands somewhere before it, as far as the patch says. */
export type Hunk = { header: string; line?: number; behind?: readonly string[]; lines: readonly PatchLine[]; atEnd?: true };

/** `from` is `null` for a new file, `to` for one that goes. `unseen`: it goes without the patch showing what it holds. */
export type FilePatch = { from: string | null; to: string | null; hunks: readonly Hunk[]; mode?: number; unseen?: true };

export type ParsedPatch = { ok: true; files: readonly FilePatch[] } | { ok: false; problem: string };
