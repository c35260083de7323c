// Trust: what files of a project may only do when the user trusts it, the question, and the answer as it is kept.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeAtomicSync } from '../lib/atomic.ts';
import { reveal } from '../lib/clean.ts';
import { withLock } from '../lib/lock.ts';
import type { Question } from '../types/question.ts';
import type { RuleText } from '../types/settings.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { isSecretKey } from './faults.ts';
import { fromLeaves, leaves } from './merge.ts';
import { shortPath, type Paths } from './paths.ts';
import { findProtocol } from './protocols.ts';
import type { Backend, Config } from './schema.ts';
import { changesOf, forgetTexts, keepText } from './trust-changes.ts';

/** A project file that would switch something on. `why` has a line for each thing. */
export type Steering = { path: string; hash: string; why: readonly string[]; /** Its content, where a change of it is to be shown. */ text?: string };

/** What the user has to be asked about. */
export type TrustNeed = {
  root: string;
  needed: readonly Steering[];
  /** With an older answer: what is there now and was not then, and the other way round. */
  changed?: { added: readonly string[]; gone: readonly string[]; /** The changed lines of each file, as far as it is known what it was. */ files: readonly { path: string; lines: readonly string[] }[] };
};

export type TrustAnswer = 'trust' | 'without';

type Kept = { answer: TrustAnswer; files: Record<string, { hash: string; why: readonly string[] }> };

/** Keys of a project file that may be read from anyone: they choose among what the user has, or are harmless. */
const SAFE: Record<string, readonly string[] | true> = {
  active: true, pricing: true,
  agent: ['max_rounds', 'parallel_tool_calls', 'doom_loop', 'tool_planner'],
  context: ['pressure', 'reserve', 'spill_chars', 'message_chars', 'keep_turns'],
  security: ['require_confirmation', 'command_timeout'],
  verifier: ['debounce_secs', 'timeout_secs'],
  ui: ['theme', 'show_thinking', 'layout', 'tool_log', 'notifications', 'editor_mode', 'mouse', 'reduced_motion', 'screen_reader'],
};
const SAFE_BACKEND = ['protocol', 'provider', 'model', 'thinking', 'thinking_model', 'context_window', 'max_tokens', 'timeout', 'debug', 'tool_protocol'];

function isSafe(path: readonly string[], value: unknown): boolean {
  // A variable of the user's environment could be sent away in any text.
  if (JSON.stringify(value).includes('${')) return false;
  const [first = '', second = ''] = path;
  if (first === 'providers' || first === 'models') return path.length === 3 && SAFE_BACKEND.includes(path[2] ?? '');
  if (path.length === 1 && SAFE_BACKEND.includes(first)) return true;
  if (first === 'security' && second === 'sandbox') return value === 'require';
  if (first === 'verifier' && path.length === 1) return value === 'off' || value === false;
  const keys = SAFE[first];
  return keys === true || (keys?.includes(second) ?? false);
}

/** Splits what a project file says into what anyone may say, and a line for each thing that needs trust. */
export function splitByTrust(config: Config): { safe: Config; why: string[] } {
  const all = leaves(config);
  const risky = all.filter(({ path, value }) => !isSafe(path, value));
  const safe = fromLeaves(all.filter(({ path, value }) => isSafe(path, value)));
  return { safe: dropBroken(safe, config), why: risky.map(({ path, value }) => explain(path, value)) };
}

/** A backend that can't be used without the address that was left out is left out too. */
function dropBroken(safe: Config, whole: Config): Config {
  const providers = Object.fromEntries(Object.entries(safe.providers ?? {}).filter(([name, entry]) => entry && !lacksUrl(entry, whole.providers?.[name])));
  const kept: Config = { ...safe, ...(safe.providers && { providers }) };
  if (kept.active != null && whole.providers?.[kept.active] && !providers[kept.active]) delete kept.active;
  if (lacksUrl(safe, whole)) { delete kept.protocol; delete kept.provider; delete kept.model; }
  return kept;
}

function lacksUrl(part: Backend, full: Backend | null | undefined): boolean {
  const protocol = findProtocol(full?.protocol ?? full?.provider ?? '');
  return full?.base_url != null && part.base_url == null && (protocol?.needsUrl ?? false);
}

/** What is shown of a value, and what it could do. */
function explain(path: readonly string[], value: unknown): string {
  const key = path.join('.');
  const shown = path.some(isSecretKey) ? '(hidden)' : clip(typeof value === 'string' ? value : JSON.stringify(value));
  return `${reveal(key)}: ${shown}${REASONS.filter(([pattern]) => pattern.test(key)).slice(0, 1).map(([, why]) => ` (${why})`).join('')}`;
}

