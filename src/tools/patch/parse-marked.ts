// Reads patches between `*** Begin Patch` and `*** End Patch`, which some models are trained to write: no line numbers,
// `@@ line` says behind which line a hunk stands.
import type { FilePatch, Hunk, ParsedPatch, PatchLine } from './types.ts';

const FILE = /^\*\*\* (Add|Delete|Update) File: (.+)$/;

export function parseMarked(all: readonly string[]): ParsedPatch {
  const begin = all.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = all.findIndex((line, at) => at > begin && line.trim() === '*** End Patch');
  const lines = all.slice(begin + 1, end === -1 ? undefined : end).map((line) => line.replace(/\r$/, ''));
  const files: FilePatch[] = [];
  for (let at = 0; at < lines.length;) {
    const [, verb, name = ''] = FILE.exec(lines[at] ?? '') ?? [];
    if (verb === undefined) {
      if ((lines[at] ?? '').trim() === '') { at += 1; continue; }
      return { ok: false, problem: `has a line where "*** Add File:", "*** Delete File:" or "*** Update File:" should stand: ${JSON.stringify(lines[at])}` };
    }
    const moved = /^\*\*\* Move to: (.+)$/.exec(lines[at + 1] ?? '')?.[1];
    const first = at + (moved === undefined ? 1 : 2);
    let next = first;
    while (next < lines.length && !FILE.test(lines[next] ?? '')) next += 1;
    const body = lines.slice(first, next);
    while (body.at(-1) === '') body.pop();
    at = next;
    if (verb === 'Delete') { files.push({ from: name, to: null, hunks: [], unseen: true }); continue; }
    const hunks = readHunks(body);
    if (typeof hunks === 'string') return { ok: false, problem: `${hunks} (in the part of ${name})` };
    if (verb === 'Update' && hunks.length === 0 && moved === undefined) return { ok: false, problem: `says nothing of what to change in ${name}` };
    files.push({ from: verb === 'Add' ? null : name, to: moved ?? name, hunks });
  }
  return files.length > 0 ? { ok: true, files } : { ok: false, problem: 'names no file' };
}

function readHunks(body: readonly string[]): Hunk[] | string {
  const hunks: Hunk[] = [];
  let header = '@@';
  let behind: string[] = [];
  let lines: PatchLine[] = [];
  const close = (atEnd: boolean) => {
    if (lines.length > 0) hunks.push({ header, lines, ...(behind.length > 0 && { behind }), ...(atEnd && { atEnd: true as const }) });
    if (lines.length > 0) behind = [];
    lines = [];
  };
  for (const line of body) {
    if (line.startsWith('@@')) {
      close(false);
      header = line;
      const name = line.slice(2).replace(/@@\s*$/, '').trim();
      if (name !== '') behind = [...behind, name];
    } else if (line === '*** End of File') close(true);
    else if (/^[ +-]/.test(line) || line === '') lines.push({ sign: line === '' ? ' ' : line[0] as PatchLine['sign'], text: line.slice(1) });
    else return `has a line that begins with none of blank, - and +: ${JSON.stringify(line)}`;
  }
  close(false);
  return hunks.find((hunk) => hunk.lines.every(({ sign }) => sign === ' ')) ? 'has a hunk that changes nothing' : hunks;
}
