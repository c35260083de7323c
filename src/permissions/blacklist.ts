// Layer 1: what no mode, rule, hook or flag may lift. Judges words and effects of parsed commands, never their text.
import type { Effect, Facts, Policy, ShellCommand } from '../types/permission.ts';
import { pathPattern } from './expand.ts';
import { isInside } from './guards.ts';
import { programOf } from './words.ts';

const SYSTEM = ['/', '/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/proc', '/root', '/run', '/sbin', '/srv', '/sys', '/usr', '/var',
  '/usr/bin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libexec', '/usr/local', '/usr/sbin', '/usr/share', '/usr/include', '/usr/local/bin', '/usr/local/lib', '/var/lib', '/var/log', '/mnt', '/media',
  '/Applications', '/Library', '/System', '/System/Library', '/Users', '/Volumes', '/private', '/private/etc', '/private/var', '/cores'];
const DEVICE = /^\/dev\/?(\$_)?$|^\/dev\/((s|h|v|xv)d[a-z]|nvme\d|mmcblk\d|loop\d|dm-\d|md\d|sr\d|nbd\d|zram\d|rdisk\d|disk\d|(disk|mapper)\/|r?disk\d|mem$|kmem$|port$)/;
const CRITICAL = /^(\/private)?\/etc\/(passwd|shadow|gshadow|group|sudoers|fstab|crypttab|inittab|nsswitch\.conf|ld\.so\.preload)-?$|^(\/private)?\/etc\/(sudoers|pam)\.d\/|^\/boot(\/|$)|^\/proc\/sysrq-trigger$|^\/proc\/sys\/|^\/sys\/|^\/usr\/lib\/systemd\/|^\/vmlinuz|^\/initrd/;
const LOGS = /^(\/private)?\/var\/log\/(syslog|messages|auth\.log|secure|kern\.log|daemon\.log|user\.log|dmesg|boot\.log|cron|faillog|lastlog|wtmp|btmp|system\.log|(journal|audit)(\/|$))|^\/(var\/run|run)\/(utmp$|log\/journal(\/|$))/;
const HISTORY = /\/\.(bash_history|zsh_history|zhistory|history|sh_history|ksh_history|local\/share\/fish\/fish_history)$/;
/* Patterns of a last component that mean all there is. */
const EVERYTHING = /^(\*+|\.\*|\?\*|\*\.\*|\.\[!?\^?\.?\]\*|\.\?\*|\[\^?\.?\]\*|\{.*\*.*\})$/;
const DOWNLOADS = /^(curl|wget|wget2|fetch|aria2c|http|https|xh|lwp-request|lwp-download|GET|axel|lynx|links|w3m|nc|ncat|netcat|socat)$/;
const INTERPRETERS = /^((ba|da|z|k|a|mk|rba|c|tc|fi)?sh|python[\d.]*|pypy3?|node|nodejs|deno|bun|ruby|perl|php|lua|luajit|Rscript|osascript|pwsh|powershell|tclsh|eval|source|at|batch|crontab|parallel|\.)$/;

type Looked = { facts: Facts; policy: Policy };

