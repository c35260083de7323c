// Why an allow rule must not cover a command: flags that make a harmless program run or write things, steering variables, words not known.
import { languageOf } from './code.ts';
import { type Field, programOf } from './words.ts';

/** An index of a list with a substitution in it. */
export const INDEXED = /\[[^[\]]*(\$\(|`)/;

/** Flags and arguments by which an otherwise harmless program runs or writes something. */
const RUNNING: readonly [program: RegExp, argument: RegExp, why: string][] = [
  [/^find$/, /^-(exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/, 'runs, writes or deletes'],
  [/^(fd|fdfind)$/, /^(-[a-zA-Z]*[xX]|--exec(-batch)?)/, 'runs programs'],
  [/^rg$/, /^(--pre|--hostname-bin|--search-zip|-[a-zA-Z]*z)/, 'runs programs'],
  [/^ag$/, /^--pager/, 'runs programs'],
  [/^sed$/, /(^|[;}{\n\s/0-9$|,#!gIpM])[0-9]*[eEwWrR](\s|$)|^s(?<by>.).*\k<by>.*\k<by>[gpiIm0-9]*[ew]|^(-[a-zA-Z]*i|-[nrEsuz]*f|--i|--fi)/s, 'runs or writes'],
  [/^sort$/, /^(-[a-zA-Z]*o|--o|--comp)/, 'runs or writes'],
  [/^(tar|bsdtar)$/, /^(--to-c|--use|--checkpoint-|--rsh|--rmt|--inf|--new-v|--abs|--one|--transf|--xf|-?[cxtruvzjJfpkm]*[IFP][cxtruvzjJfpkm]*$|-[a-zA-Z]*[IF])/, 'runs programs, or writes elsewhere'],
  [/^git$/, /^(-c|-C|--conf|--exe|--git-dir|--work-tree|--upl|--rece|--ext|--textc|--open|--outp|--no-index|--filters|--unsafe|--templ|ext::)/, 'changes what git runs or writes'], [/^git (clone|ls-remote)$/, /^-[uc]/, 'changes what git runs'], [/^git (rebase|difftool)$/, /^-x/, 'runs programs'], [/^git grep$/, /^-O/, 'runs programs'], [/^git (archive|format-patch|diff)$/, /^-[oO]/, 'writes'],
  [/^(g|m|n)?awk$/, /system\s*\(|getline|\|&|\bprintf?\b(?:(?!\bprint)[^;}\n])*[|>]|^-[fiElL]|^--(fi|inc|loa|exe)|@\w+/, 'runs or writes'],
  [/^man$/, /^(-[PHC]|--pager|--html|--config)/, 'runs programs'], [/^(less|more|most)$/, /^(\+|-[a-zA-Z]*[oOkPp]|--(log|LOG|lesskey|prompt))/, 'runs or writes'], [/^(vim?|nvim|view|ex|emacs|nano|ed)$/, /^(\+|-[a-zA-Z]*[cSsuUwWel]|--(cmd|eval|load|script))/, 'runs or writes'],
  [/^bat$/, /^--pager/, 'runs programs'],
  [/^rsync$/, /^(-[a-zA-Z]*e|--rsh|--rsync-path|--write-batch|--log-file|--daemon|--config)/, 'runs programs'], [/^(scp|sftp|ssh)$/, /^(-[a-zA-Z0-9]*[FESI]$|(-[a-zA-Z0-9]*o)?\s*(Proxy(Command|UseFdpass|Jump)|LocalCommand|PermitLocalCommand|KnownHostsCommand|Match|Include|PKCS11Provider|SecurityKeyProvider|IdentityAgent|XAuthLocation|ForwardAgent|SendEnv|SetEnv|ControlPath)\b)/i, 'runs programs or tells secrets'],
  [/^zip$/, /^(-[a-zA-Z]*T|--unzip-command)/, 'runs programs'], [/^split$/, /^--filter/, 'runs programs'], [/^tcpdump$/, /^-[a-zA-Z]*[wz]/, 'runs or writes'], [/^nmap$/, /^(-o[A-Z]|--script|--datadir|--resume)/, 'runs or writes'], [/^shuf$/, /^(-[a-z]*o|--o)/, 'writes'], [/^ip$/, /^(exec$|-b)/, 'runs programs'], [/^gdb$/, /^-{1,2}(x|ix|command)\b/, 'runs programs'], [/^openssl$/, /^-(engine|provider|out|keyout|writerand)/, 'loads code or writes'], [/^eslint$/, /^(--rulesdir|--resolve-plugins|-o$|--output-file)/, 'runs or writes'], [/^pytest$/, /^(--rootdir|--confcutdir|--config-file|-c$)/, 'changes what is run'], [/^hostname$/, /^([^-]|-[a-z]*[bF])/, 'renames the computer'],
  [/^sqlite3?$/, /^\s*\.(shell|system|sh|output|once|excel|read|save|backup|import|load|log|clone|archive)\b|\b(load_extension|writefile|readfile)\s*\(|\b(attach|vacuum\s+into)\b|^-{1,2}init\b/im, 'runs or writes'],
  [/^curl$/, /^(-[0-46aBfgGiIjJklLMnNpqRsSvVZ#]*[oOKTcD]|--outp|--conf|--upl|--cookie-jar|--dump-h|--trace|--stderr|--libcurl|--hsts|--alt-svc|--etag-s|--engine|file:|.*%output\{|--remote-n|@|[\w.-]+=[@<]|-[dF].*[@<]|--(data|form|json)\S*[@<])/, 'writes or sends files'], [/^wget$/, /^(-(?!q?O-)[a-zA-Z]*[oOiPa]|--outp|--conf|--use-askp|--post-f|--body-f|--directory-p|--input-f|--append-o|--execute|-e)/, 'writes or sends files'],
  [/^(file|date|base64|uniq|yq|tree)$/, /^(-C$|--compile|-s$|--set|--output|-o|-i$|--inplace)/, 'writes'],
  [/^(make|gmake)$/, /^(SHELL=|\.SHELLFLAGS=|MAKE\w*=|CC=|CXX=|LD=|AR=|-[a-zA-Z]*[fCEI]|--(file|eval|directory|makefile|include))/, 'changes what is run'], [/^go$/, /^--?(toolexec|exec|vettool|overlay|modfile)\b/, 'runs programs'], [/^cargo$/, /^--config/, 'changes what is run'],
  [/^(history|printf)$/, /^-[wanrcdv]/, 'changes the shell'], [/^(npm|pnpm|yarn)$/, /^--(script-shell|shell|prefix|node-options|dir|cwd|userconfig|globalconfig|global-config)|^-C/, 'changes what is run'],
  [/^g?(cc|\+\+)$|^clang/, /^(-(wrapper|fplugin|specs|B)|@)/, 'runs programs'], [/^ps$/, /^[a-z]*e[a-z]*$/, 'shows the environment'],
  // Bash takes the index of a list for arithmetic and runs what is substituted in it, quoted or not.
  [/^(test|\[|read|unset|printf|let|declare|typeset|local|export|readonly|wait|mapfile|readarray|getopts)$/, INDEXED, 'is run as part of an index'],
];

/* The same of first words after a program. */
const DOING: readonly [program: RegExp, word: RegExp, why: string][] = [
  [/^git$/, /^(mergetool|difftool|instaweb|daemon|hook|send-email|svn|p4|imap-send|maintenance|filter-branch)$/, 'runs programs that its configuration names'],
];

/* Programs that take any argument without harm, so one that is not known before it runs is no doubt. */
const CALM = /^(echo|test|\[|:|true|false|sleep|seq|exit|return|basename|dirname|pwd|wc|ls|cd|which|expr)$/;
/* Variables that change what runs. */
const STEERING = /^(PATH|LD_.*|DYLD_.*|GIT_.*|BASH_.*|ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|IFS|HOME|ZDOTDIR|XDG_.*|EDITOR|VISUAL|.*PAGER|LESS.*|BROWSER|NODE_(?!ENV$).*|PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|IOENCODING$|HASHSEED$|UTF8$|FAULTHANDLER$).*|PYTEST_(ADDOPTS|PLUGINS)|PERL.*|RUBY.*|GEM_.*|JAVA_.*|_JAVA_.*|JDK_.*|MAVEN_.*|GRADLE_.*|npm_config_.*|NPM_CONFIG_.*|RUST(C.*|FLAGS|DOCFLAGS)|CARGO_(?!TERM_|INCREMENTAL$|TARGET_DIR$).*|RUSTUP_.*|GO(?!OS$|ARCH$|ARM$|AMD64$|MAXPROCS$|GC$|TRACEBACK$)[A-Z]+|CC|CXX|LD|AR|MAKEFLAGS|MAKEFILES|SSH_.*|.*_proxy|.*_PROXY|HISTFILE|GCONV_PATH|GLIBC_.*|LOCPATH|TERMINFO.*|AWK.*PATH|LUA_.*|PHPRC|PHP_INI.*|R_(PROFILE|LIBS|ENVIRON).*|VIMINIT|EXINIT|ANSIBLE_.*|PIP_.*|TAR_OPTIONS|GREP_OPTIONS|RIPGREP_.*|DOCKER_(?!BUILDKIT$|CLI_HINTS$).*|KUBECONFIG|OPENSSL_.*|TMPDIR|CDPATH|FPATH|CURL_HOME|WGETRC|.*_BASE_URL|.*ASKPASS)$/;

/** Why an allow rule must not cover this command: flags that run things, arguments that are not known. */
export function doubtsOf(args: readonly Field[]): string[] {
  const name = programOf(args);
  if (args[0]?.text === null) return ['the program is not known before it runs'];
  const doubts: string[] = [];
  const two = `${name} ${args[1]?.text ?? ''}`;
  for (const [program, argument, why] of RUNNING) {
    const found = program.test(name) || program.test(two) ? args.find(({ text }, i) => i > 0 && text !== null && argument.test(text) && !isNowhere(name, text, args[i + 1]?.text)) : undefined;
    if (found) doubts.push(`${found.source} ${why}`);
  }
  for (const [program, word, why] of DOING) if (program.test(name) && word.test(args[1]?.text ?? '')) doubts.push(`${args[1]?.source ?? ''} ${why}`);
  // What stands in a file of its own is judged where it is made; only an interpreter would run it.
  if (/^(uniq|xxd)$/.test(name) && args.slice(1).filter(({ text }) => text !== null && !/^-.|^(0x)?\d+$/.test(text)).length > 1) doubts.push(`${name} writes its second file`);
  const unknown = CALM.test(name) ? undefined : args.find(({ text, holds, tame }) => text === null && !tame && (!holds || languageOf(name) !== undefined));
  if (unknown) doubts.push(`${unknown.source} is not known before it runs`);
  return doubts;
}

/* Output that goes to the screen or nowhere, and a folder below that make goes to. */
function isNowhere(name: string, option: string, value: string | null | undefined): boolean {
  if (/^(curl|wget)$/.test(name)) return /^-[a-zA-Z]*[oOD]$/.test(option) && /^(-|\/dev\/(null|stdout))$/.test(value ?? '');
  return /^g?make$/.test(name) && option === '-C' && /^[\w-][\w./-]*$/.test(value ?? '') && !/(^|\/)\.\.(\/|$)/.test(value ?? '');
}

/** The same of an assignment. */
export function steers(name: string): string[] {
  return STEERING.test(name) ? [`${name}= changes what runs`] : [];
}
