// Texts that programs hand to a shell by their own ways: terminals, schedulers, editors, git, make, containers.
import { type Field, sketchOf, type Value, programOf } from './words.ts';
import { INDEXED } from './doubts.ts';
import { unescaped } from './output.ts';

/** One text for a shell, and what went into it. `apart`: it runs where rules don't reach, in a container. */
export type Handed = { text: string; from: readonly string[]; apart?: true };

/* Options whose value, or the word behind them, is text for a shell; `rest`: all words behind. */
const OPTIONS: readonly [program: RegExp, option: RegExp, kind?: 'rest'][] = [
  [/^(tar|bsdtar|gtar)$/, /^(--to-command|--use-compress-program|--rsh-command|--info-script|--new-volume-script|-I|-F)$/], [/^sort$/, /^--compress-program$/], [/^(rg)$/, /^(--pre|--hostname-bin)$/], [/^man$/, /^(-P|--pager)$/], [/^split$/, /^--filter$/], [/^zip$/, /^(-TT|--unzip-command)$/],
  [/^rsync$/, /^(-e|--rsh)$/], [/^nix-shell$/, /^(--run|--command)$/], [/^(sg|newgrp)$/, /^-c$/], [/^(xterm|konsole|alacritty|kitty|urxvt|rxvt|lxterminal|terminator|xfce4-terminal|st|foot|mate-terminal|tilix|guake)$/, /^(-e|-x|--command|--execute)$/, 'rest'], [/^(gnome-terminal|ptyxis|kgx)$/, /^(--|-e|-x)$/, 'rest'],
  [/^(nc|ncat|netcat)$/, /^(-c|-e|--exec|--sh-exec)$/], [/^(fish|csh|tcsh|nu|xonsh|elvish|pwsh|powershell)$/, /^(-c|-Command|-command|--command|--commands)$/], [/^wget$/, /^--use-askpass$/], [/^(fzf|sk)$/, /^(--preview|--execute)$/], [/^(zellij|wezterm)$/, /^--$/, 'rest'], [/^nix$/, /^(-c|--command)$/, 'rest'], [/^git (rebase|difftool)$/, /^(-x|--exec|--extcmd)$/], [/^git (clone|ls-remote)$/, /^-u$/], [/^git (filter-branch|clone|fetch|pull|push|ls-remote|fetch-pack|send-pack|archive)$/, /^(--exec|--(tree|index|msg|env|commit|parent|tag-name)-filter|--upload-pack|--receive-pack)$/],
];
/* Configuration of git whose value is run; `!` first for those that may also be plain. */
const GIT_RUNS = /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|pager\..*|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|(diff|merge)tool\..*\.(cmd|path)|merge\..*\.driver|interactive\.difffilter|filter\..*\.(clean|smudge|process)|gpg\.(.*\.)?program|credential\.(.*\.)?helper|alias\..*|uploadpack\..*hook|remote\..*\.(uploadpack|receivepack|vcs)|http\.proxy|ssh\.variant|trailer\..*\.(command|cmd)|browser\..*\.cmd|man\..*\.cmd|web\.browser)$/i;
const TMUX_RUNS = /^(new|new-session|neww|new-window|splitw|split-window|respawnp|respawn-pane|respawnw|respawn-window|popup|display-popup|run|run-shell|pipep|pipe-pane|if|if-shell|confirm|confirm-before)$/;
const TMUX_VALUED = /^-[a-zA-Z]*[tsncxyeFfhwTSLlbBdp]$/;

