// What well-known programs do to files, and which of their flags make a harmless program run or write things. Data and its reader.
import { isAbsolute } from 'node:path';
import type { Effect } from '../types/permission.ts';
import { foundBy } from './found.ts';
import { type Field, programOf } from './words.ts';

/** `all`: every operand; `last`: the last one is written, the others read; `rest`: all but the first, which is no file; `none`: only options name files. */
type Operands = 'all' | 'last' | 'rest' | 'none';
type Program = { reads?: Operands; writes?: Operands; valued?: string; readBy?: string; /** Reads the file behind an `@` in its value. */ sentBy?: string; writtenBy?: string; append?: string };

const READ: Program = { reads: 'all' };
const WRITE: Program = { writes: 'all' };
const SEARCH: Program = { reads: 'rest', valued: '-e -A -B -C -m -g -t -d --include --exclude --regexp', readBy: '-f --file' };
const COPY: Program = { writes: 'last', valued: '-S -m -o -g --suffix --mode --owner --group -e --exclude --include', writtenBy: '-t --target-directory' };
const DISK: Program = { writes: 'all', valued: '-t -L -U -b -T -O -F -n -N -s' };

const PROGRAMS: Readonly<Record<string, Program>> = {
  rm: WRITE, rmdir: WRITE, unlink: WRITE, shred: { writes: 'all', valued: '-n -s --iterations --size' }, srm: WRITE, rimraf: WRITE, del: WRITE, 'del-cli': WRITE, trash: WRITE, 'trash-put': WRITE, mkdir: { writes: 'all', valued: '-m --mode' }, touch: { writes: 'all', valued: '-d -r -t --date --reference' },
  truncate: { writes: 'all', valued: '-s -r --size --reference' }, tee: { writes: 'all', append: '-a --append' }, mknod: WRITE, mkfifo: WRITE, sponge: WRITE, patch: { writes: 'all', valued: '-p -d', readBy: '-i', writtenBy: '-o' },
  chmod: { writes: 'rest' }, chown: { writes: 'rest' }, chgrp: { writes: 'rest' }, chattr: { writes: 'rest' }, setfacl: { writes: 'all', valued: '-m -x -M -X --modify --remove' },
  cp: COPY, install: COPY, ln: COPY, rsync: COPY, scp: COPY, mv: { ...COPY, writes: 'all' }, link: COPY, gcp: COPY,
  curl: { reads: 'none', readBy: '-T --upload-file -K --config', sentBy: '-d -F --data --data-binary --data-ascii --data-urlencode --form --json', writtenBy: '-o --output --output-dir -c --cookie-jar' }, wget: { reads: 'none', readBy: '--post-file -i --body-file', writtenBy: '-O --output-document -P --directory-prefix -o -a' },
  tar: { reads: 'none', readBy: '-T --files-from', writtenBy: '-C --directory' }, unzip: { reads: 'none', writtenBy: '-d' }, sort: { reads: 'all', valued: '-k -t -T -S', readBy: '--files0-from', writtenBy: '-o --output' }, dd: { reads: 'none' },
  split: { reads: 'all', valued: '-b -l -n -a' }, csplit: READ, zip: READ, pr: READ, fmt: READ, column: READ, shuf: { reads: 'all', valued: '-i -n', writtenBy: '-o --output' }, expand: READ, iconv: { reads: 'all', valued: '-f -t -o' }, xargs: { reads: 'none', readBy: '-a --arg-file' }, gzip: WRITE, bzip2: WRITE, xz: WRITE, zstd: READ,
  cd: READ, cat: READ, tac: READ, head: { reads: 'all', valued: '-n -c' }, tail: { reads: 'all', valued: '-n -c' }, less: READ, more: READ, bat: READ, nl: READ, od: READ, xxd: { reads: 'all', valued: '-l -s -c -g -o' }, hexdump: READ, strings: READ, base64: READ, base32: READ,
  cut: { reads: 'all', valued: '-d -f -c' }, paste: READ, join: READ, diff: { reads: 'all', valued: '-U -C -I -x -W', readBy: '--to-file --from-file' }, cmp: READ, comm: READ, uniq: { reads: 'all', valued: '-f -s -w' }, fold: READ, rev: READ, tsort: READ, source: READ, '.': READ, view: READ, vim: READ, vi: READ, nano: READ, code: READ, sha256sum: READ, md5sum: READ,
  grep: SEARCH, egrep: SEARCH, fgrep: SEARCH, rg: SEARCH, ag: SEARCH, sed: { reads: 'rest', valued: '-e --expression', readBy: '-f --file' }, awk: { reads: 'rest', valued: '-F -v', readBy: '-f --file' }, gawk: { reads: 'rest', valued: '-F -v', readBy: '-f --file' }, jq: { reads: 'rest' }, yq: { reads: 'rest' },
  perl: { reads: 'none', valued: '-e -E' }, ruby: { reads: 'none', valued: '-e' }, openssl: { reads: 'none', readBy: '-in -inkey -key', writtenBy: '-out -keyout' }, 'ssh-keygen': { reads: 'none', writtenBy: '-f' }, gpg: { reads: 'all', writtenBy: '-o --output' },
  wipefs: DISK, mkswap: DISK, blkdiscard: DISK, fdisk: DISK, cfdisk: DISK, sfdisk: DISK, gdisk: DISK, sgdisk: DISK, parted: { writes: 'all', valued: '-a --align' }, badblocks: DISK, mke2fs: DISK, newfs: DISK,
  wc: { reads: 'none', readBy: '--files0-from' }, file: { reads: 'none', valued: '-F -P', readBy: '-f --files-from -m --magic-file' }, date: { reads: 'none', readBy: '-f --file' }, gcc: { reads: 'none', writtenBy: '-o' }, cc: { reads: 'none', writtenBy: '-o' }, clang: { reads: 'none', writtenBy: '-o' }, du: { readBy: '--files0-from' },
  ed: WRITE, ex: { writes: 'all', valued: '-c' },
};

