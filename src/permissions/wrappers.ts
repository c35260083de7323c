// Programs that run another program: how to find the one inside.
import { resolve } from 'node:path';
import { foundBy } from './found.ts';
import { type Field, programOf } from './words.ts';

/**
 * How a wrapper's own arguments are read. `valued`: options that take the next word. `skip`: operands of its own before the
 * command. `quiet`: it changes nothing but when or how the inner one runs, so the inner one alone is judged by rules.
 * `vars`: takes NAME=value before the command. `text`: what follows is text for a shell. `runner`: it runs a tool of the
 * project by its name, so that a rule for the whole line is enough.
 */
type Wrapper = { valued?: string; skip?: number; quiet?: true; vars?: true; text?: true; runner?: true };

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nohup: { quiet: true }, setsid: { quiet: true }, exec: { quiet: true, valued: '-a' }, command: { quiet: true }, builtin: { quiet: true }, eatmydata: { quiet: true },
  time: { quiet: true, valued: '-f -o --format --output' }, nice: { quiet: true, valued: '-n --adjustment' }, ionice: { quiet: true, valued: '-c -n --class --classdata' },
  timeout: { quiet: true, valued: '-k -s --kill-after --signal', skip: 1 }, gtimeout: { quiet: true, valued: '-k -s --kill-after --signal', skip: 1 },
  stdbuf: { quiet: true, valued: '-i -o -e --input --output --error' }, caffeinate: { quiet: true, valued: '-t -w' }, chrt: { quiet: true, skip: 1 }, taskset: { quiet: true, skip: 1 },
  env: { quiet: true, vars: true, valued: '-u -C -S --unset --chdir --split-string' },
  sudo: { vars: true, valued: '-u -g -p -C -D -R -T -r -t -U -h --user --group --prompt --close-from --chdir --chroot --role --type --other-user --host' },
  doas: { valued: '-u -C' }, pkexec: { valued: '--user' }, run0: { valued: '-u --user' }, unshare: {}, nsenter: { valued: '-t --target' }, setarch: { skip: 1 }, proot: { valued: '-r -b -w -q -m --rootfs --bind --cwd' }, firejail: {}, 'systemd-run': { valued: '-p -u --unit --property' },
  chroot: { skip: 1 }, flock: { skip: 1, valued: '-w -E --timeout --wait --conflict-exit-code' }, strace: { valued: '-e -o -p -s -u -P' }, ltrace: { valued: '-e -o -p -s -u' }, 'xvfb-run': { valued: '-n -s -e -f' }, 'dbus-run-session': {}, faketime: { skip: 1 },
  busybox: {}, toybox: {}, npx: { runner: true, valued: '-p --package' }, bunx: { runner: true }, pnpx: { runner: true }, uvx: { runner: true, valued: '--from --with --python -p' }, 'cross-env': { quiet: true, vars: true }, dotenv: { valued: '-e -f -v' }, torsocks: {}, proxychains: {}, proxychains4: {}, rlwrap: {}, unbuffer: {}, setpriv: { valued: '--reuid --regid --ruid --euid --rgid --egid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig' }, linux64: { quiet: true }, linux32: { quiet: true }, shx: {}, prlimit: {}, gosu: { skip: 1 }, 'su-exec': { skip: 1 },
  script: { skip: 1, valued: '-T -t -E -B -I -O -m --log-in --log-out --log-io --log-timing' }, watch: { text: true, valued: '-n -d --interval' }, xargs: { valued: '-I -L -n -P -s -a -d -E --max-args --max-procs --replace --delimiter --arg-file --max-lines --max-chars' }, 
  'pnpm exec': { runner: true }, 'npm exec': { runner: true }, 'yarn exec': { runner: true }, 'yarn dlx': { runner: true }, 'pnpm dlx': { runner: true }, 'bundle exec': { runner: true }, 'poetry run': { runner: true }, 'uv run': { runner: true, valued: '--with --python -p --extra --group --project --directory' },
  'pipenv run': { runner: true }, 'pdm run': { runner: true }, 'hatch run': { runner: true }, 'rye run': { runner: true }, 'pixi run': { runner: true }, 'conda run': { runner: true, valued: '-n -p --name --prefix' }, 'bun x': { runner: true }, 'pipx run': { runner: true }, 'rbenv exec': { runner: true }, 'mise exec': { runner: true }, 'direnv exec': { skip: 1 }, 'git bisect run': {},
  'perf stat': {}, 'perf record': {}, valgrind: {}, hyperfine: { text: true, valued: '-w -r -m -M -n -p -s --warmup --runs --prepare --setup --export-json --export-markdown' }, entr: {}, nodemon: { valued: '-w -e -i --watch --ext --ignore --delay' }, watchexec: { valued: '-w -e -i -f --watch --exts --ignore --filter' }, chpst: { valued: '-u -U -b -/ -n -l -m -d -o -p -f -c' }, cgexec: { valued: '-g' }, numactl: {}, runcon: { skip: 1 }, catchsegv: {}, aoss: {}, fakeroot: {}, 'start-stop-daemon': {}, 'op run': {}, 'doppler run': {}, 'aws-vault exec': { skip: 1 }, 'chronic': {}, ts: {}, retry: {}, 'dumb-init': {}, tini: {}, daemonize: {}, runuser: { valued: '-u -g -G -l --user --group --login' }, capsh: {},
  'git submodule foreach': { text: true },
};

