// Permission files: reads their rules with place and rank, and adds "always" answers without touching the rest.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { writeAtomicSync } from '../lib/atomic.ts';
import { withLock } from '../lib/lock.ts';
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
    return why.length === 0 ? [] : [{ path: file.path, hash: hashOf(file.text), text: file.text, why }];
  });
}

/** A rule that was asked for in words: what it says, and the keys of a file under which it may stand. */
export type WrittenRule = Pick<RuleText, 'from' | 'verdict' | 'final'>;

/**
 * Adds an "always" rule to the local permission file and gives its place there. Everything else in the file stays, and
 * the folder stays as trusted as it was: what the user has just said needs no question at the next start. Rejects with
 * a `UserError` when the file is not valid YAML or can't be written.
 */
export async function appendRule(paths: Paths, rule: Pick<RuleText, 'text' | 'verdict'>): Promise<string> {
  const path = paths.localPermissions;
  const name = shortPath(path, paths);
  const { addToList } = await import('./edit.ts');
  await changeFile(path, paths, (text) => addToList(text, rule.verdict, rule.text, name));
  const written = await parseRules(readText(path) ?? '', name, { rank: RANK.local, project: false }, []);
  return written.find(({ text, verdict }) => text === rule.text && verdict === rule.verdict)?.from ?? name;
}

/** Takes a rule out of the file it stands in. `isIt` tells its text from others. Rejects with a `UserError` where there is no such file, rule or permission. */
export async function removeRule(paths: Paths, { from, verdict, final }: WrittenRule, isIt: (text: string) => boolean): Promise<void> {
  const [, name = from, line = '0'] = /^(.*):(\d+)$/.exec(from) ?? [];
  const path = [paths.userPermissions, paths.teamPermissions, paths.localPermissions].find((one) => shortPath(one, paths) === name);
  if (path === undefined) throw new UserError(`This rule comes from ${from}, so it can't be removed here.`);
  const { takeFromList } = await import('./edit.ts');
  const isItem = (item: unknown) => isIt(typeof item === 'string' ? item : String((item as { rule?: unknown } | null)?.rule));
  await changeFile(path, paths, (text) => {
    const without = (final || verdict !== 'deny' ? [final ? 'always_deny' : verdict] : ['deny', 'always_deny']).reduce<string | undefined>((found, key) => found ?? takeFromList(text, key, { isIt: isItem, near: Number(line), name }), undefined);
    if (without === undefined) throw new UserError(`${name} has changed and does not hold this rule any more.`);
    return without;
  });
}

/** Replaces a permission file by what `change` makes of its text, while no other process does the same. */
async function changeFile(path: string, paths: Paths, change: (text: string) => string): Promise<void> {
  const project = paths.hasProject && path !== paths.userPermissions;
  const before = await steeringAt(path, paths);
  const trusted = (await findTrust(paths, before)) === 'trust';
  const shown = shortPath(path, paths);
  try {
    if (project) makeProjectDir(paths);
    const target = followLink(path);
    // A clone must not lead our pen elsewhere.
    if (project && target !== path && !target.startsWith(`${paths.projectDir}${sep}`)) throw new UserError(`${shown} is a link that leads out of the project.`, 'Put a file in its place.');
    withLock(`${target}.lock`, () => {
      const mode = statSync(target, { throwIfNoEntry: false })?.mode;
      // Replacing a file asks nobody's leave, but whoever made it read-only meant it.
      if (mode !== undefined && (mode & 0o222) === 0) throw new UserError(`${shown} is read-only, so the rule was not written.`, `Make it writable: chmod u+w ${shown}`);
      const text = readText(target) ?? '';
      const changed = change(text);
      if (changed !== text) writeAtomicSync(target, changed, mode === undefined ? {} : { mode: mode & 0o777 });
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof UserError || code === undefined) throw error;
    throw new UserError(`${shown} can't be written (${code}).`, code === 'ENOSPC' ? 'The disk is full.' : 'Make the file and its folder writable.');
  }
  const after = await steeringAt(path, paths);
  if (trusted && project && after.length > 0) keepTrust(paths, { needed: after }, 'trust');
}

/** What in one permission file needs trust. */
async function steeringAt(path: string, paths: Paths): Promise<Steering[]> {
  const only = { userPermissions: '', teamPermissions: '', localPermissions: '' };
  return steeringRules(await readRuleFiles({ ...paths, ...only, ...(path === paths.localPermissions ? { localPermissions: path } : { teamPermissions: path }) }, []));
}

function followLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
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
