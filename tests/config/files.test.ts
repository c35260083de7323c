// Where things lie, how permission files are written, and the example that comes with the program.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { findPaths, makeProjectDir, shortPath } from '../../src/config/paths.ts';
import { appendRule, removeRule, type WrittenRule } from '../../src/config/permission-files.ts';
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
    ['every byte of odd layout stays', 'allow:\n- Bash(ls*)    #   aligned\n\n\n# gap\ndeny:   [ LS ,Read ]\n', 'allow:\n- Bash(ls*)    #   aligned\n- Bash(npm test *)\n\n\n# gap\ndeny:   [ LS ,Read ]\n'],
    ['behind a rule with examples', 'allow:\n  - rule: Bash(a *)\n    match: [a b]\n    # why\ndeny:\n  - LS\n', 'allow:\n  - rule: Bash(a *)\n    match: [a b]\n  - Bash(npm test *)\n    # why\ndeny:\n  - LS\n'],
    ['no newline at the end', 'allow:\n  - LS', 'allow:\n  - LS\n  - Bash(npm test *)\n'],
    ['CRLF', '# a\r\nallow:\r\n  - LS\r\ndeny:\r\n  - Grep\r\n', '# a\r\nallow:\r\n  - LS\r\n  - Bash(npm test *)\r\ndeny:\r\n  - Grep\r\n'],
    ['CRLF, written anew', 'allow: [LS] # a\r\n', 'allow:\r\n  - LS\r\n  - Bash(npm test *)\r\n  # a\r\n'],
    ['a byte order mark', '\uFEFFallow:\n  - LS\n', '\uFEFFallow:\n  - LS\n  - Bash(npm test *)\n'],
    ['a byte order mark, and another key', '\uFEFFdeny:\n  - LS\n', '\uFEFFdeny:\n  - LS\nallow:\n  - Bash(npm test *)\n'],
    ['a byte order mark, written anew', '\uFEFFallow: [LS]\n', '\uFEFFallow:\n  - LS\n  - Bash(npm test *)\n'],
    ['all in one line', '{allow: [LS]}\n', '{allow: [LS, Bash(npm test *)]}\n'],
    ['an empty list', 'allow: []\nask: [LS]\n', 'allow:\n  - Bash(npm test *)\nask: [LS]\n'],
    ['a key without a list', 'allow: # none yet\nask:\n  - LS\n', 'allow: # none yet\n  - Bash(npm test *)\nask:\n  - LS\n'],
    ['a rule that is there', 'allow:   [Bash(npm test *)]\n', 'allow:   [Bash(npm test *)]\n'],
  ];
  test.each(cases)('%s', async (_name, before, after) => {
    const world = makeWorld({ files: before === undefined ? {} : { [LOCAL]: before } });
    const place = await appendRule(world.paths, { verdict: 'allow', text: 'Bash(npm test *)' });
    expect(readFileSync(world.paths.localPermissions, 'utf8')).toBe(after);
    expect(place).toBe(`${LOCAL}:${after.slice(0, after.indexOf('Bash(npm')).split('\n').length}`);
    // Made private; one that is there stays as it is.
    expect(statSync(world.paths.localPermissions).mode & 0o777).toBe(before === undefined ? 0o600 : 0o644);
    expect(readdirSync(world.paths.projectDir).toSorted()).toEqual(['.gitignore', 'permissions.local.yaml']);
  });

  test('a text that YAML would read otherwise is quoted', async () => {
    const world = makeWorld({});
    for (const text of ['Bash(echo: #*)', '*', 'Bash(a\nb)', '"x"']) await appendRule(world.paths, { verdict: 'deny', text });
    expect(readFileSync(world.paths.localPermissions, 'utf8')).toBe('deny:\n  - "Bash(echo: #*)"\n  - "*"\n  - "Bash(a\\nb)"\n  - \'"x"\'\n');
  });

  test('a broken file is left as it is and said', async () => {
    const world = makeWorld({ files: { [LOCAL]: 'allow: [a\nb: }\n' } });
    await expect(appendRule(world.paths, { verdict: 'deny', text: 'x' })).rejects.toThrow(/^\.mewcode\/permissions\.local\.yaml is not valid YAML: /);
    expect(readFileSync(world.paths.localPermissions, 'utf8')).toBe('allow: [a\nb: }\n');
    const list = makeWorld({ files: { [LOCAL]: '- a\n' } });
    await expect(appendRule(list.paths, { verdict: 'deny', text: 'x' })).rejects.toThrow('.mewcode/permissions.local.yaml must be a block of keys, such as `allow:` with a list of rules.');
  });

  test('a read-only file, a link out of the project and a folder in its place are left alone and said', async () => {
    const world = makeWorld({ files: { [LOCAL]: 'allow: [LS]\n', '~/other.yaml': 'allow:\n' } });
    const path = world.paths.localPermissions;
    const append = () => appendRule(world.paths, { verdict: 'allow', text: 'Grep' });
    chmodSync(path, 0o444);
    await expect(append()).rejects.toThrow('.mewcode/permissions.local.yaml is read-only, so the rule was not written.');
    expect(readFileSync(path, 'utf8')).toBe('allow: [LS]\n');
    rmSync(path);
    symlinkSync(join(world.home, 'other.yaml'), path);
    await expect(append()).rejects.toThrow('.mewcode/permissions.local.yaml is a link that leads out of the project.');
    expect(readFileSync(join(world.home, 'other.yaml'), 'utf8')).toBe('allow:\n');
    rmSync(path);
    mkdirSync(path);
    await expect(append()).rejects.toThrow('permissions.local.yaml is not a file.');
  });

  test("the user's own file may be a link, as those who keep their settings in git have it", async () => {
    const world = makeWorld({ files: { '~/dotfiles/p.yaml': '# mine\n' } });
    mkdirSync(join(world.home, '.mewcode'));
    symlinkSync(join(world.home, 'dotfiles/p.yaml'), join(world.home, '.mewcode/permissions.yaml'));
    await appendRule(findPaths({ cwd: world.home, env: { HOME: world.home } }), { verdict: 'allow', text: 'LS' });
    expect(readFileSync(join(world.home, 'dotfiles/p.yaml'), 'utf8')).toBe('# mine\n\nallow:\n  - LS\n');
  });

  test('in the home folder they go to the user\'s file', async () => {
    const world = makeWorld({});
    await appendRule(findPaths({ cwd: world.home, env: { HOME: world.home } }), { verdict: 'allow', text: 'LS' });
    expect(readFileSync(join(world.home, '.mewcode/permissions.yaml'), 'utf8')).toBe('allow:\n  - LS\n');
  });

  test('processes that write at the same time lose no rule', async () => {
    const world = makeWorld({ files: { [LOCAL]: '# kept\nallow:\n  - LS # kept too\n' } });
    const script = join(world.home, 'writer.mjs');
    const src = join(import.meta.dirname, '../../src/config');
    writeFileSync(script, `import { appendRule } from ${JSON.stringify(join(src, 'permission-files.ts'))};
      import { findPaths } from ${JSON.stringify(join(src, 'paths.ts'))};
      const paths = findPaths({ cwd: process.argv[2], env: { HOME: process.argv[3] } });
      for (let at = 0; at < 20; at++) await appendRule(paths, { verdict: 'allow', text: \`Bash(\${process.argv[4]} \${at})\` });`);
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => promisify(execFile)(process.execPath, [script, world.project, world.home, name])));
    const lines = readFileSync(world.paths.localPermissions, 'utf8').split('\n');
    expect({ head: lines.slice(0, 3), rules: lines.slice(3).toSorted() }).toEqual({
      head: ['# kept', 'allow:', '  - LS # kept too'], rules: ['', ...names.flatMap((name) => Array.from({ length: 20 }, (_, at) => `  - Bash(${name} ${at})`))].toSorted(),
    });
  });
});

