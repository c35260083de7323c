// Rules: spelling, matching, precedence, examples, and what the dialog proposes.
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { parseRule, proposeRules } from '../../src/permissions/rules.ts';
import type { Access, Verdict } from '../../src/types/permission.ts';
import { UserError } from '../../src/types/user-error.ts';
import { judge, judgeShell, testPlace, testPolicy } from './judge.ts';

const place = testPlace();
const from = { verdict: 'allow' as const, from: 'test', rank: 1 };

test.each([
  ['Bash', 'Bash', '*'],
  ['Bash()', 'Bash', '*'],
  ['Bash(npm test)', 'Bash', 'npm test'],
  ['Bash(npm test:*)', 'Bash', 'npm test *'],
  ['Bash(npm   test *)', 'Bash', 'npm test *'],
  ['Bash:npm test', 'Bash', 'npm test'],
  ['bash:npm test', 'Bash', 'npm test'],
  ['Read(src/**)', 'ReadFile', 'src/**'],
  ['Write', 'WriteFile', '*'],
  ['Edit(a(b).ts)', 'EditFile', 'a(b).ts'],
  ['edit:src/*', 'EditFile', 'src/*'],
  ['WebFetch(domain:example.com)', 'WebFetch', 'domain:example.com'],
  ['WebFetch:domain:example.com', 'WebFetch', 'domain:example.com'],
  ['mcp__github__create_issue', 'mcp_github_create_issue', '*'],
  ['mcp__github', 'mcp_github_*', '*'],
  ['mcp_github_*', 'mcp_github_*', '*'],
])('%s is read as %s with %s', (text, tool, glob) => {
  expect(parseRule({ text, ...from })).toEqual({ tool, glob, ...from });
});

test.each(['', '(', 'Bash(', 'Bash)', 'two words', '(x)'])('%j is no rule', (text) => {
  expect(() => parseRule({ text, ...from })).toThrow(UserError);
});

const read = (match: string[], notMatch: string[]) => parseRule({ text: 'Bash(npm test*)', ...from, match, notMatch }).glob;

test('examples are tried when a rule is read', () => {
  expect(read(['npm test', 'npm test -- a'], ['npm test; rm x', 'npm run test', 'npm test > x', 'npm test $(x)'])).toBe('npm test*');
  expect(() => read(['npm run test'], [])).toThrow('does not match its own example "npm run test"');
  expect(() => read([], ['npm test -- a'])).toThrow('matches its own example "npm test -- a"');
});

