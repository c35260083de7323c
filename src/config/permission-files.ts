// Permission files: reads their rules with place and rank, and adds "always" answers without touching the rest.
import { readFileSync, statSync } from 'node:fs';
import { writeAtomicSync } from '../lib/atomic.ts';
import type { Verdict } from '../types/permission.ts';
import type { RuleText } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import type { Fault } from './faults.ts';
import { makeProjectDir, shortPath, type Paths } from './paths.ts';
import { explainRule, findTrust, hashOf, keepTrust, type Steering } from './trust.ts';

/** Later ones override. The answers of a session rank above all. */
export const RANK = { user: 1, team: 2, local: 3, flag: 4 } as const;

export type RuleFile = {
  path: string;
  /** Of a project: its allow rules need trust. */
  project: boolean;
  text: string;
  rules: readonly RuleText[];
};

/** The permission files that are there, lowest rank first. What is wrong in them goes to `faults`. */
export async function readRuleFiles(paths: Paths, faults: Fault[]): Promise<RuleFile[]> {
  const places = [
    { path: paths.userPermissions, rank: RANK.user, project: false },
    ...(paths.hasProject ? [{ path: paths.teamPermissions, rank: RANK.team, project: true }, { path: paths.localPermissions, rank: RANK.local, project: true }] : []),
  ];
  const files: RuleFile[] = [];
  for (const { path, rank, project } of places) {
    const text = readText(path);
    if (text === undefined) continue;
    files.push({ path, project, text, rules: await parseRules(text, shortPath(path, paths), { rank, project }, faults) });
  }
  return files;
}

/** A file of rules that the user named; it counts as his own. Throws a `UserError` when it is not there. */
export async function readRuleFile(path: string, paths: Paths, faults: Fault[]): Promise<RuleFile> {
  const text = readText(path);
  if (text === undefined) throw new UserError(`There is no file of rules ${path}.`);
  return { path, project: false, text, rules: await parseRules(text, shortPath(path, paths), { rank: RANK.user, project: false }, faults) };
}

async function parseRules(text: string, name: string, { rank, project }: { rank: number; project: boolean }, faults: Fault[]): Promise<RuleText[]> {
  const { checkText, permissionsSchema } = await import('./check.ts');
  const checked = checkText(text, name, permissionsSchema, faults);
  if (!checked) return [];
  const { allow, ask, deny, always_deny } = checked.value;
  const from = (verdict: Verdict, entries: typeof allow, key: string = verdict, final?: true): RuleText[] => (entries ?? []).map((entry, index) => {
    const { rule, match, not_match } = typeof entry === 'string' ? { rule: entry } : entry;
    return { text: rule, verdict, from: `${name}:${checked.line([key, index])}`, rank, ...(final && { final }), ...(match && { match }), ...(not_match && { notMatch: not_match }) };
  });
  // Nobody but the user can say "never"; from a project it is a plain no.
  return [...from('allow', allow), ...from('ask', ask), ...from('deny', deny), ...from('deny', always_deny, 'always_deny', project ? undefined : true)];
}

/** What needs trust in permission files: the allow rules of a project. */
export function steeringRules(files: readonly RuleFile[]): Steering[] {
  return files.flatMap((file) => {
    const why = file.project ? file.rules.filter((rule) => rule.verdict === 'allow').map(explainRule) : [];
    return why.length === 0 ? [] : [{ path: file.path, hash: hashOf(file.text), why }];
  });
}

/**
 * Adds an "always" rule to the local permission file, comments kept, and keeps the folder as trusted as it was: what
 * the user has just said needs no question at the next start. Throws a `UserError` when the file is not valid YAML.
 */
export async function appendRule(paths: Paths, rule: Pick<RuleText, 'text' | 'verdict'>): Promise<void> {
  const path = paths.localPermissions;
  const trusted = await isLocalTrusted(paths);
  if (paths.hasProject) makeProjectDir(paths);
  const { addToList } = await import('./edit.ts');
  writeAtomicSync(path, addToList(readText(path) ?? '', rule.verdict, rule.text, shortPath(path, paths)));
  if (trusted && paths.hasProject) keepTrust(paths, { needed: await steeringLocal(paths) }, 'trust');
}

/** Whether the allow rules of the local file counted until now. */
async function isLocalTrusted(paths: Paths): Promise<boolean> {
  return findTrust(paths, await steeringLocal(paths)) === 'trust';
}

async function steeringLocal(paths: Paths): Promise<Steering[]> {
  return steeringRules(await readRuleFiles({ ...paths, userPermissions: '', teamPermissions: '' }, []));
}

/** A file's text; `undefined` when there is none. Throws a `UserError` when it can't be read. */
export function readText(path: string): string | undefined {
  if (path === '') return undefined;
  try {
    // A pipe would never end.
    if (!statSync(path).isFile()) throw new UserError(`${path} is not a file.`, 'Remove it, or put a file in its place.');
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UserError(`${path} can't be read (${code ?? String(error)}).`, 'Make it readable, or remove it.');
  }
}