const from = (line: number) => `.mewcode/permissions.local.yaml:${line}`;

describe('taking a rule out', () => {
  test.each<[name: string, before: string, rule: WrittenRule, text: string, after: string]>([
    ['the line goes, comments stay', '# top\nallow:\n  # a\n  - LS # x\n  # b\n  - Grep\n', { from: from(4), verdict: 'allow' }, 'LS', '# top\nallow:\n  # a\n  # b\n  - Grep\n'],
    ['the last of a list', 'allow:\n  - LS\ndeny:\n  - Grep\n', { from: from(2), verdict: 'allow' }, 'LS', 'allow:\ndeny:\n  - Grep\n'],
    ['with its examples', 'allow:\n  - rule: LS\n    match: [a]\n  - Grep\n', { from: from(2), verdict: 'allow' }, 'LS', 'allow:\n  - Grep\n'],
    ['of two the one on that line', 'allow:\n  - LS\n  - Grep\n  - LS\n', { from: from(4), verdict: 'allow' }, 'LS', 'allow:\n  - LS\n  - Grep\n'],
    ['that has moved', '# new\nallow:\n  - Grep\n  - LS\n', { from: from(2), verdict: 'allow' }, 'LS', '# new\nallow:\n  - Grep\n'],
    ['out of one line', 'allow: [LS, Grep] # x\r\n', { from: from(1), verdict: 'allow' }, 'LS', 'allow: [Grep] # x\r\n'],
    ['always_deny', 'deny: [LS]\nalways_deny:\n  - LS\n', { from: from(3), verdict: 'deny', final: true }, 'LS', 'deny: [LS]\nalways_deny:\n'],
  ])('%s', async (_name, before, rule, text, after) => {
    const world = makeWorld({ files: { '.mewcode/permissions.local.yaml': before } });
    await removeRule(world.paths, rule, (other) => other === text);
    expect(readFileSync(world.paths.localPermissions, 'utf8')).toBe(after);
  });

  test('what is not there, or stands where nothing can be taken out', async () => {
    const world = makeWorld({ files: { '.mewcode/permissions.local.yaml': 'allow: [LS]\n' } });
    await expect(removeRule(world.paths, { from: from(1), verdict: 'allow' }, (text) => text === 'Grep')).rejects.toThrow('.mewcode/permissions.local.yaml has changed and does not hold this rule any more.');
    await expect(removeRule(world.paths, { from: '--allow', verdict: 'allow' }, () => true)).rejects.toThrow("This rule comes from --allow, so it can't be removed here.");
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