/** Options by which a program takes text for a shell, and those programs. */
const TEXT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  su: ['-c', '--command', '--session-command'], runuser: ['-c', '--command'], script: ['-c', '--command'], flock: ['-c', '--command'], npx: ['-c', '--call'], 'npm exec': ['-c', '--call'], env: ['-S', '--split-string'], entr: ['-s'], nodemon: ['--exec', '-x'],
};

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'rbash']);

/** What a program runs. `rest`: a command of its own; `text`: shell text (one value each); `stdin`: shell text on its standard input. */
export type Inner =
  | { kind: 'none' }
  | { kind: 'command'; rest: readonly Field[]; vars: readonly Field[]; quiet: boolean; runner?: true }
  | { kind: 'text'; text: readonly Field[]; args: readonly Field[]; here: boolean; /** What `$0` is. */ zero?: Field }
  /** Shell text that stands in a file. */
  | { kind: 'file'; file: Field; args: readonly Field[]; here: boolean }
  | { kind: 'stdin' };

/** Finds what `args` (the program first) would run in the folder `cwd`. */
export function innerOf(args: readonly Field[], cwd: string | null): Inner {
  const name = programOf(args);
  const rest = args.slice(1);
  if (SHELLS.has(name)) return ofShell(rest);
  if (name === 'eval') return { kind: 'text', text: joined(rest), args: [], here: true };
  if (name === 'trap') {
    const own = rest[0]?.text === '--' ? rest.slice(1) : rest;
    return own.length > 1 && !(own[0]?.text ?? '').startsWith('-') ? { kind: 'text', text: own.slice(0, 1), args: [], here: false } : { kind: 'none' };
  }
  if (name === 'alias') return { kind: 'text', text: rest.flatMap((arg) => (arg.text?.includes('=') ? [{ ...arg, text: arg.text.replace(/^[^=]*=/, '') }] : [])), args: [], here: false };
  if (name === '.' || name === 'source') return ofFile(rest[0], rest.slice(1), true);
  if (name === 'find' || name === 'fd' || name === 'fdfind') return ofFind(args, cwd);
  if (name === 'at' || name === 'batch') return { kind: 'stdin' };
  if ((name === 'command' || name === 'type') && /^-[vV]/.test(rest[0]?.text ?? '')) return { kind: 'none' };

  const key = [3, 2, 1].map((count) => [name, ...args.slice(1, count).map((arg) => arg.text)].slice(0, count).join(' ')).find((words) => words in WRAPPERS || words in TEXT_OPTIONS);
  if (key === undefined) return { kind: 'none' };
  const own = rest.slice(key.split(' ').length - 1);
  const wrapper = WRAPPERS[key];
  const valued = wrapper?.valued?.split(' ') ?? [];
  let skip = wrapper?.skip ?? 0;
  const vars: Field[] = [];
  for (let i = 0; i < own.length; i += 1) {
    const arg = own[i];
    const text = arg?.text ?? '';
    const option = TEXT_OPTIONS[key]?.find((option) => text === option || text.startsWith(`${option}=`) || (option === '-S' && text.startsWith('-S')) || (option === '-c' && /^-[a-zA-Z]*c$/.test(text)));
    if (option !== undefined && arg) {
      const inline = text.length > option.length && option !== '-c';
      const value = inline ? { ...arg, text: text.slice(option.length).replace(/^=/, '') } : own[i + 1];
      if (option === '-S' || option === '--split-string') return { kind: 'text', text: joined([...(value ? [value] : []), ...own.slice(i + (inline ? 1 : 2))]), args: [], here: false };
      return { kind: 'text', text: value ? [value] : [], args: [], here: false };
    }
    if (!wrapper) continue;
    if (text === '--') return command(wrapper, own.slice(i + 1 + skip), vars);
    if (text.startsWith('-') && text !== '-') { if (valued.includes(text)) i += 1; continue; }
    if (text === '-' && key === 'env') continue;
    if (wrapper.vars && /^[A-Za-z_]\w*=/.test(text) && arg) { vars.push(arg); continue; }
    if (skip > 0) { skip -= 1; continue; }
    return command(wrapper, own.slice(i), vars);
  }
  // `sudo -i` and the like start a shell on their standard input.
  return key === 'sudo' || key === 'su' ? { kind: 'stdin' } : { kind: 'none' };
}