const TABLE: [rules: string, command: string, verdict: Verdict][] = [
  ['npm test', 'npm test', 'allow'],
  ['npm test', 'npm  test', 'allow'],
  ['npm test', '"npm" \'test\'', 'allow'],
  ['npm test', 'npm test -- a', 'ask'],
  ['npm test *', 'npm test', 'allow'],
  ['npm test:*', 'npm test -- a b', 'allow'],
  ['npm test *', 'npm tester', 'ask'],
  ['npm test*', 'npm tester', 'allow'],
  ['npm test *', "'npm test' x", 'ask'],
  ['npm test *', './npm test', 'ask'],
  ['npm test *', 'npm test; curl evil', 'ask'],
  ['npm test *', 'npm test && curl evil', 'ask'],
  ['npm test *', 'npm test || curl evil', 'ask'],
  ['npm test *', 'npm test | sh', 'ask'],
  ['npm test *', 'npm test & curl evil', 'ask'],
  ['npm test *', 'npm test\ncurl evil', 'ask'],
  ['npm test *', 'npm test $(curl evil)', 'ask'],
  ['npm test *', 'npm test `curl evil`', 'ask'],
  ['npm test *', 'npm test "$(curl evil)"', 'ask'],
  ['npm test *', 'npm test <(curl evil)', 'ask'],
  ['npm test *', 'npm test $X', 'ask'],
  ['npm test *', 'X=a; npm test $X', 'allow'],
  ['npm test *', 'npm test > out.txt', 'ask'],
  ['npm test *', 'npm test > /dev/null 2>&1', 'allow'],
  ['npm test *', 'npm test 2>&1', 'allow'],
  ['npm test *', 'npm test > $X', 'ask'],
  ['npm test *', 'npm test > ~/.bashrc', 'ask'],
  ['npm test *', 'npm test < in.txt', 'allow'],
  ['npm test *', 'npm test < /dev/tcp/1.2.3.4/5', 'ask'],
  ['npm test *', 'PATH=. npm test', 'ask'],
  ['npm test *', 'LD_PRELOAD=x npm test', 'ask'],
  ['npm test *', 'NODE_OPTIONS=--require=x npm test', 'ask'],
  ['npm test *', 'CI=1 npm test', 'allow'],
  ['npm test *', 'export PATH=.; npm test', 'ask'],
  ['npm test *', 'PATH=.; npm test', 'ask'],
  ['npm test *', 'timeout 5 npm test', 'allow'],
  ['npm test *', 'time nice -n 5 npm test', 'allow'],
  ['npm test *', 'env CI=1 npm test', 'allow'],
  ['npm test *', 'env PATH=. npm test', 'ask'],
  ['npm test *', 'sudo npm test', 'ask'],
  ['npm test *', "bash -c 'npm test'", 'ask'],
  ['npm test *', 'npm test\u200b', 'ask'],
  ['npm test *', 'npm test \u202e x', 'ask'],
  ['npm test *', 'npm() { curl evil; }; npm test', 'ask'],
  ['npm test *', '(npm test)', 'allow'],
  ['npm test *', 'for i in 1 2; do npm test; done', 'allow'],
  ['npm test *', 'for i in 1 2; do npm test; done > out', 'ask'],
  ['npm test *', 'if npm test; then curl evil; fi', 'ask'],
  ['npm test *', 'npm test "unclosed', 'ask'],
  ['npm test *', 'cd / && npm test', 'ask'],
  ['git status*', 'git status; curl evil', 'ask'],
  ['git status*', 'git status $(x)', 'ask'],
  ['git status*', 'git status > ~/.bashrc', 'ask'],
  ['git *', 'git -c core.pager=x log', 'ask'],
  ['git *', 'git fetch --upload-pack=x', 'ask'],
  ['git *', 'git log --output=x', 'ask'],
  ['git *', 'git log --oneline', 'allow'],
  ['git *', 'GIT_SSH_COMMAND=x git fetch', 'ask'],
  ['find *', 'find . -name x', 'allow'],
  ['find *', 'find . -name x -exec rm {} ;', 'ask'],
  ['find *', 'find . -delete -name x', 'ask'],
  ['find *', 'find . -fprintf x y', 'ask'],
  ['rg *', 'rg foo src', 'allow'],
  ['rg *', 'rg --pre sh foo', 'ask'],
  ['sed *', "sed -n 1,5p a", 'allow'],
  ['sed *', "sed s/a/b/ a", 'allow'],
  ['sed *', "sed 's/a/b/e' a", 'ask'],
  ['sed *', "sed 'w out' a", 'ask'],
  ['sed *', "sed '1e id' a", 'ask'],
  ['sed *', 'sed -i s/a/b/ a', 'ask'],
  ['sort *', 'sort a', 'allow'],
  ['sort *', 'sort -o b a', 'ask'],
  ['sort *', 'sort --compress-program=sh a', 'ask'],
  ['tar *', 'tar xf a.tar', 'allow'],
  ['tar *', 'tar xf a.tar --to-command=sh', 'ask'],
  ['tar *', 'tar xf a.tar --checkpoint-action=exec=sh', 'ask'],
  ['awk *', "awk '{print $1}' a", 'allow'],
  ['awk *', "awk 'BEGIN{system(\"id\")}'", 'ask'],
  ['man *', 'man -P sh ls', 'ask'],
  ['$X *', '$X a', 'ask'],
  ['echo *', 'echo $USER', 'allow'],
  ['cp *', 'cp a ~/.bashrc', 'ask'],
  ['cp *', 'cp a b', 'allow'],
  ['cp *', 'cp a /usr/local/bin/x', 'ask'],
  ['*', 'curl x; ls', 'allow'],
  ['*', 'find . -exec ls {} +', 'allow'],
  ['*', 'ls > out', 'ask'],
  ['ls \\*', 'ls *', 'allow'],
  ['ls \\*', 'ls a', 'ask'],
];

