// Rules that are not what they seem, and many that are.
import { afterAll, expect, test } from 'vitest';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { decide } from '../../src/permissions/decide.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { lintRules, type Finding, type LintWorld } from '../../src/permissions/lint.ts';
import { spellRule } from '../../src/permissions/match.ts';
import { parseRule, proposeRules } from '../../src/permissions/rules.ts';
import { builtinTools } from '../../src/tools/index.ts';
import type { Decision, Verdict } from '../../src/types/permission.ts';
import { ordinary1 } from './commands/ordinary-1.ts';
import { ordinary2 } from './commands/ordinary-2.ts';
import { testPlace, testPolicy } from './judge.ts';

const place = testPlace();
afterAll(() => rmSync(join(place.root, '../..'), { recursive: true }));

/** `allow Bash(x)`, `2 deny Bash(x)` for another rank, `always_deny Bash(x)`. */
function rulesOf(lines: readonly string[]) {
  return lines.map((line, index) => {
    const [, rank = '1', word = '', text = ''] = /^(?:(\d) )?(\w+) ([^]*)$/.exec(line) ?? [];
    return parseRule({ text, verdict: (word === 'always_deny' ? 'deny' : word) as Verdict, from: `file:${index + 1}`, rank: Number(rank), ...(word === 'always_deny' && { final: true }) });
  });
}

async function lint(lines: readonly string[], used?: LintWorld['used']): Promise<string[]> {
  const found = await lintRules(rulesOf(lines), { tools: builtinTools(), policy: testPolicy(place), cwd: place.root, home: place.home, ...(used && { used }) });
  return found.map(({ kind, rule, why, todo }: Finding) => `${rule.from} ${kind} ${spellRule(rule)}: ${why}. ${todo}`);
}

test.each([
  'allow Bash(npm test *)', 'allow Bash(git status)', 'allow Bash(git log --oneline *)', 'allow Bash(npm run build:*)', 'allow Bash(ls *)', 'allow Bash(make *)', 'allow Bash(cargo test *)', 'allow Bash(cat src/*)',
  'allow Bash(python3 tools/gen.py *)', 'allow Bash(node scripts/build.mjs *)', 'allow Bash(docker compose ps *)', 'allow Bash(rm -rf node_modules)', 'allow Bash(curl https://example.com/*)', 'allow Bash(find . -name *)', 'allow Bash(echo *)',
  'allow Read', 'allow Edit(src/**)', 'allow WriteFile(docs/*.md)', 'allow WriteFile(src/{a,b}.ts)', 'allow ReadFile(.env)', 'allow ReadFile(**/.env)', 'allow Grep(src/**)', 'allow LS', 'allow TodoWrite',
  'allow mcp_github_*', 'allow mcp__github__list', 'deny mcp_*', 'deny *', 'deny Bash', 'ask Bash(git push *)', 'deny Bash(rm *)', 'deny Bash(git *)', 'deny Bash(sudo *)', 'deny Bash(timeout * npm *)', 'deny WriteFile(/etc/**)', 'ask Bash(npm publish *)',
  'always_deny Bash(git push --force *)', 'deny ReadFile(~/.ssh/**)', 'deny Bash(rm -rf /)',
])('nothing to say of %s', async (line) => {
  expect(await lint([line])).toEqual([]);
});

