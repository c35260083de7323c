// The layers of the configuration: who wins, what belongs to whom, which backend is found by its key.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeConfig } from '../../src/config/describe.ts';
import type { Loaded } from '../../src/config/load.ts';
import type { ProviderSettings } from '../../src/types/settings.ts';
import { UserError } from '../../src/types/user-error.ts';
import { makeWorld, type World } from './helpers.ts';

const USER = '~/.mewcode/config.yaml';
const PROJECT = '.mewcode/config.yaml';
const LONG = 'active: work\nproviders:\n  work: {protocol: anthropic, model: claude-a, api_key: key-work}\n  cheap: {protocol: deepseek, model: deepseek-a, extra: {temperature: 0.7, max_tokens: 8K}}\n';

const standard: ProviderSettings = {
  name: 'demo', protocol: 'demo', model: undefined, baseUrl: undefined, apiKey: undefined, thinking: 'auto', contextWindow: undefined, maxTokens: undefined,
  timeoutMs: 90_000, toolProtocol: 'native', extra: {}, price: undefined,
};

const cases: [string, World, Partial<ProviderSettings>][] = [
  ['nothing at all is the demo', {}, {}],
  ['the short form whole', { files: { [USER]: 'protocol: anthropic\nmodel: m\nbase_url: https://x.example\napi_key: k\nthinking: {budget_tokens: 2000}\ncontext_window: 200K\nmax_tokens: 8K\ntimeout: 5\ntool_protocol: text\nextra: {a: [1, {b: c}]}\n' } },
    { name: 'anthropic', protocol: 'anthropic', model: 'm', baseUrl: 'https://x.example', apiKey: 'k', thinking: { budget: 2000 }, contextWindow: 200_000, maxTokens: 8_000, timeoutMs: 5_000, toolProtocol: 'text', extra: { a: [1, { b: 'c' }] } }],
  ['provider is read as protocol, github_copilot as copilot', { files: { [USER]: 'provider: github_copilot\n' } }, { name: 'copilot', protocol: 'copilot' }],
  ['later layers win key by key', { files: { [USER]: 'protocol: anthropic\nmodel: a\ntimeout: 1\n', [PROJECT]: 'model: b\nmax_tokens: 1K\n', 'config.yaml': 'protocol: anthropic\nmax_tokens: 2K\n' }, env: { MEWCODE_CONTEXT_WINDOW: '1M' }, flags: { model: 'f' } },
    { name: 'anthropic', protocol: 'anthropic', model: 'f', timeoutMs: 1_000, maxTokens: 2_000, contextWindow: 1_000_000 }],
  ['null is the default again', { files: { [USER]: 'protocol: openai\nmodel: a\ntimeout: 1\nthinking: false\n', [PROJECT]: 'model: null\ntimeout: null\nthinking:\n' } }, { name: 'openai', protocol: 'openai' }],
  ['a config.yaml of another program is left alone', { files: { 'config.yaml': 'provider: aws\nproviders:\n  x: {protocol: tcp}\nmodel: 3\n' } }, {}],
  ['./config.yaml with a provider of ours', { files: { 'config.yaml': 'provider: deepseek\n' } }, { name: 'deepseek', protocol: 'deepseek' }],
  ['./config.yaml with an entry of ours', { files: { 'config.yaml': 'providers:\n  a: {protocol: glm}\n' } }, { name: 'a', protocol: 'glm' }],
  ['a named file is over project files', { files: { [PROJECT]: 'protocol: openai\nmodel: a\n', 'my.yaml': 'model: b\n' }, file: 'my.yaml' }, { name: 'openai', protocol: 'openai', model: 'b' }],
  ['variables are over files, LLM_ ones below', { files: { [USER]: 'protocol: openai\nmodel: a\n' }, env: { MEWCODE_MODEL: 'b', LLM_MODEL: 'c', LLM_BASE_URL: 'http://l/v1', LLM_TIMEOUT: '7' } }, { name: 'openai', protocol: 'openai', model: 'b', baseUrl: 'http://l/v1', timeoutMs: 7_000 }],
  ['flags are over variables', { env: { MEWCODE_PROVIDER: 'openai', MEWCODE_MODEL: 'a' }, flags: { provider: 'openai', model: 'b' } }, { name: 'openai', protocol: 'openai', model: 'b' }],

  ['the active entry', { files: { [USER]: LONG } }, { name: 'work', protocol: 'anthropic', model: 'claude-a', apiKey: 'key-work' }],
  ['a flag names an entry; max_tokens in extra counts', { files: { [USER]: LONG }, flags: { provider: 'cheap' } }, { name: 'cheap', protocol: 'deepseek', model: 'deepseek-a', maxTokens: 8_000, extra: { temperature: 0.7 } }],
  ['a variable names an entry', { files: { [USER]: LONG }, env: { MEWCODE_PROVIDER: 'cheap' } }, { name: 'cheap', protocol: 'deepseek', model: 'deepseek-a', maxTokens: 8_000, extra: { temperature: 0.7 } }],
  ['a flag names a protocol without entry', { files: { [USER]: LONG }, flags: { provider: 'openai' }, env: { OPENAI_API_KEY: 'o' } }, { name: 'openai', protocol: 'openai', apiKey: 'o' }],
  ['the project changes the model of the active entry', { files: { [USER]: LONG, [PROJECT]: 'model: claude-b\n' } }, { name: 'work', protocol: 'anthropic', model: 'claude-b', apiKey: 'key-work' }],
  ['an entry called like a protocol needs no other word', { files: { [USER]: 'active: glm\nproviders:\n  glm: {model: g}\n' } }, { name: 'glm', protocol: 'glm', model: 'g' }],
  ['without active the first entry that has a key', { files: { [USER]: 'providers:\n  a: {protocol: openai}\n  b: {protocol: deepseek}\n' }, env: { DEEPSEEK_API_KEY: 'd' } }, { name: 'b', protocol: 'deepseek', apiKey: 'd' }],
  ['models are over entries and below variables', { files: { [USER]: `${LONG}models:\n  claude-a: {max_tokens: 1K, timeout: 3}\n  work/claude-a: {context_window: 64K}\n` }, env: { MEWCODE_CONTEXT_WINDOW: '5K' } }, { name: 'work', protocol: 'anthropic', model: 'claude-a', apiKey: 'key-work', maxTokens: 1_000, timeoutMs: 3_000, contextWindow: 5_000 }],
  ['the thinking model while thinking is on', { files: { [USER]: 'protocol: openai\nmodel: a\nthinking_model: b\nthinking: {effort: high}\n' } }, { name: 'openai', protocol: 'openai', model: 'b', thinking: { effort: 'high' } }],
  ['and not while it is off', { files: { [USER]: 'protocol: openai\nmodel: a\nthinking_model: b\nthinking: off\n' } }, { name: 'openai', protocol: 'openai', model: 'a', thinking: 'off' }],
  ['a way of thinking is one value', { files: { [USER]: 'protocol: openai\nthinking: {effort: high}\n', [PROJECT]: 'thinking: {budget_tokens: 5000}\n' } }, { name: 'openai', protocol: 'openai', thinking: { budget: 5000 } }],
  ['prices by model', { files: { [USER]: 'protocol: openai\nmodel: a\npricing:\n  a: {input: 1, output: 2, cache_read: 0.1}\n' } }, { name: 'openai', protocol: 'openai', model: 'a', price: { input: 1, output: 2, cacheRead: 0.1 } }],
  ['what a special service needs goes with extra', { files: { [USER]: 'protocol: mattermost\nbase_url: https://m.example\nmmauth_token: ${TOK}\naccess_team: t\n' }, env: { TOK: 'abc' } }, { name: 'mattermost', protocol: 'mattermost', baseUrl: 'https://m.example', extra: { mmauth_token: 'abc', access_team: 't' } }],

  ['a literal key stays over the variables', { files: { [USER]: 'protocol: openai\napi_key: literal\n' }, env: { MEWCODE_API_KEY: 'm', OPENAI_API_KEY: 'o' } }, { name: 'openai', protocol: 'openai', apiKey: 'literal' }],
  ['MEWCODE_API_KEY is over ${VAR}', { files: { [USER]: 'protocol: openai\napi_key: ${K}\n' }, env: { LLM_API_KEY: 'l', MEWCODE_API_KEY: 'm', K: 'k', OPENAI_API_KEY: 'o' } }, { name: 'openai', protocol: 'openai', apiKey: 'm' }],
  ['LLM_API_KEY is its alias', { files: { [USER]: 'protocol: openai\napi_key: ${K}\n' }, env: { LLM_API_KEY: 'l', K: 'k' } }, { name: 'openai', protocol: 'openai', apiKey: 'l' }],
  ['${VAR} is over the usual variable', { files: { [USER]: 'protocol: openai\napi_key: ${K}\n' }, env: { K: 'k', OPENAI_API_KEY: 'o' } }, { name: 'openai', protocol: 'openai', apiKey: 'k' }],
  ['api_key_env too', { files: { [USER]: 'protocol: openai\napi_key_env: K\n' }, env: { K: 'k', OPENAI_API_KEY: 'o' } }, { name: 'openai', protocol: 'openai', apiKey: 'k' }],
  ['an empty key is none', { files: { [USER]: 'protocol: openai\napi_key: ""\n' }, env: { OPENAI_API_KEY: 'o' } }, { name: 'openai', protocol: 'openai', apiKey: 'o' }],
  ['the usual variable is last', { files: { [USER]: 'protocol: glm\n' }, env: { ZHIPU_KEY: 'z' } }, { name: 'glm', protocol: 'glm', apiKey: 'z' }],
  ['a key, an address and a model stay with their protocol', { files: { [USER]: 'protocol: anthropic\napi_key: a-key\nbase_url: https://a.example\nmodel: a\nmax_tokens: 1K\ntimeout: 3\n', [PROJECT]: 'protocol: deepseek\n' } }, { name: 'deepseek', protocol: 'deepseek', timeoutMs: 3_000 }],
  ['and come back with it', { files: { [USER]: 'protocol: anthropic\napi_key: a-key\n', [PROJECT]: 'protocol: deepseek\n' }, flags: { provider: 'anthropic' } }, { name: 'anthropic', protocol: 'anthropic', apiKey: 'a-key' }],
  ['MEWCODE_API_KEY stays with the protocol below the flags', { files: { [USER]: 'protocol: anthropic\n' }, env: { MEWCODE_API_KEY: 'm' }, flags: { provider: 'openai' } }, { name: 'openai', protocol: 'openai' }],
  ['a key of one entry is not for another', { files: { [USER]: 'active: a\napi_key: top\nproviders:\n  a: {protocol: openai-compatible, base_url: http://a, api_key: ka}\n  b: {protocol: openai-compatible, base_url: http://b}\n' }, flags: { provider: 'b' } }, { name: 'b', protocol: 'openai-compatible', baseUrl: 'http://b' }],
  ['an entry whose protocol a later layer changes loses its key', { files: { [USER]: LONG, [PROJECT]: 'providers:\n  work: {protocol: openai}\n' } }, { name: 'work', protocol: 'openai' }],

  ['found by key: GLM first', { env: { GLM_API_KEY: 'g', OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' } }, { name: 'glm', protocol: 'glm', apiKey: 'g' }],
  ['found by key: OpenAI before Anthropic', { env: { DEEPSEEK_API_KEY: 'd', OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' } }, { name: 'openai', protocol: 'openai', apiKey: 'o' }],
  ['found by key: Anthropic before DeepSeek', { env: { DEEPSEEK_API_KEY: 'd', ANTHROPIC_API_KEY: 'a' } }, { name: 'anthropic', protocol: 'anthropic', apiKey: 'a' }],
  ['found by key: LiteLLM last', { env: { LITELLM_API_KEY: 'l', MEWCODE_BASE_URL: 'http://l' } }, { name: 'litellm', protocol: 'litellm', apiKey: 'l', baseUrl: 'http://l' }],
  ['an empty variable is not set', { env: { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: 'a' } }, { name: 'anthropic', protocol: 'anthropic', apiKey: 'a' }],
  ['an address alone is a compatible server', { env: { MEWCODE_BASE_URL: 'http://127.0.0.1:1/v1', MEWCODE_API_KEY: 'k', MEWCODE_MODEL: 'm' } }, { name: 'openai-compatible', protocol: 'openai-compatible', apiKey: 'k', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }],
];

describe('the active provider', () => {
  test.each(cases)('%s', async (_name, world, expected) => {
    expect((await makeWorld({ trusted: true, ...world }).load()).provider).toEqual({ ...standard, ...expected });
  });
});

const load = async (world: World): Promise<Loaded> => makeWorld({ trusted: true, ...world }).load();

describe('the rest', () => {
  test('blocks merge, lists replace, and every value knows its layer', async () => {
    const loaded = await load({
      files: { [USER]: 'security: {command_timeout: 5, pass_env: [A]}\nui: {theme: dark}\nagent: {max_rounds: 3}\npermissions: {custom: {read: allow, write: deny}}\n', [PROJECT]: 'security: {pass_env: [B]}\nagent:\npermissions: {mode: custom, custom: {write: ask}}\nui: {mouse: off}\n' },
      flags: { maxRounds: 9, maxCostUsd: 2 },
    });
    const { mode, maxRounds, maxCostUsd, custom, passEnv, commandTimeoutMs, ui, origins } = loaded;
    expect({ mode, maxRounds, maxCostUsd, custom, passEnv, commandTimeoutMs, theme: ui.theme, mouse: ui.mouse, layout: ui.layout }).toEqual(
      { mode: 'custom', maxRounds: 9, maxCostUsd: 2, custom: { read: 'allow', write: 'ask' }, passEnv: ['B'], commandTimeoutMs: 5_000, theme: 'dark', mouse: 'off', layout: 'side' });
    expect(['agent.max_rounds', 'security.command_timeout', 'security.pass_env', 'permissions.custom.read', 'permissions.custom.write', 'ui.layout', 'thinking'].map((key) => origins[key])).toEqual(
      ['--max-rounds', USER, PROJECT, USER, PROJECT, 'default', 'default']);
  });

  test('the demo that nobody chose says what would change it', async () => {
    expect((await load({})).hint).toBe('Demo model: no provider is configured and no API key was found. To use a real one: export ANTHROPIC_API_KEY=…');
    expect((await load({ env: { MEWCODE_API_KEY: 'x' } })).hint).toBe('Demo model: MEWCODE_API_KEY is set, but not whose key it is. Say so: export MEWCODE_PROVIDER=anthropic');
    expect((await load({ env: { LITELLM_API_KEY: 'x' } })).hint).toBe('Demo model: LITELLM_API_KEY is set, but not the address of the server. Say it: export MEWCODE_BASE_URL=http://…');
    expect((await load({ flags: { provider: 'demo' } })).hint).toBeUndefined();
  });

  test('rules come from files, lists of the configuration and flags, with their rank', async () => {
    const loaded = await load({
      files: {
        '~/.mewcode/permissions.yaml': 'allow: [Bash(ls*)]\nalways_deny:\n  - Bash(rm*)\n', '.mewcode/permissions.yaml': 'deny:\n  - {rule: WebFetch, match: [x], not_match: [y]}\nalways_deny: [LS]\n', '.mewcode/permissions.local.yaml': 'ask: [Read]\nallow:\n',
        [USER]: 'security: {command_whitelist: ["npm test"], require_confirmation: [git push, "docker *", WriteFile, "Bash(x)", mcp_a_b]}\n',
      },
      flags: { allow: ['Glob'], deny: ['Grep'] },
    });
    expect(loaded.rules).toEqual([
      { text: 'Bash(ls*)', verdict: 'allow', from: '~/.mewcode/permissions.yaml:1', rank: 1 },
      { text: 'Bash(rm*)', verdict: 'deny', from: '~/.mewcode/permissions.yaml:3', rank: 1, final: true },
      { text: 'WebFetch', verdict: 'deny', from: '.mewcode/permissions.yaml:2', rank: 2, match: ['x'], notMatch: ['y'] },
      { text: 'LS', verdict: 'deny', from: '.mewcode/permissions.yaml:3', rank: 2 },
      { text: 'Read', verdict: 'ask', from: '.mewcode/permissions.local.yaml:1', rank: 3 },
      { text: 'Bash(npm test)', verdict: 'allow', from: `${USER}:1`, rank: 1 },
      ...['Bash(git push *)', 'Bash(docker *)', 'WriteFile', 'Bash(x)', 'mcp_a_b'].map((text) => ({ text, verdict: 'ask', from: `${USER}:1`, rank: 1 })),
      { text: 'Glob', verdict: 'allow', from: '--allow', rank: 4 },
      { text: 'Grep', verdict: 'deny', from: '--deny', rank: 4 },
    ]);
  });

  test('.mewignore adds to what is hidden and takes nothing back', async () => {
    const { ignorePatterns } = await load({ files: { '.mewignore': '# ours\nprivate/\n!.env\n\n', [USER]: 'security: {ignore_patterns: [.env]}\n' } });
    expect(ignorePatterns).toEqual(['private/', '!.env', '.env']);
  });

  test('secrets of files and environment are gathered, and never shown', async () => {
    const loaded = await load({
      files: { [USER]: 'active: a\nproviders:\n  a: {protocol: openai, api_key: literal-secret-123456}\n  b: {protocol: mattermost, base_url: http://m, mmauth_token: mm-secret-123456}\nmcp_servers:\n  s: {url: http://x, headers: {Authorization: Bearer abcdefgh123456}}\n' },
      env: { OPENAI_API_KEY: 'from-env-123456', GITHUB_TOKEN: 'gh-token-123456', PLAIN: 'not-secret-123456' },
    });
    expect([...loaded.secrets].sort()).toEqual(['Bearer abcdefgh123456', 'abcdefgh123456', 'from-env-123456', 'gh-token-123456', 'literal-secret-123456', 'mm-secret-123456']);
    const text = describeConfig(loaded);
    expect(loaded.secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text.split('\n').slice(0, 6)).toEqual(['# active: a', `protocol: openai  # ${USER}`, 'model: (the usual one)  # default', 'base_url: (the usual one)  # default', `api_key: ••••3456  # ${USER}`, 'thinking: auto  # default']);
  });

  test('an entry that is not active may lack its variable', async () => {
    const loaded = await load({ files: { [USER]: `${LONG}  other: {protocol: openai, api_key: "\${NOT_SET}"}\n` } });
    expect(loaded.providers.map(({ name, apiKey }) => ({ name, apiKey }))).toEqual([{ name: 'work', apiKey: 'key-work' }, { name: 'cheap', apiKey: undefined }, { name: 'other', apiKey: undefined }]);
  });

  test('in the home folder itself there is no project level', async () => {
    const world = makeWorld({ files: { '~/config.yaml': 'protocol: openai\n', [USER]: 'protocol: glm\n' } });
    const loaded = await world.load({ cwd: world.home });
    expect({ protocol: loaded.provider.protocol, files: loaded.files }).toEqual({ protocol: 'glm', files: [join(world.home, '.mewcode/config.yaml')] });
  });

  test('in the folders of ours their config.yaml is read once, for what it is', async () => {
    const world = makeWorld({ files: { [USER]: 'protocol: openai\napi_key: k\n', [PROJECT]: 'model: m\n' } });
    const inUsers = await world.load({ cwd: join(world.home, '.mewcode') });
    expect({ trust: inUsers.trust, key: inUsers.provider.apiKey, files: inUsers.files.length }).toEqual({ trust: null, key: 'k', files: 1 });
    const inProjects = await world.load({ cwd: join(world.project, '.mewcode') });
    expect({ model: inProjects.provider.model, files: inProjects.files.length }).toEqual({ model: 'm', files: 2 });
  });

  test('a named file must be there; a folder in its place is said', async () => {
    const world = makeWorld({});
    await expect(world.load({ file: 'no.yaml' })).rejects.toEqual(new UserError('There is no configuration file no.yaml.', `Looked for ${join(world.project, 'no.yaml')}.`));
    mkdirSync(join(world.project, 'dir.yaml'));
    await expect(world.load({ file: 'dir.yaml' })).rejects.toThrow(`${join(world.project, 'dir.yaml')} is not a file.`);
  });
});