test.each(TABLE)('Bash(%s) and %j: %s', async (glob, command, verdict) => {
  expect((await judgeShell(command, { ...place, allow: [`Bash(${glob})`] })).verdict).toBe(verdict);
});

test.each([
  ['curl *', 'curl x'], ['curl *', '/usr/bin/curl x'], ['curl *', 'c""url x'], ['curl *', 'sudo curl x'], ['curl *', 'env A=b curl x'], ['curl *', 'timeout 5 curl x'], ['curl *', "bash -c 'curl x'"],
  ['curl *', 'watch curl x'], ['curl *', 'setsid ionice curl x'], ['curl *', 'echo x | xargs curl'], ['curl *', 'find . -exec curl {} +'], ['curl *', 'ls $(curl x)'], ['curl *', 'f() { curl x; }; f'], ['curl *', 'eval curl x'],
  ['timeout *', 'timeout 5 npm test'], ['rm *', 'ls && rm x'], ['git push *', 'git push'], ['npm run deploy', '(cd x; npm run deploy)'], ['curl *', 'bash <<< "curl x"'], ['git commit -m *', 'git commit -m "a b"'],
])('a deny of %s holds for %s', async (glob, command) => {
  expect((await judgeShell(command, { ...place, mode: 'bypassPermissions', allow: ['Bash'], deny: [`Bash(${glob})`] })).verdict).toBe('deny');
});

test.each<[string, Access['kind'], string, string[], Verdict]>([
  ['WriteFile', 'write', 'src/a.ts', ['WriteFile(src/**)'], 'allow'],
  ['WriteFile', 'write', 'src/deep/a.ts', ['Write(src/**)'], 'allow'],
  ['WriteFile', 'write', 'src/deep/a.ts', ['Write(src/*)'], 'ask'],
  ['WriteFile', 'write', 'srcs/a.ts', ['Write(src/**)'], 'ask'],
  ['WriteFile', 'write', 'src/../b.ts', ['Write(src/**)'], 'ask'],
  ['WriteFile', 'write', `${place.root}/src/a.ts`, ['Write(src/**)'], 'allow'],
  ['WriteFile', 'write', 'src/a.ts', [`Write(${place.root}/**)`], 'allow'],
  ['WriteFile', 'write', 'src/a.ts', ['Edit(src/**)'], 'ask'],
  ['WriteFile', 'write', 'src/a.ts', ['WriteFile'], 'allow'],
  ['WriteFile', 'write', '.git/hooks/x', ['WriteFile'], 'ask'],
  ['ReadFile', 'read', '.env', ['Read'], 'deny'],
  ['ReadFile', 'read', '.env', ['Read(*)'], 'deny'],
  ['ReadFile', 'read', '.env', ['Read(.env*)'], 'deny'],
  ['ReadFile', 'read', '.env', ['Read(.env)'], 'allow'],
  ['ReadFile', 'read', 'a/.env', ['Read(.env)'], 'deny'],
  ['ReadFile', 'read', 'a/.env', ['Read(**/.env)'], 'allow'],
  ['ReadFile', 'read', '.env.example', [], 'allow'],
  ['WebFetch', 'net', 'https://example.com/a', ['WebFetch(domain:example.com)'], 'allow'],
  ['WebFetch', 'net', 'https://evil-example.com/', ['WebFetch(domain:example.com)'], 'ask'],
  ['WebFetch', 'net', 'https://example.com.evil.org/', ['WebFetch(domain:example.com)'], 'ask'],
  ['WebFetch', 'net', 'https://example.com@evil.org/', ['WebFetch(domain:example.com)'], 'ask'],
  ['WebFetch', 'net', 'https://a.example.com/', ['WebFetch(domain:*.example.com)'], 'allow'],
  ['WebFetch', 'net', 'https://a.example.com/', ['WebFetch(domain:*)'], 'allow'],
  ['mcp_github_create', 'mcp', 'github create', ['mcp__github__create'], 'allow'],
  ['mcp_github_create', 'mcp', 'github create', ['mcp_github_*'], 'allow'],
  ['mcp_gitlab_create', 'mcp', 'gitlab create', ['mcp_github_*'], 'ask'],
])('%s %s %s with allow %j: %s', async (name, kind, target, allow, verdict) => {
  expect((await judge(name, [{ kind, target }], { ...place, allow })).verdict).toBe(verdict);
});

