// The files that the user has answered for, kept so that what changes in them can be shown.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicSync } from '../lib/atomic.ts';
import { reveal } from '../lib/clean.ts';

/** A longer file is not kept: that it has changed is said all the same. */
const LONGEST = 256 * 1024;
/** Lines of a change that are shown. */
const SHOWN = 60;

/** Keeps a file's text under its hash, without what is secret in it. */
export function keepText(folder: string, { hash, text }: { hash: string; text?: string }): void {
  if (text === undefined || text.length > LONGEST || statSync(join(folder, hash), { throwIfNoEntry: false })) return;
  writeAtomicSync(join(folder, hash), withoutSecrets(text));
}

/** Forgets every text but those of `hashes`. */
export function forgetTexts(folder: string, hashes: ReadonlySet<string>): void {
  for (const name of names(folder)) if (!hashes.has(name)) rmSync(join(folder, name), { force: true });
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The changed lines of a file since the text with the hash `before` was kept; nothing where that was not kept. */
export async function changesOf(folder: string, before: string | undefined, text: string | undefined): Promise<string[]> {
  if (before === undefined || text === undefined) return [];
  let old: string;
  try {
    old = readFileSync(join(folder, before), 'utf8');
  } catch {
    return [];
  }
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', old, withoutSecrets(text), '', '', { context: 1, timeout: 500 });
  const lines = patch?.hunks.flatMap((hunk, index) => [...(index > 0 ? ['…'] : []), ...hunk.lines]).map(reveal) ?? [];
  return lines.length > SHOWN ? [...lines.slice(0, SHOWN), `… ${lines.length - SHOWN} lines more`] : lines;
}

/** A text with the values of keys, tokens and passwords left out. */
function withoutSecrets(text: string): string {
  return text.replace(/((?:api_?key|token|secret|password|authorization|cookie)["']?[ \t]*[:=][ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s,}]+)/gi, '$1(hidden)');
}
