// Where things lie, how permission files are written, and the example that comes with the program.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { findPaths, makeProjectDir, shortPath } from '../../src/config/paths.ts';
import { appendRule } from '../../src/config/permission-files.ts';
import { protocols } from '../../src/config/protocols.ts';
import { parseSize } from '../../src/config/sizes.ts';
import { makeFolder, makeWorld } from './helpers.ts';

const make = (...parts: string[]) => { const path = join(...parts); mkdirSync(path, { recursive: true }); return path; };

describe('paths', () => {
  test('the root is the nearest folder with .git or .mewcode', () => {
    const home = makeFolder();
    const cwd = make(home, 'a/b/c');
    const root = () => findPaths({ cwd, env: { HOME: home } }).root;
    expect(root()).toBe(cwd);
    make(home, 'a/.git');
    expect(root()).toBe(join(home, 'a'));
    writeFileSync(join(home, 'a/b/.mewcode'), 'a file is no project');
    expect(root()).toBe(join(home, 'a'));
    make(home, 'a/b/c/.mewcode');
    expect(root()).toBe(cwd);
  });

  test('neither the home folder nor anything above it is a project', () => {
    const top = makeFolder();
    const home = make(top, 'home');
    const cwd = make(home, 'x');
    for (const folder of [top, home]) for (const name of ['.git', '.mewcode']) make(folder, name);
    expect(findPaths({ cwd, env: { HOME: home } })).toMatchObject({ root: cwd, hasProject: true, projectDir: join(cwd, '.mewcode'), userDir: join(home, '.mewcode') });
    expect(findPaths({ cwd: home, env: { HOME: home } })).toMatchObject({
      root: home, hasProject: false, projectDir: join(home, '.mewcode'), projectConfigs: [], localPermissions: join(home, '.mewcode/permissions.yaml'), sessions: join(home, '.mewcode/session'),
    });
    const beside = make(top, 'beside');
    expect(findPaths({ cwd: beside, env: { HOME: home } }).root).toBe(beside);
    const homely = make(top, 'home-2/.git/..');
    expect(findPaths({ cwd: homely, env: { HOME: home } }).root).toBe(homely);
  });

  test('MEWCODE_HOME moves the user\'s folder; links are followed', () => {
    const home = makeFolder();
    const cwd = make(home, 'p');
    make(home, 'p/.git');
    symlinkSync(cwd, join(home, 'link'));
    const paths = findPaths({ cwd: join(home, 'link'), env: { HOME: home, MEWCODE_HOME: join(home, 'elsewhere') } });
    expect(paths).toMatchObject({ cwd, root: cwd, userDir: join(home, 'elsewhere'), userConfig: join(home, 'elsewhere/config.yaml'), trustFile: join(home, 'elsewhere/trust.json') });
    expect([shortPath(join(cwd, 'a/b'), paths), shortPath(join(home, 'c'), paths), shortPath('/etc/x', paths)]).toEqual(['a/b', '~/c', '/etc/x']);
    expect(findPaths({ cwd, env: { HOME: home, MEWCODE_HOME: join(cwd, '.mewcode') } }).hasProject).toBe(false);
  });

  test('.mewcode is made with a .gitignore of its own, once', () => {
    const { paths } = makeWorld({});
    makeProjectDir(paths);
    const path = join(paths.projectDir, '.gitignore');
    expect(readFileSync(path, 'utf8')).toBe('/*\n!/config.yaml\n!/permissions.yaml\n!/skills/\n!/agents/\n!/commands/\n!/hooks/\n!/mcp.json\n!/rules/\n');
    writeFileSync(path, 'mine\n');
    makeProjectDir(paths);
    expect(readFileSync(path, 'utf8')).toBe('mine\n');
  });
});

