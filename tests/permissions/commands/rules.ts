// The shapes of the command tables, and the allow rules that stand while the ordinary commands are judged in mode default.
import type { Verdict } from '../../../src/types/permission.ts';

/** What mode default and `RULES` say of a command; under bypassPermissions it is allowed. */
export type Row = readonly [byRules: Verdict, command: string];
/** What mode default says of a command with these allow rules only. */
export type Covered = readonly [verdict: Verdict, allow: readonly string[], command: string];

export const RULES = [
  'Bash(npm test*)', 'Bash(npm run:*)', 'Bash(npm ci)', 'Bash(npx tsc *)', 'Bash(npx vitest *)', 'Bash(node *)', 'Bash(pytest *)', 'Bash(python3 -m pytest *)', 'Bash(cargo *)', 'Bash(go test *)', 'Bash(go build *)', 'Bash(make *)',
  'Bash(git status*)', 'Bash(git diff *)', 'Bash(git log *)', 'Bash(git add *)', 'Bash(git commit *)', 'Bash(ls *)', 'Bash(cat *)', 'Bash(head *)', 'Bash(tail *)', 'Bash(grep *)', 'Bash(rg *)', 'Bash(find *)', 'Bash(wc *)', 'Bash(sed *)', 'Bash(awk *)', 'Bash(sort *)', 'Bash(echo *)', 'Bash(cd *)', 'Bash(set *)', 'WriteFile(out/**)', 'WriteFile(*.log)',
];