const REASONS: readonly [RegExp, string][] = [
  [/base_url$/, 'your key and all that you write go there'],
  [/api_key(_env)?$/, 'another key than yours is used'],
  [/^permissions\./, 'more may happen without asking'],
  [/command_whitelist$/, 'commands run without asking'],
  [/^(hooks|verifier|mcp_servers|ui\.status_line)/, 'programs are started'],
  [/ignore_patterns$/, 'other files count as sensitive'],
  [/pass_env$/, 'commands get these variables'],
  [/sandbox/, 'commands may do more'],
  [/extra/, 'goes into each request'],
];

/** A text of a project's file as the question shows it. */
export const clip = (text: string): string => { const shown = reveal(text).replace(/\s+/g, ' '); return shown.length > 200 ? `${shown.slice(0, 199)}…` : shown; };

/** The line for an allow rule. */
export const explainRule = (rule: RuleText): string => `allow ${clip(rule.text)} (runs without asking)`;

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether the user has answered for just these files: `trust`, `without`, or what to ask. No files, nothing to ask. */
export async function findTrust(paths: Paths, files: readonly Steering[]): Promise<TrustAnswer | TrustNeed> {
  if (files.length === 0) return 'trust';
  const kept = readKept(paths)[paths.root];
  if (!kept) return { root: paths.root, needed: files };
  const differs = files.filter((file) => kept.files[shortPath(file.path, paths)]?.hash !== file.hash);
  if (differs.length === 0) return kept.answer;
  const then = new Set(differs.flatMap((file) => kept.files[shortPath(file.path, paths)]?.why ?? []));
  const now = new Set(differs.flatMap((file) => file.why));
  const changes = await Promise.all(differs.map(async (file) => ({ path: file.path, lines: await changesOf(paths.trustTexts, kept.files[shortPath(file.path, paths)]?.hash, file.text) })));
  return { root: paths.root, needed: files, changed: { added: [...now].filter((why) => !then.has(why)), gone: [...then].filter((why) => !now.has(why)), files: changes.filter(({ lines }) => lines.length > 0) } };
}

/** The question to ask at the start; its options are `trust`, `without` and `quit`. */
export function trustQuestion(need: TrustNeed, paths: Paths): Question {
  const list = need.needed.flatMap((file) => [shortPath(file.path, paths), ...file.why.map((why) => `  ${why}`)]);
  const changed = need.changed ? [
    'Changed since you were last asked:', ...need.changed.added.map((why) => `  + ${why}`), ...need.changed.gone.map((why) => `  - ${why}`),
    ...(need.changed.added.length + need.changed.gone.length + need.changed.files.length === 0 ? ['  other lines of these files'] : []),
    ...need.changed.files.flatMap(({ path, lines }) => ['', `${shortPath(path, paths)}, line by line:`, ...lines.map((line) => `  ${line}`)]), '',
  ] : [];
  return {
    kind: 'choose',
    title: `Trust the files of ${reveal(need.root)}?`,
    text: [...changed, need.changed ? 'All that files of this project would switch on:' : 'Files of this project would switch on:', '', ...list].join('\n'),
    options: [
      { id: 'trust', label: 'Trust', detail: 'read them whole; asked again when they change' },
      { id: 'without', label: 'Read without them', detail: 'these lines are ignored; deny and ask rules hold' },
      { id: 'quit', label: 'Quit' },
    ],
  };
}

/** Keeps the answer for the files as they were when the question was made. Throws a `UserError` when it can't be written. */
export function keepTrust(paths: Paths, need: Pick<TrustNeed, 'needed'>, answer: TrustAnswer): void {
  const files = Object.fromEntries(need.needed.map((file) => [shortPath(file.path, paths), { hash: file.hash, why: file.why }]));
  try {
    withLock(`${paths.trustFile}.lock`, () => {
      const all = readKept(paths);
      const old = all[paths.root];
      const kept: Kept = { answer, files: old?.answer === answer ? { ...old.files, ...files } : files };
      const next = { ...all, [paths.root]: kept };
      for (const file of need.needed) keepText(paths.trustTexts, file);
      writeAtomicSync(paths.trustFile, `${JSON.stringify(next, null, 2)}\n`);
      forgetTexts(paths.trustTexts, new Set(Object.values(next).flatMap((one) => Object.values(one.files).map(({ hash }) => hash))));
    });
  } catch (error) {
    throw new UserError(`The answer can't be kept in ${paths.trustFile} (${sentenceOf(error)}).`, 'Make that file writable, or start with --trust.');
  }
}

/** What can't be read is as if nothing had been answered. */
function readKept(paths: Paths): Record<string, Kept> {
  try {
    const all = JSON.parse(readFileSync(paths.trustFile, 'utf8')) as Record<string, Kept>;
    return Object.fromEntries(Object.entries(all).filter(([, kept]) => (kept?.answer === 'trust' || kept?.answer === 'without') && typeof kept.files === 'object' && kept.files !== null));
  } catch {
    return {};
  }
}
