// Paths that shell text names, on a real disk: what a command would read and write is judged where it really lies.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { testPlace, testPolicy } from './judge.ts';

const { root, home } = testPlace();
const base = join(root, '../..');
const own = ['.mewcode/permissions.yaml', '.mewcode/permissions.local.yaml', '.mewcode/hooks', '.claude/settings.json'].map((name) => join(root, name));

beforeAll(() => {
  for (const folder of [join(root, '.git/hooks'), join(root, '.mewcode'), join(base, 'outside/dir'), join(home, '.ssh')]) mkdirSync(folder, { recursive: true });
  for (const file of [join(root, '.env'), join(root, 'a'), join(root, '.git/config'), join(base, 'outside/x'), join(home, '.ssh/id_rsa'), join(home, '.netrc')]) writeFileSync(file, 'x');
  for (const [target, name] of [['../../outside/dir', 'l-dir'], ['.env', 'l-env'], ['.git/hooks', 'l-hooks'], ['../../outside/new', 'l-dangle'], [home, 'l-home'], ['.mewcode/permissions.yaml', 'l-rules'], ['/', 'l-slash'], ['.', 'l-self']] as const) symlinkSync(target, join(root, name));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function judged(command: string): Promise<string> {
  const access = [{ kind: 'run' as const, target: command }];
  const policy = { ...testPolicy({ root, home, mode: 'bypassPermissions', allow: ['Bash', 'ReadFile', 'WriteFile'] }), ownFiles: own };
  const { verdict, layer } = decide({ id: 'c', name: 'Bash', input: {}, access, hooks: 'allow' }, await gatherFacts(access, { cwd: root, roots: [root], home }), policy);
  return verdict === 'allow' ? 'allow' : `${verdict} ${layer}`;
}

// In the freest mode, with every rule and hook saying yes.
test.each<[expected: 'allow' | 'ask sandbox' | 'deny sandbox' | 'deny blacklist', commands: readonly string[]]>([
  ['allow', ['cat a', 'cat ./src/../a', 'cat l-self/a', 'echo x > a', 'echo x > new/file', 'cp a b', 'cat .env.example', 'echo x > .gitignore', 'cat .gitignore', 'ls -la .git', 'ls .ssh', 'touch .mewcode/notes.md']],
  ['deny sandbox', [
    'cat .env', 'cat ./.env', 'cat l-env', 'cat l-self/.env', 'cat l-self/l-self/l-env', 'cat < .env', 'cat < l-env', 'cat .e*', 'cat .en[v]', 'cat .??v', 'head -1 .env', 'base64 .env', 'diff .env a', 'cp .env b', 'cp l-env b', 'mv .env b', 'source .env', '. ./.env', 'cd src && cat ../.env', 'cd l-self && cat .env', 'xargs cat < .env',
    'while read l; do echo $l; done < .env', 'f=.env; cat $f', 'cat "$(echo .env)"', 'cat ~/.ssh/id_rsa', 'cat $HOME/.netrc', 'cat l-home/.netrc', 'cat l-slash/proc/1/environ', 'cat /proc/1/environ', 'cat /proc/self/environ', 'xargs -0 < /proc/1/environ', 'cat .git/config', `cat ${join(root, '.env')}`, "python3 -c \"print(open('.env').read())\"",
  ]],
  ['ask sandbox', [
    'echo x > .git/hooks/pre-commit', 'echo x > l-hooks/pre-commit', 'cp a .git/hooks/x', 'cp a l-hooks', 'tee .git/config < a', 'cd .git && echo x > config', 'cd l-hooks && touch post-merge', 'mv .git .g2', 'rm -rf .git', 'sed -i s/a/b/ .git/config', 'dd if=a of=.git/config', 'truncate -s 0 .git/index', 'chmod +x .git/hooks/pre-commit', 'tar xf a.tar -C .git', 'install -m 755 a .husky/pre-commit', 'rsync -a src/ .husky/',
    'echo x > .mewcode/permissions.yaml', 'echo x >> l-rules', 'cp a .mewcode/permissions.local.yaml', 'ln -sf /tmp/x .mewcode/permissions.yaml', 'mkdir -p .mewcode/hooks && cp a .mewcode/hooks/', "echo '{}' > .claude/settings.json", 'echo x > .vscode/tasks.json', 'echo x > .github/workflows/ci.yml', 'echo x >> ~/.bashrc', 'echo x >> $HOME/.zshrc', 'echo x >> l-home/.profile', 'echo x > l-self/.git/config', 'echo x > src/../.git/config',
  ]],
  ['deny blacklist', ['rm -rf l-slash/etc', 'rm -rf l-self/..', 'echo x > l-slash/etc/passwd', 'rm -rf ..', 'rm -rf l-home/']],
])('%s', async (expected, commands) => {
  const said = await Promise.all(commands.map(async (command) => [command, await judged(command)] as const));
  expect(said.filter(([, verdict]) => verdict !== expected)).toEqual([]);
});