/** Why the floor forbids this command, as the end of a sentence; `undefined` where it does not. */
export function whyForbidden(command: ShellCommand, { facts, policy }: Looked): string | undefined {
  const name = programOf(command.words.map((text) => ({ text })));
  const args = command.words.slice(1);
  const flag = (short: string, ...long: string[]) => args.some((arg) => arg !== null && (arg.startsWith('--') ? long.some((option) => option.startsWith(arg.split('=')[0] ?? '') && arg.length > 4) : arg.startsWith('-') && [...short].some((letter) => arg.slice(1).includes(letter))));
  const written = command.effects.filter(({ kind }) => kind === 'write');
  const real = (effect: Effect) => facts.real[effect.target]?.path ?? effect.target;

  if (/^((ba|da|z|k|a|mk|rba|c|tc|fi)?sh|exec)$/.test(name) && command.effects.some(({ kind, redirect }) => kind === 'net' && redirect)) return 'it hands a shell to another machine';
  if (command.bomb) return 'it is a fork bomb: it starts copies of itself without end';
  if ((INTERPRETERS.test(name) || command.words[0] === null) && command.inputs?.some((from) => DOWNLOADS.test(from))) return 'it runs what it has just downloaded, unseen';

  const home = facts.real[facts.home]?.path ?? facts.home;
  const project = above(policy.roots[0] ?? facts.cwd);
  const mine = [...SYSTEM, ...above(home), home];
  if (/^(rm|rimraf|srm|shred|truncate|unlink)$/.test(name) && !args.includes('--help')) {
    // `find / -type f -exec rm {} +` names no folder, but all that is below it.
    const base = written.map(real).find((path) => path.endsWith('/**') && wipes(path, [...mine, ...project]));
    if (base !== undefined) return `it would remove all below ${base.replace(/\/\*\*$/, '') || '/'}`;
  }
  if (/^(rm|srm)$/.test(name) && flag('rR', '--recursive') || /^(rimraf|del|del-cli|trash|trash-put)$/.test(name) || (name === 'find' && args.includes('-delete')) || (name === 'rsync' && args.some((arg) => arg?.startsWith('--del')))) {
    const victim = written.map(real).find((path) => wipes(path, [...mine, ...project]));
    if (victim !== undefined) return `it would remove ${victim} and all below it`;
  }
  if (name === 'mv') {
    const into = args.some((arg) => /^(-[a-zA-Z]*t$|--target-directory)/.test(arg ?? ''));
    const sources = (into ? written.slice(1) : written.slice(0, operandsOf(args).length - 1)).map(real);
    const victim = sources.find((path) => wipes(path, mine) || project.includes(path));
    if (victim !== undefined) return `it would move ${victim} away`;
  }
  if (/^(chmod|chown|chgrp|setfacl|chattr)$/.test(name)) {
    const all = flag('R', '--recursive');
    const victim = written.map(real).find((path) => (all || path.endsWith('/**')) && wipes(path, SYSTEM));
    if (victim !== undefined) return `it would change the rights of ${victim} and all below it`;
  }
  for (const effect of written) {
    const path = real(effect);
    if (DEVICE.test(path)) return `it would write to the device ${path}`;
    const only = /^(touch|mkdir)$/.test(name) && !effect.redirect;
    if (CRITICAL.test(path) && !only) return `it would overwrite ${path}, which the system needs`;
    if (LOGS.test(path) && !effect.append && !only) return `it would destroy the system's log ${path}`;
    if (!effect.append && !only && ((HISTORY.test(path) && (isInside(path, home) || /^\/(root|home|Users)\//.test(path))) || (path.startsWith(`${home}/.`) && /[*?[]/.test(path) && /hist/.test(path) && pathPattern(path)(`${home}/.bash_history`)))) return "it would destroy the shell's history";
    if (/^(rm|shred|truncate)$/.test(name) && /^(\/private)?\/var\/log\//.test(path) && EVERYTHING.test(path.slice(path.lastIndexOf('/') + 1).replace(/^\*\.(log|gz).*$/, '*'))) return "it would destroy the system's logs";
  }
  return ofProgram(name, args);
}

/* What stops or restarts the machine when it is named as a target or method. */
const STOPS = /^(poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot|shutdown|runlevel[06])(\.target)?$/;

/** What some programs are forbidden by their words alone. */
function ofProgram(name: string, args: readonly (string | null)[]): string | undefined {
  const asks = args.some((arg) => arg === '--help' || arg === '--version');
  if (/^(mkfs|newfs)([._]|$)|^(wipefs|mke2fs|mkswap|blkdiscard)$/.test(name) && !asks && args.some((arg) => arg === null)) return 'it would erase a disk';
  if (/^(shutdown|reboot|halt|poweroff)$/.test(name) && !asks && !args.includes('-c')) return 'it would stop this machine';
  if (/^(init|telinit)$/.test(name) && /^[06]$/.test(args[0] ?? '')) return 'it would stop this machine';
  const verb = operandsOf(args)[0] ?? '';
  if (name === 'systemctl' && (STOPS.test(verb) || (/^(isolate|start|restart)$/.test(verb) && args.some((arg) => STOPS.test(arg ?? ''))))) return 'it would stop this machine';
  if (name === 'loginctl' && args.some((arg) => /^(poweroff|reboot|halt)$/.test(arg ?? ''))) return 'it would stop this machine';
  if (/^(dbus-send|busctl|gdbus)$/.test(name) && args.some((arg) => /(^|\.)(PowerOff|Reboot|Halt)(\(|$)/.test(arg ?? ''))) return 'it would stop this machine';
  if (name === 'kexec' && args.some((arg) => arg === '-e' || arg === '--exec')) return 'it would stop this machine';
  if (name === 'kill' && !/^-[lL]/.test(args[0] ?? '')) {
    // The first -1 may be the signal; what comes after it is a process, and -1 is all of them.
    const rest = args[0]?.startsWith('-') && args[0] !== '--' ? args.slice(/^-(s|n)$/.test(args[0] ?? '') ? 2 : 1) : args;
    if (rest.some((arg) => arg === '-1')) return 'it would end every process';
  }
  if (name === 'killall5') return 'it would end every process';
  if (/^(pkill|killall)$/.test(name) && operandsOf(args).some((arg) => arg === '' || /^\^?(\.|\.\*|\.\+|\*)?\$?$/.test(arg ?? 'x'))) return 'it would end every process';
  // Everybody's or all of one user's processes, and all but some.
  const owner = args.findIndex((arg) => /^(-[uUg]|--(user|euid|uid))/.test(arg ?? ''));
  if (/^(pkill|killall|skill)$/.test(name) && (args.some((arg) => arg === '-v' || arg === '--inverse') || (owner >= 0 && operandsOf(args).length <= (/^(-[uUg]|--user)$/.test(args[owner] ?? '') ? 1 : 0)))) return 'it would end every process';
  if (name === 'find' && /^\/var\/log(\/|$)/.test(verb) && args.every((arg) => !/^-[acm](time|min)$/.test(arg ?? '')) && (args.includes('-delete') || args.some((arg, i) => /^(rm|truncate|shred|unlink)$/.test(arg ?? '') && (args[i - 1] ?? '').startsWith('-exec')))) return "it would destroy the system's logs";
  if (name === 'dmesg' && args.some((arg) => /^(-[a-zA-Z]*[cC]|--clear|--read-clear)$/.test(arg ?? ''))) return "it would destroy the system's logs";
  if (name === 'history' && args.some((arg) => /^-[a-z]*c/.test(arg ?? ''))) return "it would destroy the shell's history";
  if (name === 'journalctl' && args.some((arg) => arg?.startsWith('--vacuum'))) return "it would destroy the system's logs";
  if (/^(diskutil)$/.test(name) && args.some((arg) => /^(erase|partition|secureErase|zeroDisk|randomDisk|reformat)/i.test(arg ?? ''))) return 'it would erase a disk';
  if (name === 'hdparm' && args.some((arg) => /^--(security-erase|trim-sector|make-bad)/.test(arg ?? ''))) return 'it would erase a disk';
  if (name === 'sg_format') return 'it would erase a disk';
  if (name === 'cryptsetup' && args.some((arg) => /^(luksFormat|erase|luksErase)$/.test(arg ?? ''))) return 'it would erase a disk';
  if (/^(lvremove|vgremove|pvremove)$/.test(name) || (name === 'zpool' && args[0] === 'destroy') || (name === 'nvme' && /^(format|sanitize)$/.test(args[0] ?? '')) || (name === 'mdadm' && args.includes('--zero-superblock'))) return 'it would erase a disk';
  return undefined;
}

/* For text that no grammar could read: words of the list, loosely. Only `bypassPermissions` denies by it. */
const LOOKS = [
  /\brm\s+(-\S+\s+)*(-\S*[rR]\S*|--recursive)\s+(\S+\s+)*["']?(\/|~|\$\{?HOME)/, /\bmkfs|\bwipefs\b|\bdd\b.*\bof=\/dev\//, />\s*\/dev\/(sd|hd|vd|nvme|mmcblk)/, /\b(shutdown|reboot|halt|poweroff)\b/,
  /\b(curl|wget)\b[^\n]*\|\s*(sudo\s+)?(\S*\/)?(ba|z|da|k)?sh\b/, /\bch(mod|own)\s+(-\S+\s+)*-\S*R\S*\s+\S+\s+\//, />\s*\/etc\/(passwd|shadow|sudoers)/, /\(\)\s*\{[^}]*\|[^}]*&/, /\bkill\s+(-\S+\s+)+-1\b/, /\bhistory\s+-c|\bfind\s+\/\s.*-delete/,
];

/** Whether unreadable shell text looks like something of the list. */
export function looksForbidden(text: string): boolean {
  return LOOKS.some((look) => look.test(text));
}

/** `path` and every folder above it. */
function above(path: string): string[] {
  const parts = path.split('/').filter(Boolean);
  return ['/', ...parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`)];
}

/** Whether removing `path`, which may hold wildcards, takes one of `victims` whole. */
function wipes(path: string, victims: readonly string[]): boolean {
  const clean = path.replace(/(.)\/+$/, '$1');
  if (victims.includes(clean)) return true;
  // Somebody's home folder.
  if (/^\/(home|Users)\/[^/*?[{]+$/.test(clean)) return true;
  if (!/[*?[{]|[@!+]\(/.test(clean)) return false;
  const cut = clean.lastIndexOf('/');
  if (EVERYTHING.test(clean.slice(cut + 1)) && wipes(cut === 0 ? '/' : clean.slice(0, cut), victims)) return true;
  const matches = pathPattern(clean);
  return victims.some((victim) => victim !== '/' && matches(victim));
}

function operandsOf(args: readonly (string | null)[]): (string | null)[] {
  return args.filter((arg) => arg === null || !arg.startsWith('-') || arg === '-');
}