test.each<[lines: string | string[], found: string[]]>([
  ['allow Frob(x)', ['file:1 dead Frob(x): there is no tool Frob. Remove it.']],
  ['deny ReadFil', ['file:1 dead ReadFil: there is no tool ReadFil. Did you mean ReadFile?']],
  ['allow Bash(npm test && npm run build)', ['file:1 dead Bash(npm test && npm run build): rules meet each simple command by itself, with quotes, variables and wrappers resolved, and none looks like that. Write Bash(npm test) and Bash(npm run build).']],
  ['allow Bash(git commit -m "x" *)', ['file:1 dead Bash(git commit -m "x" *): rules meet each simple command by itself, with quotes, variables and wrappers resolved, and none looks like that. Write Bash(git commit -m x *).']],
  ['allow Bash(timeout 60 npm test *)', ['file:1 dead Bash(timeout 60 npm test *): rules meet each simple command by itself, with quotes, variables and wrappers resolved, and none looks like that. Write Bash(npm test *).']],
  ['deny Bash(cat "a b" *)', [expect.stringMatching(/^file:1 dead Bash\(cat "a b" \*\): rules meet each simple command by itself/)]],
  ['allow Bash(rm -rf /)', ['file:1 dead Bash(rm -rf /): what it allows is refused all the same: "rm -rf /" is never allowed: it would remove / and all below it. Remove it.']],
  ['allow WriteFile(/etc/passwd)', ['file:1 dead WriteFile(/etc/passwd): what it allows is refused all the same: /etc/passwd is outside the project; add its folder with --add-dir to reach it. Remove it.']],
  ['allow WriteFile(.git/hooks/*)', [expect.stringMatching(/^file:1 dead WriteFile\(\.git\/hooks\/\*\): what it allows is asked for all the same: .*\.git can make code run later.* Remove it\.$/)]],
  ['allow WriteFile(src/)', ['file:1 dead WriteFile(src/): no file has a name that ends in /. Write WriteFile(src/**).']],
  ['ask WriteFile(../other/**)', ['file:1 dead WriteFile(../other/**): no path in the project looks like that: paths are relative to its root. Write it as src/** or with its whole path.']],
  ['allow Bash', ['file:1 broad Bash: it allows every command. Name the commands: program and subcommand, like Bash(npm test *).']],
  ['allow Bash(*)', ['file:1 broad Bash: it allows every command. Name the commands: program and subcommand, like Bash(npm test *).']],
  ['allow Bash(* --version)', ['file:1 broad Bash(* --version): it begins with *, so any program fits. Begin with the name of the program.']],
  ['allow *', ['file:1 broad *: it allows every tool. Name the tools that are to run unasked.']],
  ...['git *', 'git:*', 'git*', 'env *', 'sudo *', 'npx *', 'sh *', 'bash -c *', 'python3 *', 'python3 -c *', 'node -e *', 'xargs *', '/usr/bin/python *', 'npm exec *'].map((glob): [string, string[]] => [`allow Bash(${glob})`, [expect.stringMatching(/^file:1 broad .*can run or change anything\. Name what it is to do, like Bash\(/)]]),
  [['deny Bash(npm *)', 'allow Bash(npm test *)'], ['file:2 shadowed Bash(npm test *): deny Bash(npm *) (file:1) always wins over it. Remove one of the two.']],
  [['allow Bash(npm test *)', '3 deny Bash(npm *)'], ['file:1 shadowed Bash(npm test *): deny Bash(npm *) (file:2) always wins over it. Remove one of the two.']],
  [['allow Bash(npm test *)', '3 ask Bash(npm test *)'], ['file:1 shadowed Bash(npm test *): ask Bash(npm test *) (file:2) always wins over it. Remove one of the two.']],
  [['3 allow Bash(npm test *)', 'deny Bash(npm test *)'], ['file:2 shadowed Bash(npm test *): allow Bash(npm test *) (file:1) always wins over it. Remove one of the two.']],
  [['always_deny Bash(npm *)', '4 allow Bash(npm test *)'], ['file:2 shadowed Bash(npm test *): deny Bash(npm *) (file:1) always wins over it. Remove it.']],
  [['allow Bash(npm test *)', 'allow Bash(npm test *)'], ['file:2 shadowed Bash(npm test *): allow Bash(npm test *) (file:1) says the same already. Remove it.']],
  [['allow Bash(npm test)', 'allow Bash(npm test *)'], ['file:1 shadowed Bash(npm test): allow Bash(npm test *) (file:2) says the same already. Remove it.']],
  [['allow Edit(src/**)', 'deny EditFile'], ['file:1 shadowed EditFile(src/**): deny EditFile (file:2) always wins over it. Remove one of the two.']],
  [['allow WriteFile(src/a/**)', 'deny WriteFile(src/**)'], ['file:1 shadowed WriteFile(src/a/**): deny WriteFile(src/**) (file:2) always wins over it. Remove one of the two.']],
  [['deny mcp_fs_*', 'allow mcp_fs_read'], ['file:2 shadowed mcp_fs_read: deny mcp_fs_* (file:1) always wins over it. Remove one of the two.']],
  // The one is an exception to the other, or says the same elsewhere.
  [['allow Bash(npm *)', 'deny Bash(npm publish *)'], [expect.stringMatching(/^file:1 broad/)]],
  [['allow Bash(npm test *)', 'deny Bash(npm test --watch *)'], []],
  [['allow Bash(npm test *)', '3 allow Bash(npm test *)'], []],
  [['deny WriteFile(src/**)', '3 allow WriteFile(src/gen/**)'], []],
])('%s', async (lines, found) => {
  expect(await lint([lines].flat())).toEqual(found);
});

test('rules for MCP servers that are not there', async () => {
  const lines = ['allow mcp_fs_read', 'deny mcp_*', 'ask mcp_fs*', 'allow mcp__db', 'deny mcp_d*_x', 'allow mcp_f_x', 'ask mcp_gone_*'];
  const found = await lintRules(rulesOf(lines), { tools: builtinTools(), policy: testPolicy(place), cwd: place.root, home: place.home, servers: ['mcp_fs', 'mcp_db'] });
  expect(found.filter(({ kind }) => kind === 'dead').map(({ rule, why, todo }) => `${spellRule(rule)}: ${why}. ${todo}`)).toEqual([
    'mcp_f_x: no MCP server is configured that has such a tool. Servers: mcp_fs, mcp_db.', 'mcp_gone_*: no MCP server is configured that has such a tool. Servers: mcp_fs, mcp_db.',
  ]);
});

test('allow and ask rules that decided nothing', async () => {
  const decision: Decision = { verdict: 'allow', layer: 'rules', because: '', trace: [{ layer: 'rules', verdict: 'allow', because: 'the rule Bash(npm test *) (file:1) says allow' }] };
  expect(await lint(['allow Bash(npm test *)', 'allow Bash(npm run lint *)', 'ask WebFetch', 'deny Bash(rm *)'].filter((line) => !line.includes('WebFetch')), { sessions: 3, decisions: [decision] })).toEqual([
    'file:2 unused Bash(npm run lint *): it decided nothing in the last 3 sessions. Remove it if it is not needed any more.',
  ]);
});

test('nothing that a dialog proposes is found fault with', async () => {
  const policy = testPolicy(place);
  const proposed = new Map<string, string>();
  for (const [, command] of [...ordinary1, ...ordinary2]) {
    const access = [{ kind: 'run' as const, target: command }];
    const facts = await gatherFacts(access, { cwd: place.root, roots: policy.roots, home: place.home });
    const call = { id: 'c', name: 'Bash', input: {} };
    const { always, session = [] } = proposeRules(call, access, facts, decide({ ...call, access }, facts, policy));
    // Redirections out of the project ask all the same.
    for (const text of [...session, ...(always === undefined ? [] : [always])]) if (!text.startsWith('WriteFile(/')) proposed.set(text, command);
  }
  expect(proposed.size).toBeGreaterThan(500);
  const found = await Promise.all([...proposed].map(async ([text, command]) => {
    const findings = await lintRules([parseRule({ text, verdict: 'allow', from: 'file', rank: 1 })], { tools: builtinTools(), policy, cwd: place.root, home: place.home });
    return findings.map(({ kind, why }) => `${text} ${kind}: ${why}  (${command})`);
  }));
  expect(found.flat()).toEqual([]);
});