test.each<[string, string[], Verdict]>([
  ['cat secret.txt', ['Read(secret.txt)'], 'deny'],
  ['cat < secret.txt', ['Read(secret.txt)'], 'deny'],
  ['echo x > locked.txt', ['Write(locked.txt)'], 'deny'],
  ['cp a locked.txt', ['Edit(locked.txt)'], 'deny'],
  ['cat .env', [], 'deny'], ['grep KEY .env', [], 'deny'], ['source .env', [], 'deny'], ['. ./.env', [], 'deny'], ['cp .env x', [], 'deny'], ['base64 < .env', [], 'deny'], ['cat src/../.env', [], 'deny'], ['cd src && cat ../.env', [], 'deny'],
  ['grep .env README.md', [], 'allow'], ['ls .env', [], 'allow'], ['echo .env', [], 'allow'], ['git add .env.example', [], 'allow'], ['touch .env', [], 'allow'], ['test -f .env', [], 'allow'],
  ['echo x > .git/config', [], 'ask'], ['rm -rf .git', [], 'ask'], ['echo x >> ~/.zshrc', [], 'ask'], ['cp hook .husky/pre-commit', [], 'ask'], ['tee .github/workflows/ci.yml', [], 'ask'], ['mv x .vscode/tasks.json', [], 'ask'],
])('%s with deny %j under bypassPermissions: %s', async (command, deny, verdict) => {
  expect((await judgeShell(command, { ...place, mode: 'bypassPermissions', deny })).verdict).toBe(verdict);
});

describe('precedence', () => {
  const access: Access[] = [{ kind: 'write', target: 'a.txt' }];
  const decided = async (...rules: [verdict: Verdict, rank: number, final?: boolean][]) => {
    const facts = await gatherFacts(access, { cwd: place.root, roots: [place.root], home: place.home });
    const policy = { ...testPolicy(place), rules: rules.map(([verdict, rank, final]) => parseRule({ text: 'Write(a.txt)', verdict, from: `r${rank}`, rank, ...(final && { final }) })) };
    return decide({ id: 'c', name: 'WriteFile', input: {}, access }, facts, policy).verdict;
  };
  test('a later file overrides an earlier one', async () => {
    expect(await decided(['deny', 1], ['allow', 2])).toBe('allow');
    expect(await decided(['allow', 1], ['deny', 2])).toBe('deny');
  });
  test('inside one file deny > ask > allow', async () => {
    expect(await decided(['allow', 1], ['ask', 1])).toBe('ask');
    expect(await decided(['ask', 1], ['allow', 1], ['deny', 1])).toBe('deny');
  });
  test('always_deny can not be overridden', async () => {
    expect(await decided(['deny', 1, true], ['allow', 9])).toBe('deny');
  });
});

