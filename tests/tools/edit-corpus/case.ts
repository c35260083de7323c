// The form of the edit corpus: a file, an edit, and either the exact bytes after it or the sentence that refuses it.

export type EditCase = {
  what: string;
  /** The file's text; `encoding` says how it is stored (UTF-8). */
  file: string;
  encoding?: string;
  edits: readonly { old: string; new: string; all?: true }[];
} & ({ becomes: string; /** The strategy, where it is not `exact`. */ by?: string } | { refused: string });

/** An edit that must give exactly `becomes`. */
export const gives = (what: string, file: string, old: string, wanted: string, becomes: string, by?: string): EditCase => ({ what, file, edits: [{ old, new: wanted }], becomes, ...(by !== undefined && { by }) });

/** An edit that must be refused with a text that has this in it. */
export const refuses = (what: string, file: string, old: string, wanted: string, refused: string): EditCase => ({ what, file, edits: [{ old, new: wanted }], refused });

/** Lines with LF behind each. */
export const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
