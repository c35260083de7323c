// Judges calls in tests: a policy with defaults, facts from the real disk.
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decide } from '../../src/permissions/decide.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { parseRule } from '../../src/permissions/rules.ts';
import { defaults } from '../../src/config/defaults.ts';
import type { Access, Decision, Policy, Rule, Verdict } from '../../src/types/permission.ts';

/** A fresh project with a home folder beside it. */
export function testPlace(): { root: string; home: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mew-perm-')));
  const place = { root: join(base, 'desk', 'project'), home: join(base, 'home') };
  for (const folder of [place.home, join(place.root, 'src'), join(place.root, 'build')]) mkdirSync(folder, { recursive: true });
  return place;
}

export type Setup = { root: string; home: string; cwd?: string; mode?: string; allow?: string[]; ask?: string[]; deny?: string[]; custom?: Policy['custom']; hooks?: Verdict; ownFiles?: string[] };

function rules(texts: string[] | undefined, verdict: Verdict): Rule[] {
  return (texts ?? []).map((text) => parseRule({ text, verdict, from: 'test', rank: 1 }));
}

export function testPolicy(setup: Setup): Policy {
  return {
    mode: setup.mode ?? 'default', roots: [setup.root], custom: setup.custom ?? {}, ignorePatterns: defaults.security.ignore_patterns, ownFiles: setup.ownFiles ?? [],
    rules: [...rules(setup.allow, 'allow'), ...rules(setup.ask, 'ask'), ...rules(setup.deny, 'deny')],
  };
}

export async function judge(name: string, access: Access[], setup: Setup): Promise<Decision> {
  const policy = testPolicy(setup);
  const facts = await gatherFacts(access, { cwd: setup.cwd ?? setup.root, roots: policy.roots, home: setup.home });
  return decide({ id: 'c', name, input: {}, access, ...(setup.hooks && { hooks: setup.hooks }) }, facts, policy);
}

export const judgeShell = (command: string, setup: Setup) => judge('Bash', [{ kind: 'run', target: command }], setup);