function command(wrapper: Wrapper, rest: readonly Field[], vars: readonly Field[]): Inner {
  if (rest.length === 0) return { kind: 'none' };
  return wrapper.text || (wrapper.runner && rest.length === 1 && /\s/.test(rest[0]?.text ?? '')) ? { kind: 'text', text: joined(rest), args: [], here: false } : { kind: 'command', rest, vars, quiet: wrapper.quiet === true, ...(wrapper.runner && { runner: true as const }) };
}

function ofShell(rest: readonly Field[]): Inner {
  let text = false;
  for (let i = 0; i < rest.length; i += 1) {
    const word = rest[i]?.text;
    if (word === '--rcfile' || word === '--init-file' || word === '-o' || word === '+o' || word === '-O' || word === '+O') { i += 1; continue; }
    if (word?.startsWith('--') && word !== '--') { if (word === '--version' || word === '--help') return { kind: 'none' }; continue; }
    if (word && /^[-+][A-Za-z]+$/.test(word)) {
      if (word.startsWith('-') && word.includes('c')) text = true;
      if (word.startsWith('-') && word.includes('s') && !text) return { kind: 'stdin' };
      if (/o$/i.test(word)) i += 1;
      continue;
    }
    if (word === '-' || word === '--') continue;
    if (text) return { kind: 'text', text: rest.slice(i, i + 1), args: rest.slice(i + 2), here: false, ...(rest[i + 1] && { zero: rest[i + 1] }) };
    return ofFile(rest[i], rest.slice(i + 1), false);
  }
  return text ? { kind: 'none' } : { kind: 'stdin' };
}

/** A script that is a file: the standard input, or one whose text may be known. */
function ofFile(file: Field | undefined, args: readonly Field[], here: boolean): Inner {
  if (/^\/dev\/(stdin|fd\/0)$/.test(file?.text ?? '')) return { kind: 'stdin' };
  if (!file) return { kind: 'none' };
  if (!file.holds) return { kind: 'file', file, args, here };
  return { kind: 'text', text: [{ text: file.holds.texts?.[0] ?? null, source: file.source, from: file.from, ...(file.holds.sketch !== undefined && { sketch: file.holds.sketch }) }], args, here: false };
}

function ofFind(args: readonly Field[], cwd: string | null): Inner {
  const rest = args.slice(1);
  const at = rest.findIndex((arg) => (programOf(args) === 'find' ? /^-(exec|execdir|ok|okdir)$/ : /^(-[xX]|--exec|--exec-batch)$/).test(arg.text ?? ''));
  if (at < 0) return { kind: 'none' };
  const end = rest.findIndex((arg, i) => i > at && (arg.text === ';' || (arg.text === '+' && rest[i - 1]?.text === '{}')));
  // `{}` is each thing found: not known by name, but by where it may be.
  const found = foundBy(args).map((path) => (cwd === null ? path : resolve(cwd, path)));
  const each = (arg: Field): Field[] => {
    const { text } = arg;
    if (text === null || !/\{\/?\/?\.?\}/.test(text)) return [arg];
    if (found.length === 0) return [{ text: null, source: arg.source, from: [] }];
    return text === '{}' ? found.map((path) => ({ text: null, sketch: path, source: '{}', from: [] })) : [{ text: null, sketch: text.replaceAll('{}', found[0] ?? ''), source: arg.source, from: [] }];
  };
  const inner = rest.slice(at + 1, end < 0 ? undefined : end);
  const named = programOf(args) !== 'find' && !inner.some(({ text }) => text?.includes('{'));
  return { kind: 'command', rest: [...inner, ...(named ? [{ text: '{}', source: '{}', from: [] }] : [])].flatMap(each), vars: [], quiet: false };
}

/** All words as one text, the way `eval` and `watch` put them together. */
function joined(args: readonly Field[]): Field[] {
  if (args.length === 0) return [];
  const text = args.map((arg) => arg.text ?? (arg.sketch || '$_')).join(' ');
  return [{ text: args.every((arg) => arg.text !== null) ? text : null, sketch: text, source: args.map((arg) => arg.source).join(' '), from: args.flatMap((arg) => arg.from) }];
}
