// Programs in other languages: the shell texts, commands, files and removals that stand in them as literals.
import { resolve } from 'node:path';
import { type Field, programOf } from './words.ts';
import { unescaped } from './output.ts';

type Language = 'python' | 'js' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk' | 'lisp' | 'vim' | 'r' | 'applescript' | 'powershell';

/** What a program in another language would do, as far as it says so in plain words. */
export type Deeds = {
  /** Texts that it hands to a shell. */
  shell: readonly string[];
  /** Commands that it runs without one; removals are told as `rm -rf`, kills as `kill`. */
  commands: readonly (readonly string[])[];
  reads: readonly string[];
  writes: readonly string[];
  /** What it prints by its first statement, for a shell behind it. */
  prints?: string;
  /** It starts copies of itself without end. */
  bomb: boolean;
  /** It runs what it has downloaded, or what comes on its standard input. */
  runs?: 'download' | 'stdin';
  /** It runs programs, known or not. */
  starts: boolean;
};

export const NO_DEEDS: Deeds = { shell: [], commands: [], reads: [], writes: [], bomb: false, starts: false };

/** What two programs would do together. */
export function bothDeeds(a: Deeds, b: Deeds): Deeds {
  return { ...a, ...b, shell: [...a.shell, ...b.shell], commands: [...a.commands, ...b.commands], reads: [...a.reads, ...b.reads], writes: [...a.writes, ...b.writes], bomb: a.bomb || b.bomb, starts: a.starts || b.starts };
}

const LANGUAGES: readonly [RegExp, Language][] = [
  [/^(python[\d.]*|pypy3?|ipython3?)$/, 'python'], [/^(node|nodejs|bun|deno|tsx|ts-node)$/, 'js'], [/^perl[\d.]*$/, 'perl'], [/^(ruby[\d.]*|jruby|irb)$/, 'ruby'], [/^php[\d.]*$/, 'php'], [/^(lua[\d.]*|luajit|texlua)$/, 'lua'],
  [/^(g|m|n|original-)?awk$/, 'awk'], [/^(emacs|emacsclient|guile|sbcl|clisp)$/, 'lisp'], [/^(Rscript|R)$/, 'r'], [/^osascript$/, 'applescript'], [/^(pwsh|powershell)$/, 'powershell'],
];

/** How each takes its program in an argument. */
const TAKES: Readonly<Record<Language, RegExp>> = {
  python: /^-[a-zA-Z]*c$/, js: /^(-[a-z]*[ep]|--eval|--print|eval)$/, perl: /^-[a-zA-Z0-9]*[eE]$/, ruby: /^-[a-z0-9]*e$/, php: /^-(r|B|R|E)$|^--run$/, lua: /^-e$/, awk: /^(-e|--source)$/, lisp: /^-?-e(val)?$/, vim: /^-c$/, r: /^-e$/, applescript: /^-e$/, powershell: /^-(c|Command|command)$/,
};
const VALUED: Readonly<Partial<Record<Language, RegExp>>> = { python: /^-[WXm]$/, js: /^(-r|--require|--import|--loader)$/, perl: /^-[IM]$/, ruby: /^-[IrC]$/, awk: /^-[Fvf]$/ };

/** Where a program in another language stands: in arguments, in a file, or on the standard input. */
export type Program = { language: Language; texts: readonly Field[]; file?: Field; stdin?: true };