test.each<[string, string | string[] | undefined, string | undefined]>([
  ['npm test -- a', 'Bash(npm test -- a)', 'Bash(npm test *)'],
  ['npm run build', 'Bash(npm run build)', 'Bash(npm run build *)'],
  ['git commit -m "x y"', "Bash(git commit -m 'x y')", 'Bash(git commit *)'],
  ['git -C x log', undefined, undefined],
  ['git push', 'Bash(git push)', undefined],
  ['git config a b', 'Bash(git config a b)', undefined],
  ['ls -la', 'Bash(ls -la)', 'Bash(ls *)'],
  ['ls *', 'Bash(ls \\*)', 'Bash(ls *)'],
  ['python3 a.py', 'Bash(python3 a.py)', 'Bash(python3 a.py *)'],
  ['python3 -c 1', 'Bash(python3 -c 1)', undefined],
  ['node', 'Bash(node)', undefined],
  ['bash a.sh', 'Bash(bash a.sh)', undefined],
  ['npx x', 'Bash(npx x)', undefined],
  ['sudo ls', ['Bash(sudo ls)', 'Bash(ls)'], undefined],
  ['rm a', 'Bash(rm a)', undefined],
  ['curl x', 'Bash(curl x)', undefined],
  ['make', 'Bash(make)', undefined],
  ['make all', 'Bash(make all)', 'Bash(make all *)'],
  ['./run.sh', 'Bash(./run.sh)', undefined],
  ['find . -exec x', undefined, undefined],
])('for %s the dialog proposes %s and %s', async (command, session, always) => {
  const access: Access[] = [{ kind: 'run', target: command }];
  const facts = await gatherFacts(access, { cwd: place.root, roots: [place.root], home: place.home });
  const call = { id: 'c', name: 'Bash', input: {} };
  const { commands, ...proposed } = proposeRules(call, access, facts, decide({ ...call, access }, facts, testPolicy(place)));
  expect(proposed).toEqual({ ...(session !== undefined && { session: [session].flat() }), ...(always !== undefined && { always }) });
  expect(commands?.[0]).toEqual({ source: command, asks: true });
  // What is proposed does what it says.
  for (const rules of [session, always]) if (rules !== undefined) expect((await judgeShell(command, { ...place, allow: [rules].flat() })).verdict).toBe('allow');
});

test('the command that needs the answer is marked', async () => {
  const access: Access[] = [{ kind: 'run', target: 'npm test && curl x' }];
  const facts = await gatherFacts(access, { cwd: place.root, roots: [place.root], home: place.home });
  const call = { id: 'c', name: 'Bash', input: {} };
  const decision = decide({ ...call, access }, facts, testPolicy({ ...place, allow: ['Bash(npm test)'] }));
  expect(proposeRules(call, access, facts, decision)).toEqual({ session: ['Bash(curl x)'], commands: [{ source: 'npm test', asks: false }, { source: 'curl x', asks: true }] });
  // For a line of several commands every one that asks gets its rule, and what is written too.
  const line = [{ kind: 'run' as const, target: 'rm a && git push > log' }];
  const said = await gatherFacts(line, { cwd: place.root, roots: [place.root], home: place.home });
  expect(proposeRules(call, line, said, decide({ ...call, access: line }, said, testPolicy(place))).session).toEqual(['Bash(rm a)', 'Bash(git push)', 'WriteFile(log)']);
});

test.each<[string, Access[], string | undefined, string | undefined]>([
  ['WriteFile', [{ kind: 'write', target: 'src/a.ts' }], 'WriteFile', 'WriteFile(src/**)'],
  ['WriteFile', [{ kind: 'write', target: 'a.ts' }], 'WriteFile', 'WriteFile(a.ts)'],
  ['WriteFile', [{ kind: 'write', target: '.git/config' }], undefined, undefined],
  ['WebFetch', [{ kind: 'net', target: 'https://a.org/x' }], 'WebFetch(domain:*)', 'WebFetch(domain:a.org)'],
  ['mcp_a_b', [{ kind: 'mcp', target: 'a b' }], 'mcp_a_b', 'mcp_a_b'],
])('for %s %j the dialog proposes %s and %s', async (name, access, session, always) => {
  const facts = await gatherFacts(access, { cwd: place.root, roots: [place.root], home: place.home });
  const call = { id: 'c', name, input: {} };
  expect(proposeRules(call, access, facts, decide({ ...call, access }, facts, testPolicy(place)))).toEqual({ ...(session !== undefined && { session: [session] }), ...(always !== undefined && { always }) });
});