describe('always rules', () => {
  const LOCAL = '.mewcode/permissions.local.yaml';
  const cases: [string, string | undefined, string][] = [
    ['no file', undefined, 'allow:\n  - Bash(npm test *)\n'],
    ['an empty file', '', 'allow:\n  - Bash(npm test *)\n'],
    ['comments only', '# mine\n', '# mine\n\nallow:\n  - Bash(npm test *)\n'],
    ['comments, order and quotes stay', '# top\ndeny:\n  - "Bash(rm*)" # never\n\n# what is fine\nallow:\n  - Bash(ls*)\n  # after\n', '# top\ndeny:\n  - "Bash(rm*)" # never\n\n# what is fine\nallow:\n  - Bash(ls*)\n  - Bash(npm test *)\n  # after\n'],
    ['an empty list', 'allow: []\nask: [LS]\n', 'allow:\n  - Bash(npm test *)\nask: [LS]\n'],
    ['a key without a list', 'allow:\nask:\n  - LS\n', 'allow:\n  - Bash(npm test *)\nask:\n  - LS\n'],
    ['a rule that is there', 'allow:   [Bash(npm test *)]\n', 'allow:   [Bash(npm test *)]\n'],
  ];
  test.each(cases)('%s', async (_name, before, after) => {
    const world = makeWorld({ files: before === undefined ? {} : { [LOCAL]: before } });
    await appendRule(world.paths, { verdict: 'allow', text: 'Bash(npm test *)' });
    expect(readFileSync(world.paths.localPermissions, 'utf8')).toBe(after);
    expect(statSync(world.paths.localPermissions).mode & 0o777).toBe(0o600);
    expect(existsSync(join(world.paths.projectDir, '.gitignore'))).toBe(true);
  });

  test('a broken file is left as it is and said', async () => {
    const world = makeWorld({ files: { [LOCAL]: 'allow: [a\nb: }\n' } });
    await expect(appendRule(world.paths, { verdict: 'deny', text: 'x' })).rejects.toThrow(/^\.mewcode\/permissions\.local\.yaml is not valid YAML: /);
    expect(readFileSync(world.paths.localPermissions, 'utf8')).toBe('allow: [a\nb: }\n');
    const list = makeWorld({ files: { [LOCAL]: '- a\n' } });
    await expect(appendRule(list.paths, { verdict: 'deny', text: 'x' })).rejects.toThrow('.mewcode/permissions.local.yaml must be a block of keys, such as `allow:` with a list of rules.');
  });

  test('in the home folder they go to the user\'s file', async () => {
    const world = makeWorld({});
    await appendRule(findPaths({ cwd: world.home, env: { HOME: world.home } }), { verdict: 'allow', text: 'LS' });
    expect(readFileSync(join(world.home, '.mewcode/permissions.yaml'), 'utf8')).toBe('allow:\n  - LS\n');
  });
});

test.each([['128K', 128_000], ['1M', 1_000_000], [' 1.5m ', 1_500_000], ['128_000', 128_000], [8192, 8192], ['8k', 8_000], ['K', undefined], ['-1', undefined], ['0', undefined], [1.5, 2], ['1G', undefined], ['', undefined]])('size %s', (text, size) => {
  expect(parseSize(text)).toBe(size);
});

describe('config.example.yaml', () => {
  test('is valid and has an entry for each protocol', async () => {
    const world = makeWorld({});
    const keys = Object.fromEntries(protocols.flatMap((row) => row.keyVars).map((name) => [name, `${name}-value`]));
    const mattermost = { MATTERMOST_TOKEN: 'a', MATTERMOST_USER: 'b', MATTERMOST_CSRF: 'c' };
    const loaded = await loadConfig({ cwd: world.project, env: { HOME: world.home, ...keys, ...mattermost }, file: join(import.meta.dirname, '../../config.example.yaml') });
    expect([...new Set(loaded.providers.map((one) => one.protocol))].sort()).toEqual(protocols.map((row) => row.name).sort());
    expect({ name: loaded.provider.name, key: loaded.provider.apiKey, warnings: loaded.warnings, mode: loaded.mode }).toEqual({ name: 'claude', key: 'ANTHROPIC_API_KEY-value', warnings: [], mode: 'default' });
  });
});