/** Finds the program that an interpreter of another language is given; `undefined` for any other command. */
export function programGiven(args: readonly Field[]): Program | undefined {
  const language = languageOf(programOf(args));
  if (language === undefined) return undefined;
  const texts: Field[] = [];
  for (let i = 1; i < args.length; i += 1) {
    const field = args[i];
    const text = field?.text ?? '';
    const next = args[i + 1];
    if (TAKES[language].test(text) && next) { texts.push(next); i += 1; continue; }
    const inline = /^(?:-c|-e|-E|-r|--eval=|--print=|-le)(.+)$/s.exec(text)?.[1];
    if (inline !== undefined && field && /^(python|js|perl|ruby|php)$/.test(language) && TAKES[language].test(text.slice(0, text.length - inline.length).replace(/=$/, ''))) { texts.push({ ...field, text: inline }); continue; }
    if (VALUED[language]?.test(text)) { if (language === 'python' && text === '-m') return { language, texts }; i += 1; continue; }
    if (text.startsWith('-') && text !== '-') continue;
    if (texts.length > 0) break;
    if (language === 'awk' && field) return { language, texts: args.some((arg) => arg.text === '-f') ? [] : [field] };
    if (text === '-') return { language, texts, stdin: true };
    if (language === 'js' && /^(run|test|x|add|install|repl|fmt|lint|check|task|upgrade)$/.test(text)) continue;
    return { language, texts, ...(field && { file: field }) };
  }
  return texts.length > 0 ? { language, texts } : { language, texts, ...(language !== 'awk' && language !== 'lisp' && { stdin: true as const }) };
}

export function languageOf(name: string): Language | undefined {
  return LANGUAGES.find(([pattern]) => pattern.test(name))?.[1];
}

