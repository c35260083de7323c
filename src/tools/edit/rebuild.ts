// The lines that a loosely matched edit puts into a file: kept lines as the file has them, new ones in its style.
import { align, type Alignment } from './align.ts';
import { indentOf, indentPairs, stepsOf, translateIndent } from './indentation.ts';
import { learnMarks, squeeze, translateMarks } from './quotes.ts';
import { isSlip } from './similar.ts';

/** The file's lines, those that the model wrote for them, and what it wants there; all without line endings. */
type Rebuild = { has: readonly string[]; wrote: readonly string[]; wanted: readonly string[]; file: readonly string[] };

export type Rebuilt = { ok: true; lines: string[] } | { ok: false; problem: string };

/** What it wants in the file's own indentation and quotes, or why that can't be told. */
export function rebuild({ has, wrote, wanted, file }: Rebuild): Rebuilt {
  const alignment = align(wrote, wanted);
  const stranger = changedStranger({ has, wrote, wanted, file }, alignment);
  if (stranger !== undefined) return { ok: false, problem: `the edit would change ${JSON.stringify(has[stranger]?.trim())}, where old_string has ${JSON.stringify(wrote[stranger]?.trim())}` };

  const alike = has.flatMap((line, index) => (squeeze(line) === squeeze(wrote[index] ?? '') ? [{ has: line, wrote: wrote[index] ?? '' }] : []));
  const marks = learnMarks(alike);
  const indentFor = indentation({ has, wrote, wanted, file }, alignment, alike);
  const lines: string[] = [];
  for (const [index, line] of wanted.entries()) {
    const kept = alignment.kept[index] ?? -1;
    if (kept >= 0) { lines.push(has[kept] ?? line); continue; }
    if (line.trim() === '') { lines.push(''); continue; }
    const content = translateMarks(line.trimStart(), marks);
    if (content === undefined) return { ok: false, problem: `the file has other quotes or dashes than old_string, and it can't be told which ones ${JSON.stringify(line.trim())} should have` };
    const indent = indentFor(index);
    if (indent === undefined) return { ok: false, problem: `the file is indented otherwise than old_string, and it can't be told how far ${JSON.stringify(line.trim())} should be` };
    // Blanks at the end that only the model has are its slip on the new line too.
    const instead = alignment.instead[index] ?? -1;
    lines.push(indent + (endsBlank(wrote[instead]) && !endsBlank(has[instead]) ? content.trimEnd() : content));
  }
  return { ok: true, lines };
}

/** The first line that would be replaced though it is not what the model believes to stand there. */
function changedStranger({ has, wrote, wanted, file }: Rebuild, { kept, instead }: Alignment): number | undefined {
  const keeps = new Set(kept);
  const index = wrote.findIndex((line, at) => {
    const there = has[at] ?? '';
    return !keeps.has(at) && squeeze(line) !== squeeze(there) && wanted[instead.indexOf(at)]?.trim() !== there.trim() && !isSlip(there, line, file);
  });
  return index === -1 ? undefined : index;
}

const endsBlank = (line = ''): boolean => /\s$/.test(line);

/** Gives each line that it wants the indentation that it has in the file; `undefined` where that can't be told. */
function indentation({ has, wrote, wanted, file }: Rebuild, { kept, instead }: Alignment, alike: readonly { has: string; wrote: string }[]): (index: number) => string | undefined {
  const pairs = indentPairs(alike.map((pair) => pair.wrote), alike.map((pair) => pair.has));
  const steps = stepsOf(file, [...wrote, ...wanted]);
  const flat = new Set([...wrote, ...wanted].filter((line) => line.trim() !== '').map(indentOf)).size === 1;
  const told = new Map<string, string | undefined>();
  return (index) => {
    const indent = indentOf(wanted[index] ?? '');
    // The first line is often quoted from its first letter on.
    if (index === 0 && indent === indentOf(wrote[0] ?? '') && has[0] !== undefined) return indentOf(has[0]);
    if (!told.has(indent)) told.set(indent, pairs.length === 0 ? undefined : translateIndent(indent, pairs, steps));
    // It stands as far in as the line in whose place or next to which it comes; where these say otherwise, nothing is certain.
    const alikeAt = (at = -1): string[] => (has[at]?.trim() && indent === indentOf(wrote[at] ?? '') ? [indentOf(has[at])] : []);
    const own = alikeAt(instead[index]);
    const result = told.get(indent) ?? (flat ? own[0] : undefined);
    return [...own, ...(own.length > 0 ? [] : [kept[index - 1], kept[index + 1]].flatMap(alikeAt))].every((near) => near === result) ? result : undefined;
  };
}