/** The texts that `args` (the program first) hand to a shell. `file` tells what stands in a file, where that is known. */
export function handedOf(args: readonly Field[], stdin: Value, file: (path: string) => Value | undefined): Handed[] {
  const name = programOf(args);
  const rest = args.slice(1);
  const words = rest.map(said);
  const from = [...new Set(rest.flatMap((field) => field.from))];
  const piped = stdin.texts ?? (stdin.sketch === undefined ? [] : [sketchOf(stdin)]);
  const texts = (all: readonly (string | undefined)[]): Handed[] => all.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [{ text, from }]));
  /** What stands in the files named, or comes on the standard input. */
  const given = (paths: readonly string[]): Handed[] => (paths.length > 0 ? paths : ['-']).flatMap((path) => (/^(-|\/dev\/stdin)$/.test(path) ? piped.map((text) => ({ text, from: stdin.from })) : (file(path)?.texts ?? []).map((text) => ({ text, from: file(path)?.from ?? [] }))));
  const byOption = OPTIONS.filter(([program]) => program.test(name) || program.test(`${name} ${words.find((word, i) => !word.startsWith('-') && words[i - 1] !== '-c' && words[i - 1] !== '-C') ?? ''}`)).flatMap(([, option, kind]) => texts(valuesOf(words, option, kind === 'rest')));
  switch (name) {
    case 'tmux': case 'byobu': return texts(ofTmux(words));
    case 'screen': return texts(ofScreen(words));
    case 'crontab': return given(words.filter((word, i) => !/^-\w/.test(word) && words[i - 1] !== '-u')).flatMap(ofCrontabs);
    case 'expect': case 'tclsh': return texts(valuesOf(words, /^-c$/, false).flatMap(ofExpect)).concat(words.every((word) => word.startsWith('-')) ? piped.flatMap((text) => texts(ofExpect(text))) : []);
    case 'git': return [...byOption, ...texts(ofGit(words))];
    case 'make': case 'gmake': case 'just': {
      const files = valuesOf(words, /^(-f|--file|--makefile|--justfile)$/, false);
      return [...texts([...valuesOf(words, /^(--eval|-E)$/, false).flatMap(recipesOf), ...words.flatMap((word) => /^(?:SHELL)=(.*)$/s.exec(word)?.[1] ?? [])]), ...given(files.length > 0 ? files : ['Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile']).flatMap(({ text, from: own }) => recipesOf(text).map((line) => ({ text: line, from: own })))];
    }
    case 'vim': case 'vi': case 'nvim': case 'view': case 'ex': case 'gvim': case 'vimdiff':
      return texts([...valuesOf(words, /^(-c|--cmd)$/, false), ...words.flatMap((word) => (word.startsWith('+') ? [word.slice(1)] : []))].flatMap((text) => /(?:^|\|)\s*:?(?:silent!?\s+)?(?:(?:r|w|term(?:inal)?|%)\s*)?!(.*)$/s.exec(text)?.[1] ?? /\b(?:system|termopen|jobstart)\((["'])(.*)\1\)/s.exec(text)?.[2] ?? []));
    case 'less': return texts(words.map((word) => /^\+{1,2}!(.*)$/s.exec(word)?.[1]));
    case 'ed': return texts(piped.flatMap((text) => text.split('\n')).map((line) => /^\s*[\d,$]*!(.*)$/.exec(line)?.[1]));
    case 'sqlite3': case 'sqlite': return texts([...words, ...piped].flatMap((word) => [...word.matchAll(/^\s*\.(?:(?:shell|system|sh)\s+(.*)|(?:once|output|import)\s+['"]?\|([^'"\n]*).*)$/gm)].map((found) => found[1] ?? found[2])));
    case 'psql': case 'mysql': case 'mariadb': return texts([...words, ...piped].flatMap((word) => [...word.matchAll(/(?:\\!|^\s*system\s)\s*(.*)$/gm)].map((found) => found[1])));
    case 'test': case '[': case 'read': case 'unset': case 'let': case 'declare': case 'typeset': case 'local': case 'printf': return texts(words.filter((word) => INDEXED.test(word)).flatMap(substituted));
    case 'gdb': case 'lldb': return texts(valuesOf(words, /^(-ex|-eval-command|--ex|-o)$/, false).flatMap((text) => /^\s*(?:shell|!|platform shell)\s*(.*)$/s.exec(text)?.[1] ?? []));
    case 'ssh': case 'scp': case 'sftp': {
      const options = [...valuesOf(words, /^-o$/, false), ...words.flatMap((word) => /^-o(.+)$/s.exec(word)?.[1] ?? [])].flatMap((text) => /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is.exec(text)?.[1] ?? []);
      const [host = '', ...command] = words.filter((word, i) => !word.startsWith('-') && !/^-[a-zA-Z]*[bcDEeFIiJLlmOopQRSWw]$/.test(words[i - 1] ?? ''));
      // What runs elsewhere is not ours to judge; this machine is.
      return texts([...options, ...(name === 'ssh' && /^(\w+@)?(localhost|127\.0\.0\.1|::1)$/.test(host) ? [command.join(' ')] : [])]);
    }
    case 'tar': case 'gtar': return [...byOption, ...texts(words.flatMap((word) => /^--checkpoint-action=exec=(.*)$/s.exec(word)?.[1] ?? []))];
    case 'socat': return texts(words.flatMap((word) => /^(?:EXEC|SYSTEM):['"]?([^'"]*)/is.exec(word)?.[1] ?? []));
    case 'sed': case 'gsed': return texts(words.flatMap((word) => [...word.matchAll(/(?:^|[;\n{])\s*(?:\d+|\$|\/[^/]*\/)?\s*e\s+([^\n]+)/g)].map((found) => found[1])).concat(words.flatMap((word) => /^s(.)(?:(?!\1).)*\1((?:\\.|(?!\1).)*)\1[gIpim0-9]*e/s.exec(word)?.[2]?.replace(/\\(.)/g, '$1') ?? [])));
    case 'npm': case 'pnpm': return texts(words[0] === 'pkg' && words[1] === 'set' ? words.slice(2).flatMap((word) => /^scripts[.[][^=]*=(.*)$/s.exec(word)?.[1] ?? []) : valuesOf(words, /^(-c|--call)$/, false));
    case 'concurrently': case 'npm-run-all': return texts(words.filter((word, i) => /\s/.test(word) && !/^(-n|--names|-c|--prefix-colors)$/.test(words[i - 1] ?? '')));
    case 'docker': case 'podman': case 'nerdctl': return ofContainer(words).map((one) => ({ ...one, from, apart: true as const }));
    case 'parallel': case 'sem': case 'rush': return ofParallel(words, piped).map((text) => ({ text, from: [...from, ...stdin.from] }));
    default: return byOption;
  }
}

/* Variables whose value is run as a command, and those whose value a prompt expands. */
const RUN_VARIABLES = /^(PROMPT_COMMAND|PAGER|MANPAGER|GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_SSH_COMMAND|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_ASKPASS|GIT_PROXY_COMMAND|SSH_ASKPASS|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|FZF_DEFAULT_COMMAND|RSYNC_RSH|CVS_RSH|SUDO_ASKPASS|MAKE_SHELL|GIT_CONFIG_VALUE_\d+)$/;

/** What setting a variable to a text makes a later command run. */
export function runBy(variable: string, text: string): string[] {
  if (RUN_VARIABLES.test(variable)) return text.trim() === '' ? [] : [text.replace(/^[|!-]\s*/, '')];
  return /^PS[0-4]$/.test(variable) ? substituted(text) : [];
}

/** What runs when a text is expanded as a prompt or an index. */
export function substituted(text: string): string[] {
  return [...text.matchAll(/\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)|`([^`]*)`/g)].map(([, a, b]) => a ?? b ?? '');
}

function said(field: Field): string {
  return field.text ?? (field.sketch || '$_');
}

/** Values of an option: inline behind `=` or stuck to a short one, else the next word, or with `rest` all words behind as one. */
function valuesOf(words: readonly string[], option: RegExp, rest: boolean): string[] {
  return words.flatMap((word, i) => {
    if (option.test(word)) return rest ? [lineOf(words.slice(i + 1))] : words.slice(i + 1, i + 2);
    const [, long, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? /^(-\w)(.+)$/s.exec(word) ?? [];
    return long !== undefined && value !== undefined && option.test(long) ? [value] : [];
  });
}

/* One word is a text of its own; several are a command, each as it stands. */
function lineOf(words: readonly string[]): string {
  const [only = ''] = words;
  return words.length === 1 ? only : words.map((word) => (/^\S+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ');
}

function ofTmux(words: readonly string[]): string[] {
  const commands: string[][] = [[]];
  for (const word of words) if (word === ';' || word === '\\;') commands.push([]); else commands.at(-1)?.push(word);
  return commands.flatMap((command) => {
    const start = command.findIndex((word, i) => !word.startsWith('-') && !/^-[LSfT]$/.test(command[i - 1] ?? ''));
    const verb = command[start] ?? '';
    const own = command.slice(start + 1);
    const typed = /^(send|send-keys|send-prefix|setb|set-buffer)$/.test(verb);
    if (!typed && !TMUX_RUNS.test(verb)) return [];
    const at = own.findIndex((word, i) => !word.startsWith('-') && !(/^-[a-zA-Z]*[tsncxyeFfhwTSblpN]$/.test(own[i - 1] ?? '') && (typed ? /t$|N$|b$/.test(own[i - 1] ?? '') : TMUX_VALUED.test(own[i - 1] ?? ''))));
    const operands = at < 0 ? [] : own.slice(at);
    if (typed) return [operands.map((word) => (/^(Enter|C-m|C-j|KPEnter)$/.test(word) ? '\n' : word === 'Space' ? ' ' : /^(C|M|S)-.$|^(Escape|Tab|BSpace|Up|Down|Left|Right|Home|End)$/.test(word) ? '' : word.replace(/[\r\n]+/g, '\n'))).join('')];
    // `if-shell` takes a test and tmux commands.
    if (/^(if|if-shell|confirm|confirm-before)$/.test(verb)) return operands.flatMap((text, i) => [...(i === 0 && verb.startsWith('if') ? [text] : []), ...ofTmux(splitWords(text))]);
    return operands.length > 0 ? [lineOf(operands)] : [];
  });
}

/* Words of a text within a text, quotes taken off. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

function ofScreen(words: readonly string[]): string[] {
  const at = words.indexOf('-X');
  if (at >= 0) {
    const [verb, ...operands] = words.slice(at + 1);
    if (verb === 'stuff') return [unescaped(operands.join(' ').replaceAll('^M', '\n')).replaceAll('\r', '\n')];
    return /^(exec|screen)$/.test(verb ?? '') ? [lineOf(operands)] : [];
  }
  const start = words.findIndex((word, i) => !word.startsWith('-') && !/^-[a-zA-Z]*[SscehptT]$/.test(words[i - 1] ?? ''));
  return start >= 0 ? [lineOf(words.slice(start))] : [];
}

/** The commands of a crontab; five fields or `@daily` stand before each. */
function ofCrontabs({ text, from }: Handed): Handed[] {
  return text.split('\n').flatMap((line) => /^\s*(?:@\w+|(?:[\d*,/\-A-Za-z]+\s+){4}[\d*,/\-A-Za-z]+)\s+(.+)$/.exec(line)?.[1] ?? []).map((line) => ({ text: line, from }));
}

function ofExpect(text: string): string[] {
  return text.split(/[;\n]/).flatMap((line) => /^\s*(?:spawn|exec|system)\s+((?!-)\S.*|-(?:noecho|ignore)\s.*)$/.exec(line)?.[1]?.replace(/^-\w+\s+/, '').replace(/\{([^']*)\}/g, "'$1'") ?? /^\s*(?:send|exp_send)\s+(?:--?\w*\s+)*["{](.*?)(?:\\r|\\n)*["}]\s*$/.exec(line)?.[1] ?? []);
}

function ofGit(words: readonly string[]): string[] {
  const pairs = words.flatMap((word, i) => (words[i - 1] === '-c' || words[i - 1] === '--config' ? [word] : /^--config=(.+)$/s.exec(word)?.[1] ?? []));
  const at = words.indexOf('config');
  const own = at >= 0 ? words.slice(at + 1).filter((word) => !word.startsWith('-') && word !== 'set') : [];
  if (own[0] !== undefined && own[1] !== undefined) pairs.push(`${own[0]}=${own[1]}`);
  return pairs.flatMap((pair) => {
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (!GIT_RUNS.test(key) || /^(true|false)?$/.test(value)) return [];
    if (/^alias\.|^credential/i.test(key)) return value.startsWith('!') ? [value.slice(1)] : /^alias\./i.test(key) ? [`git ${value}`] : [];
    return [value.replace(/^!/, '')];
  }).concat(words.flatMap((word) => /^ext::(.*)$/s.exec(word)?.[1] ?? []));
}

/** The recipes of a makefile or justfile: indented lines, and what stands behind `target: …;`. */
export function recipesOf(text: string): string[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line) => (/^\s+\S/.test(line) ? [line.trim()] : /^[^\s=#:][^=#:]*::?(?!=)[^;]*;(.+)$/.exec(line)?.[1] ?? []))
    .map((line) => line.replace(/^[@+-]+\s*/, '').replaceAll('$$', '$'))
    .concat([...text.matchAll(/\$\(shell\s+([^()]*)\)|!=\s*(.+)/g)].map(([, a, b]) => a ?? b ?? ''));
}

/** What a container runs, with its paths as this machine has them where they are mounted. */
function ofContainer(words: readonly string[]): { text: string }[] {
  const at = words.findIndex((word, i) => (word === 'run' || word === 'create') && i < 3);
  if (at < 0) return [];
  const own = words.slice(at + 1);
  const mounts: { here: string; there: string }[] = [];
  let entry = '';
  let i = 0;
  for (; i < own.length; i += 1) {
    const word = own[i] ?? '';
    if (!word.startsWith('-')) break;
    const [name = '', inline] = word.startsWith('--') ? word.split(/=(.*)/s) : [word.slice(0, 2), word.length > 2 ? word.slice(2) : undefined];
    if (!/^(-v|--volume|--mount|-e|--env|--name|-w|--workdir|-p|--publish|-u|--user|--entrypoint|--network|--net|-h|--hostname|--label|-l|--env-file|--platform|--memory|-m|--cpus|--restart|--add-host|--device|--cap-add|--cap-drop|--security-opt|--tmpfs|--ulimit|--shm-size|--gpus|--pid|--ipc|--userns|--pull|--volumes-from|--link|--dns|--log-driver|--log-opt|--runtime|--cidfile|-a|--attach|-c|--cpu-shares|--cpuset-cpus|--stop-signal|--health-cmd)$/.test(name)) continue;
    const value = inline ?? own[i += 1] ?? '';
    if (name === '-v' || name === '--volume') { const [here = '', there = ''] = value.split(':'); mounts.push({ here, there }); }
    if (name === '--mount') mounts.push({ here: /(?:source|src)=([^,]*)/.exec(value)?.[1] ?? '', there: /(?:target|destination|dst)=([^,]*)/.exec(value)?.[1] ?? '' });
    if (name === '--entrypoint') entry = value;
  }
  const real = mounts.filter(({ here, there }) => /^[/.~]/.test(here) && there.startsWith('/'));
  const command = [...(entry === '' ? [] : [entry]), ...own.slice(i + 1)];
  if (real.length === 0 || command.length === 0) return [];
  // Wiping all of a container takes what is mounted with it; what is its own is nobody's here.
  return [{ text: lineOf(command).replace(/(?<![\w./-])\/[\w./@+-]*/g, (path) => {
    const mount = real.toSorted((a, b) => b.there.length - a.there.length).find(({ there }) => path === there || path.startsWith(`${there.replace(/\/+$/, '')}/`));
    if (mount) return `${mount.here.replace(/\/+$/, '')}/${path.slice(mount.there.length).replace(/^\/+/, '')}`;
    return path === '/' ? (real[0]?.here ?? path) : `/nowhere${path}`;
  }) }];
}

function ofParallel(words: readonly string[], piped: readonly string[]): string[] {
  const cut = words.findIndex((word) => word.startsWith(':::'));
  const before = words.slice(0, cut < 0 ? undefined : cut);
  const start = before.findIndex((word, i) => !word.startsWith('-') && !/^(-[jadNnLPSI]|--jobs|--arg-file|--delay|--joblog|--colsep|--retries|--timeout|--results|--tmpdir|--max-args)$/.test(before[i - 1] ?? ''));
  const command = start < 0 ? '' : lineOf(before.slice(start));
  const items = cut >= 0 ? words.slice(cut + 1).filter((word) => !word.startsWith(':::')) : piped.flatMap((text) => text.split('\n').filter(Boolean));
  if (command === '') return items;
  return items.length === 0 ? [command] : items.map((item) => (/\{[./#%\d]*\}/.test(command) ? command.replace(/\{[./#%\d]*\}/g, () => item) : `${command} ${item}`));
}