/* Quoted texts, with comments as what they must not be taken for. */
const DOUBLE = String.raw`"(?:\\[^]|[^"\\])*"`;
const SINGLE = String.raw`'(?:\\[^]|[^'\\])*'`;
const BACK = String.raw`\x60(?:\\[^]|[^\x60\\])*\x60`;
const HASH = String.raw`(?:(?<![^\s;])#[^\n]*)`;
const TOKENS: Readonly<Record<Language, RegExp>> = {
  python: new RegExp(String.raw`${HASH}|[rbufRBUF]{0,2}(?:"""[^]*?"""|'''[^]*?'''|${DOUBLE}|${SINGLE})`, 'g'),
  js: new RegExp(String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|${DOUBLE}|${SINGLE}|${BACK}`, 'g'),
  perl: new RegExp(String.raw`${HASH}|${DOUBLE}|${SINGLE}|${BACK}|\bq[qx]?\s*(?:\((?:[^()]|\([^()]*\))*\)|\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]*\]|([\/|!])(?:(?!\1)[^])*\1)`, 'g'),
  ruby: new RegExp(String.raw`${HASH}|${DOUBLE}|${SINGLE}|${BACK}|%[xqQ](?:\((?:[^()]|\([^()]*\))*\)|\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]*\]|([\/|!])(?:(?!\1)[^])*\1)`, 'g'),
  php: new RegExp(String.raw`${HASH}|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|${DOUBLE}|${SINGLE}|${BACK}`, 'g'),
  lua: new RegExp(String.raw`--[^\n]*|${DOUBLE}|${SINGLE}|\[\[[^]*?\]\]`, 'g'),
  awk: new RegExp(String.raw`${HASH}|${DOUBLE}`, 'g'),
  lisp: new RegExp(String.raw`;[^\n]*|${DOUBLE}`, 'g'),
  vim: new RegExp(`${DOUBLE}|${SINGLE}`, 'g'),
  r: new RegExp(`${HASH}|${DOUBLE}|${SINGLE}`, 'g'),
  applescript: new RegExp(String.raw`--[^\n]*|${DOUBLE}`, 'g'),
  powershell: new RegExp(`${HASH}|${DOUBLE}|${SINGLE}`, 'g'),
};

const LONGEST = 200_000;
/* Marks where a literal stood, by its number. */
const MARK = String.raw`\u0001(\d+)\u0002`;
/* `os.system(` and its kin of all these languages: what they are given goes to a shell, or is a command word by word. */
const CALLS = /(?<![\w$>])(?:system|popen|popen[234]|getoutput|getstatusoutput|run|call|check_call|check_output|Popen|execSync|execFileSync|execFile|spawnSync|spawn|execaSync|execa|shelljs|exec|shell_exec|passthru|proc_open|pcntl_exec|capture2e?|capture3|posix_spawnp?|(?<=os\.)execute|(?<=Deno\.)Command|execlp?e?|execvp?e?|spawnlp?e?|spawnvp?e?|command_output|doScript|shell-command|shell-command-to-string|call-process|create_subprocess_(?:shell|exec))(?![\w-])\s*/g;
const REMOVES = /(?<![\w$])(?:rmtree|remove_tree|rmSync|rmdirSync|rm_rf|rm_r|rm_f|remove_dir|remove_entry|remove_entry_secure|rimraf|rimrafSync|removeSync|emptyDirSync|emptyDir|delete-directory|(?<=(?:fs|fsp|promises|fse|Deno|\))\.)(?:rm|rmdir|remove)|unlink|(?<=File\.)delete|Remove-Item)(?![\w-])\s*/g;
const SHELLED = /^\/?[\w./-]*\s/;

/** Reads a program as far as literals go. `where` tells what its home and working folder are. */
export function readCode(text: string, language: Language, where: { home: string; cwd: string | null }): Deeds {
  if (text.length > LONGEST) return { ...NO_DEEDS, starts: true };
  const literals: { text: string; shell: boolean }[] = [];
  const put = (value: string, shell = false): string => `\u0001${literals.push({ text: value, shell }) - 1}\u0002`;
  const of = (number: string | undefined): string => literals[Number(number)]?.text ?? '';
  let code = text.replaceAll(/[\u0001\u0002]/g, '').replace(TOKENS[language], (token: string) => literal(token, language, put));
  code = folded(code, { put, of, where, language });

  const shell: string[] = [];
  const commands: string[][] = [];
  const { reads, writes } = filesOf(code, of, literals);
  for (const [mark, number] of code.matchAll(new RegExp(MARK, 'g'))) if (mark && literals[Number(number)]?.shell) shell.push(of(number));
  let starts = shell.length > 0;
  for (const call of code.matchAll(CALLS)) {
    // `regex.exec(x)` of JavaScript looks like its kin.
    if (language === 'js' && call[0].trim() === 'exec' && /(?<!child_?process|cp|proc|shelljs|shell|sh)\.$/i.test(code.slice(Math.max(0, call.index - 20), call.index)) && code[call.index - 2] !== ')') continue;
    const words = argumentsAfter(code, call.index + call[0].length, of);
    if (words === undefined) { starts ||= /\b(system|popen|Popen|execSync|spawn|spawnSync|check_call|check_output|shell_exec|passthru)\s*$/.test(call[0]); continue; }
    starts = true;
    const [first = '', ...more] = words;
    if (more.length === 0 || SHELLED.test(first)) shell.push(first);
    else commands.push(/^(sh|bash|zsh|dash)$/.test(first) || !/\bexec[lv]|spawn[lv]/.test(call[0]) ? [first, ...more] : more);
  }
  for (const call of code.matchAll(REMOVES)) {
    const [first] = argumentsAfter(code, call.index + call[0].length, of) ?? [];
    if (first !== undefined) commands.push(['rm', /unlink|File\.delete/.test(call[0]) ? '-f' : '-rf', first]);
  }
  for (const [, path] of code.matchAll(new RegExp(String.raw`\bkill\s*(?:\(\s*|\(?\s*(?:-?\d+|${MARK})\s*,\s*)-1\b`, 'g'))) commands.push(['kill', '-9', '-1', path ?? ''].filter(Boolean));
  if (language === 'js') for (const [, number] of code.matchAll(new RegExp(String.raw`(?<![\w$])\$\s*${MARK}`, 'g'))) { shell.push(of(number)); starts = true; }
  if (language === 'awk') for (const [, number] of code.matchAll(new RegExp(String.raw`${MARK}\s*\|\s*&?\s*getline`, 'g'))) { shell.push(of(number)); starts = true; }
  if (language === 'awk') for (const [, path] of code.matchAll(new RegExp(String.raw`>>?\s*${MARK}`, 'g'))) writes.push(of(path));
  if (language === 'awk') for (const [, said, to] of code.matchAll(new RegExp(String.raw`${MARK}\s*\|\s*${MARK}`, 'g'))) { starts = true; shell.push(/^(\S*\/)?(ba|da|z|k)?sh$/.test(of(to)) ? of(said) : of(to)); }
  if (language === 'applescript' || language === 'powershell') { for (const [, number] of code.matchAll(new RegExp(String.raw`do shell script\s*${MARK}`, 'g'))) shell.push(of(number)); if (/\b(shut down|restart)\b|\b(Stop|Restart)-Computer\b/.test(code)) commands.push(['shutdown', 'now']); }

  const printed = new RegExp(String.raw`^\W*(?:import [\w, ]+[;\n]\s*)?(?:print|puts|say|echo|console\.log|process\.stdout\.write|sys\.stdout\.write|io\.write)\b\s*\(?\s*${MARK}\s*\)?\s*;?\s*$`).exec(code);
  const bomb = /\bfork\s*(\(\s*\))?\s*(while|until)\b|\b(while|loop|until|for)\b[^;\n]{0,20}[\s:{(]*([\w.:]+[.:])?fork\b(?!\s*\()|\b(while|loop)\b[^\n]{0,20}[:{);\s]\s*(\w+\.)?fork\b|\bfork\(\) for\b|while\s*\(?\s*(1|true)\s*\)?[\s{]*[^;{}]{0,200}\.fork\(/.test(code);
  const evaluates = /\bfetch\([^;]{0,200}\b(eval|Function|runInThisContext)\b|\b(system|popen|Popen|check_output)\s*\([^;\n]{0,200}?(urlopen|requests\.get)|(?<![.\w])(exec|eval|instance_eval|iex|Invoke-Expression|loadstring|load|Function|runInThisContext)\s*\(?[^;\n]{0,200}?(urlopen|requests\.get|httpx\.get|urllib|fetch\(|URI\.open|open-uri|Net::HTTP|LWP|\bget\s*\(?\u0001|file_get_contents|iwr|Invoke-WebRequest|DownloadString|curl_exec)/.test(code);
  const takes = /(?<![.\w])(exec|eval|compile|loadstring|load|Function|runInThisContext)\b\s*\(?[^;\n]{0,200}?(stdin|STDIN|\$<|<>|readFileSync\(\s*0|\binput\(|gets|io\.read)/.test(code);
  return { shell, commands, reads, writes, ...(printed && { prints: of(printed[1]) }), bomb, starts, ...((evaluates || takes) && { runs: evaluates ? 'download' as const : 'stdin' as const }) };
}

/** What stands for a token: a literal's mark, or a blank for a comment. */
function literal(token: string, language: Language, put: (value: string, shell?: boolean) => string): string {
  const first = token[0] ?? '';
  if (first === '#' || token.startsWith('//') || token.startsWith('/*') || ((language === 'lua' || language === 'applescript') && token.startsWith('--')) || (language === 'lisp' && first === ';')) return ' ';
  const open = /^(?:[rbufRBUF]{0,2}(?:"""|'''|["'])|["'`]|q[qx]?\s*[({[/|!]|%[xqQ][({[/|!]|\[\[)/.exec(token)?.[0] ?? '';
  const close = /"""$|'''$/.test(open) ? 3 : open === '[[' ? 2 : 1;
  const body = token.slice(open.length, -close);
  const raw = /^[rR]/.test(open) || (open.endsWith("'") && language !== 'python' && language !== 'js' && language !== 'lua');
  // What is put in later is not known: `$_` is what a shell would not know either.
  const filled = raw ? body : language === 'js' && first === '`' ? body.replace(/(?<!\\)\$\{[^}]*\}/g, '$_') : language === 'ruby' ? body.replace(/(?<!\\)#\{[^}]*\}/g, '$_')
    : /^([fF]|[bru][fF])/.test(open) ? body.replace(/\{[^}]*\}/g, '$_') : (language === 'perl' || language === 'php') && /["`]$/.test(open) ? body.replace(/(?<!\\)\{?\$(?!ENV\{HOME)\w+\}?/g, '$_') : body;
  const text = raw ? filled.replace(/\\([\\'])/g, '$1') : unescaped(filled.replaceAll('\\\n', '')).replace(/\\(["'`/$])/g, '$1');
  return put(text, (first === '`' && language !== 'js') || /^qx|^%x/.test(open));
}

type Folding = { put(value: string): string; of(number: string | undefined): string; where: { home: string; cwd: string | null }; language: Language };

/** Joins literals, and puts the home folder and names for literals in their places. */
function folded(code: string, { put, of, where, language }: Folding): string {
  let result = code;
  if (/expanduser|homedir|HOME|home\b|environ|getenv|\bENV\b|process\.env/.test(result)) {
    result = result.replace(new RegExp(String.raw`(?:os\.path\.expanduser|File\.expand_path)\s*\(\s*${MARK}\s*\)`, 'g'), (_, number: string) => put(of(number).replace(/^~/, where.home)))
      .replace(/(?:pathlib\.)?Path\.home\(\)|(?:require\(\u0001\d+\u0002\)|\bos)\.homedir\(\)|process\.env\.HOME|Dir\.home|\$ENV\{HOME\}|\$HOME\b/g, () => put(where.home))
      .replace(new RegExp(String.raw`(?:os\.environ|process\.env|ENV|\$_SERVER)\[${MARK}\]|(?:os\.environ\.get|os\.getenv|getenv|ENV\.fetch)\(${MARK}\)`, 'g'), (all: string, a?: string, b?: string) => (of(a ?? b) === 'HOME' ? put(where.home) : all));
  }
  const { cwd } = where;
  if (cwd !== null) result = result.replace(/os\.getcwd\(\)|process\.cwd\(\)|Dir\.pwd|Path\.cwd\(\)|getcwd\(\)|__dirname/g, () => put(cwd));
  const joined = new RegExp(language === 'awk' ? String.raw`${MARK}\s+${MARK}` : String.raw`${MARK}\s*(?:\+|\.${language === 'php' || language === 'perl' ? '' : '\\.'})\s*${MARK}`);
  const pathed = new RegExp(String.raw`(?:os\.path\.|path\.|File\.)?\b(?:join|resolve)\(\s*${MARK}\s*,\s*${MARK}\s*\)`);
  const wrapped = new RegExp(String.raw`(?:(?:pathlib\.|os\.path\.|path\.|require\(\u0001\d+\u0002\)\.)?\b(?:resolve|normalize|Path|str|String|normpath|abspath|realpath))\(\s*${MARK}\s*\)`);
  for (let i = 0; i < 200; i += 1) {
    const next = result.replace(joined, (_, a: string, b: string) => put(of(a) + of(b))).replace(pathed, (_, a: string, b: string) => put(resolve(of(a), of(b)))).replace(wrapped, (_, a: string) => put(of(a)));
    if (next === result) break;
    result = next;
  }
  // The first of what a loop goes through stands for all.
  for (const [, name = '', number = ''] of [...result.matchAll(new RegExp(String.raw`\bfor\s+(\w+)\s+in\s*[[(]\s*${MARK}`, 'g'))].slice(0, 20)) result = result.replace(new RegExp(String.raw`(?<![\w.])${name}(?=\s*[),])`, 'g'), `\u0001${number}\u0002`);
  // A name that is given one literal, once, stands for it.
  const names = [...result.matchAll(new RegExp(String.raw`(?<![\w.$@])((?:\$|@)?[A-Za-z_]\w*)\s*(?::\s*\w+\s*)?=(?!=)\s*${MARK}\s*(?=[;\n)]|$)`, 'g'))].slice(0, 20);
  for (const [, name = '', number = ''] of names) {
    const escaped = name.replace(/[$@]/g, String.raw`\$&`);
    if ((result.match(new RegExp(String.raw`(?<![\w.$@])${escaped}\s*=(?!=)`, 'g')) ?? []).length === 1) result = result.replace(new RegExp(String.raw`(?<![\w.$@])${escaped}(?![\w\s]*=(?!=))\b`, 'g'), `\u0001${number}\u0002`);
  }
  return result;
}

/** The literals that a call is given from `at` on: one text, or the words of a command. `undefined` where the first is no literal. */
function argumentsAfter(code: string, at: number, of: (number: string) => string): string[] | undefined {
  const head = new RegExp(String.raw`[\s([{]*(?:os\.P_\w+\s*,\s*)?(?:[\w-]+\s*[:=]>?\s*[\[(]*\s*)?${MARK}`, 'y');
  head.lastIndex = at;
  const first = head.exec(code);
  if (!first) return undefined;
  const words = [of(first[1] ?? '')];
  const more = new RegExp(String.raw`\s*[\])]?\s*(?:,|=>)?\s*(?:\{\s*args\s*:\s*)?[\[(]?\s*${MARK}`, 'y');
  more.lastIndex = head.lastIndex;
  for (let next = more.exec(code); next; next = more.exec(code)) {
    // A bracket that closes ends the words.
    if (/^\s*[\])]/.test(next[0])) break;
    words.push(of(next[1] ?? ''));
  }
  return words;
}

/** The files that a program opens by literal names. */
function filesOf(code: string, of: (number: string | undefined) => string, literals: readonly unknown[]): { reads: string[]; writes: string[] } {
  const reads: string[] = [];
  const writes: string[] = [];
  if (literals.length === 0) return { reads, writes };
  for (const [, path, mode] of code.matchAll(new RegExp(String.raw`(?<![\w.])(?:open|fopen|io\.open|codecs\.open|io\.open|File\.open|File\.new|openSync|fs\.openSync)\s*\(\s*${MARK}(?:\s*,\s*(?:mode\s*=\s*)?${MARK})?`, 'g'))) (/[wax+]/.test(mode === undefined ? 'r' : of(mode)) ? writes : reads).push(of(path));
  for (const [, path] of code.matchAll(new RegExp(String.raw`\b(?:writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|truncateSync|File\.write|IO\.write|file_put_contents|writeTextFileSync|writeTextFile|Bun\.write)\s*\(\s*${MARK}`, 'g'))) writes.push(of(path));
  for (const [, path] of code.matchAll(new RegExp(String.raw`${MARK}\.write_(?:text|bytes)\(`, 'g'))) writes.push(of(path));
  for (const [, path] of code.matchAll(new RegExp(String.raw`\b(?:readFileSync|readFile|createReadStream|File\.read|File\.readlines|IO\.read|file_get_contents|readTextFileSync|readTextFile|Bun\.file|slurp)\s*\(\s*${MARK}`, 'g'))) reads.push(of(path));
  for (const [, path] of code.matchAll(new RegExp(String.raw`${MARK}\.read_(?:text|bytes)\(`, 'g'))) reads.push(of(path));
  // Perl's `open(F, ">x")` and `open(F, '>', 'x')`.
  for (const [, mode, path] of code.matchAll(new RegExp(String.raw`\bopen\s*\(?\s*(?:my\s+)?\$?\w+\s*,\s*${MARK}(?:\s*,\s*${MARK})?`, 'g'))) {
    const [, sign = '', rest = ''] = /^\s*(\+?[<>]*)\s*(.*)$/s.exec(of(mode)) ?? [];
    (sign.includes('>') ? writes : reads).push(path === undefined ? rest : of(path));
  }
  return { reads, writes };
}