/** Files that a command reads or writes by what the program is known to do. Words that can't be known name none. */
export function programEffects(args: readonly Field[], cwd: string | null): Effect[] {
  const name = programOf(args);
  if (/^dc?fldd$|^dd$/.test(name)) return args.map(({ text, sketch }) => text ?? sketch).flatMap((text) => ofPath(text?.startsWith('of=') ? 'write' : text?.startsWith('if=') ? 'read' : null, text?.slice(3), cwd));
  if (name === 'find') return !has(args, /^-delete$/) ? [] : foundBy(args).flatMap((path) => ofPath('write', path, cwd));
  if (name === 'git') return ofHistory(args, cwd);
  const files = /^(curl|wget)$/.test(name) ? args.flatMap(({ text }) => ofPath('read', /^file:(?:\/\/[^/]*)?(\/[^?#]*)/i.exec(text ?? '')?.[1], cwd)) : [];
  let program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : /^(mkfs|newfs)/.test(name) ? DISK : undefined;
  if (!program) return [];
  // What goes into an archive is read.
  if (/^(bsd|g)?tar$/.test(name) && args.some(({ text }, i) => (i === 1 ? /^-?[a-zA-Z]*[cru]/ : /^(-[a-zA-Z]*[cru]|--create|--append|--update)/).test(text ?? ''))) program = { ...program, reads: 'rest' };
  if (/^(perl|ruby)$/.test(name) && has(args, /^-[a-z]*[np]/)) program = { ...program, reads: 'all' };
  const inPlace = (/^g?sed$/.test(name) && has(args, /^(-[a-zA-Z]*i|--in-place)/)) || (/^g?awk$/.test(name) && has(args, /^inplace$/)) || (/^(perl|ruby)$/.test(name) && has(args, /^-[a-zA-Z]*i/));
  if (inPlace) program = { ...program, writes: program.reads === 'rest' ? 'rest' : 'all' };
  if (/^n?vim?$/.test(name) && has(args, /^(\+|-c$|--cmd$|-[es]+$)/)) program = { writes: 'all', valued: '-c --cmd' };
  if (name === 'gzip' && has(args, /^-[a-z]*[cltd]/)) program = READ;
  // `fdisk -l` only looks.
  if (name === 'parted' && has(args, /^(print|unit|-l|--list|help|version|--version)$/)) return [];
  if (name === 'badblocks' && !has(args, /^-[a-z]*[wn]/)) return [];
  if (program === DISK && has(args, /^(-l|-p|-d|--list|--print|--dump|-n|--no-act|--help|--version)$/) && name !== 'mkswap' && !name.startsWith('mkfs')) return [];

  const valued = new Set(program.valued?.split(' '));
  const readBy = new Set(program.readBy?.split(' '));
  const sentBy = new Set(program.sentBy?.split(' '));
  const writtenBy = new Set(program.writtenBy?.split(' '));
  const append = program.append !== undefined && args.some(({ text }) => text !== null && program.append?.split(' ').includes(text));
  const effects: Effect[] = files;
  const operands: (string | null)[] = [];
  let patternGiven = false;
  let target = false;
  for (let i = 1; i < args.length; i += 1) {
    const text = args[i]?.text ?? null;
    if (text === '--') { operands.push(...args.slice(i + 1).map((arg) => arg.text)); break; }
    if (text === null || !text.startsWith('-') || text === '-') { operands.push(text ?? bareOf(args[i], name)); continue; }
    const [option = '', inline] = text.startsWith('--') ? text.split(/=(.*)/s) : [text.slice(0, 2), text.length > 2 ? text.slice(2) : undefined];
    if (/^(-e|--expression|--regexp|-f|--file)$/.test(option)) patternGiven = true;
    const kind = readBy.has(text) || readBy.has(option) ? 'read' : writtenBy.has(text) || writtenBy.has(option) ? 'write' : null;
    if (kind !== null) {
      const whole = readBy.has(text) || writtenBy.has(text);
      const path = whole || inline === undefined ? args[i += 1]?.text : inline;
      effects.push(...ofPath(kind, path, cwd));
      if (program.writes === 'last' && kind === 'write') target = true;
    } else if (sentBy.has(option)) {
      const value = inline ?? args[i += 1]?.text ?? '';
      effects.push(...ofPath('read', /^(?:[^=@]*=)?@(.+)$/s.exec(value)?.[1], cwd));
    } else if (valued.has(option) && inline === undefined) i += 1;
  }
  if (/^(uniq|xxd)$/.test(name)) effects.push(...ofPath('write', operands[1], cwd));
  const skip = (which: Operands | undefined) => (which === 'rest' && !patternGiven ? 1 : 0);
  if (program.writes === 'last') {
    const [sources, last] = target ? [operands, undefined] : [operands.slice(0, -1), operands.at(-1)];
    if (name !== 'ln') for (const source of sources) effects.push(...ofPath('read', source, cwd));
    effects.push(...intoFolder(sources, last, cwd));
  } else if (program.writes) {
    for (const operand of operands.slice(skip(program.writes))) effects.push(...ofPath('write', operand, cwd, append));
    if (name === 'mv') {
      for (const source of operands.slice(0, -1)) effects.push(...ofPath('read', source, cwd));
      effects.push(...intoFolder(operands.slice(0, -1), operands.at(-1), cwd));
    }
  } else if (program.reads && program.reads !== 'none') {
    for (const operand of operands.slice(skip(program.reads))) effects.push(...ofPath('read', operand, cwd));
  }
  return effects;
}

/** `git show HEAD:.env` prints a file as reading it would. */
function ofHistory(args: readonly Field[], cwd: string | null): Effect[] {
  return args.some(({ text }) => text === 'show' || text === 'cat-file') ? args.slice(2).flatMap(({ text }) => ofPath('read', /^[^:\s=]*:(?![/!^])([^:]+)$/.exec(text ?? '')?.[1], cwd)) : [];
}

/** A copy lands on its target or, where that is a folder, inside it. */
function intoFolder(sources: readonly (string | null)[], target: string | null | undefined, cwd: string | null): Effect[] {
  if (typeof target !== 'string') return [];
  const inside = sources.flatMap((source) => (source === null ? [] : [`${target.replace(/\/+$/, '')}/${source.replace(/\/+$/, '').replace(/^.*\//, '')}`]));
  return [target, ...inside].flatMap((path) => ofPath('write', path, cwd));
}

/** `rm -rf "$UNSET/*"`: children get few variables, so one that nobody sets is nothing. Right in the folder for temporary files there is always a name behind. */
function bareOf(arg: Field | undefined, program: string): string | null {
  if (/^\/proc\/[^/]+\/(environ|mem)$/.test(arg?.sketch ?? '')) return arg?.sketch ?? null;
  return /^(rm|rimraf|srm|shred|truncate|unlink|chmod|chown|chgrp|mv)$/.test(program) && arg?.sketch?.startsWith('/') && !/^\/(var\/)?tmp\/+\*?$/.test(arg.sketch) && !arg.sketch.includes('$_') ? arg.sketch : null;
}

/** An effect on `path` as the shell would find it from `cwd`; none where either is unknown. */
export function ofPath(kind: 'read' | 'write' | null, path: string | null | undefined, cwd: string | null, append = false): Effect[] {
  if (kind === null || path === null || path === undefined || path === '' || path === '-' || path.startsWith('/nowhere/') || (!isAbsolute(path) && cwd === null)) return [];
  if (/^[\w.-]+@?[\w.-]*:/.test(path) && !path.startsWith('/')) return [];
  // Every process has a way to the top of the disk, and to where it stands.
  const [, into, rest = ''] = /^\/proc\/(?:self|thread-self|\d+)\/(root|cwd)(?=\/|$)(.*)$/s.exec(path) ?? [];
  const target = into === 'root' ? `/${rest.replace(/^\/+/, '')}` : into === 'cwd' && cwd !== null ? cwd + rest : isAbsolute(path) ? path : `${cwd === '/' ? '' : cwd}/${path}`;
  if (/^\/dev\/(null|zero|u?random|full|stdin|stdout|stderr|tty|fd\/\d+)$/.test(target)) return [];
  return [{ kind, target, ...(append && { append }) }];
}

function has(args: readonly Field[], pattern: RegExp): boolean {
  return args.slice(1).some(({ text }) => text !== null && pattern.test(text));
}
