// What a wrong configuration says: every fault at once, with file, line, key, what is accepted and what was meant.
import { describe, expect, test } from 'vitest';
import { createMask } from '../../src/lib/mask.ts';
import { faultsOf, type World } from './helpers.ts';

const USER = '~/.mewcode/config.yaml';
const one = (text: string) => `The configuration has a fault. ${text}`;
const TOP = 'protocol, provider, model, base_url, api_key, api_key_env, thinking, thinking_model, context_window, max_tokens, timeout, debug, tool_protocol, extra, access_team, mmauth_token, mmuser_id, csrf_token, model_key, request, active, providers, models, mcp_servers, tools, permissions, security, agent, context, verifier, pricing, ui, web, sessions, copilot, hooks, memory, chat_bridge, telemetry';
const PROTOCOLS = 'glm | openai | anthropic | deepseek | litellm | copilot | openai-compatible | mattermost | demo';

const cases: [string, World, string][] = [
  ['an unknown key', { files: { [USER]: '# mine\nprotocl: openai\n' } }, one(`${USER}:2: \`protocl\` is not a known key. Did you mean \`protocol\`? Accepted: ${TOP}.`)],
  ['an unknown key in a block', { files: { [USER]: 'agent:\n  max_round: 3\n' } }, one(`${USER}:2: \`agent.max_round\` is not a known key. Did you mean \`max_rounds\`? Accepted: max_rounds, parallel_tool_calls, max_cost_usd, doom_loop, tool_planner.`)],
  ['an unknown protocol', { files: { [USER]: 'protocol: antropic\n' } }, one(`${USER}:1: \`protocol\` can't be "antropic". Did you mean \`anthropic\`? Accepted: ${PROTOCOLS}.`)],
  ['a wrong type', { files: { [USER]: 'timeout: soon\n' } }, one(`${USER}:1: \`timeout\` can't be "soon". Accepted: a number of seconds.`)],
  ['a wrong size', { files: { [USER]: 'protocol: demo\nmax_tokens: lots\n' } }, one(`${USER}:2: \`max_tokens\` can't be "lots". Accepted: a number of tokens such as 128000, 128K or 1M.`)],
  ['a size of nothing', { files: { [USER]: 'context_window: 0\n' } }, one(`${USER}:1: \`context_window\` can't be 0. Accepted: a number of tokens such as 128000, 128K or 1M.`)],
  ['a wrong size in extra', { files: { [USER]: 'protocol: demo\nextra:\n  max_tokens: lots\n' } }, one(`${USER}:3: \`extra.max_tokens\` can't be "lots". Accepted: a number of tokens such as 128000, 128K or 1M.`)],
  ['a wrong thinking', { files: { [USER]: 'thinking: {effort: huge}\n' } }, one(`${USER}:1: \`thinking.effort\` can't be "huge". Accepted: low | medium | high | max.`)],
  ['thinking of the wrong kind', { files: { [USER]: 'thinking: 3\n' } }, one(`${USER}:1: \`thinking\` can't be 3. Accepted: true, false, auto, {budget_tokens: N} or {effort: low|medium|high|max}.`)],
  ['a list where a block belongs', { files: { [USER]: 'ui: [a]\n' } }, one(`${USER}:1: \`ui\` can't be ["a"]. Accepted: a block of keys.`)],
  ['a file that is no block', { files: { [USER]: '- a\n' } }, one(`${USER}:1: \`the file\` can't be ["a"]. Accepted: a block of keys.`)],
  ['a secret is not repeated', { files: { [USER]: 'api_key: [sk-secret]\n' } }, one(`${USER}:1: \`api_key\` can't be this value. Accepted: a text.`)],
  ['an item of a list', { files: { [USER]: 'security:\n  pass_env:\n    - A\n    - 3\n' } }, one(`${USER}:4: \`security.pass_env[1]\` can't be 3. Accepted: a text.`)],
  ['a server with both command and url', { files: { [USER]: 'mcp_servers:\n  s: {command: a, url: b}\n' } }, one(`${USER}:2: \`mcp_servers.s\` can't be {"command":"a","url":"b"}. Accepted: exactly one of \`command\` and \`url\`.`)],
  ['a key twice', { files: { [USER]: 'model: a\nmodel: b\n' } }, one(`${USER}:2: not valid YAML: Map keys must be unique`)],
  ['an unset variable for the key', { files: { [USER]: 'protocol: openai\napi_key: ${NO_SUCH}\n' } }, one(`${USER}:2: \`api_key\`: the variable NO_SUCH is not set. Set it, or write the key itself.`)],
  ['an unset variable elsewhere', { files: { [USER]: 'active: w\nproviders:\n  w:\n    protocol: litellm\n    base_url: http://${HOST}:1/v1\n' } }, one(`${USER}:5: \`providers.w.base_url\`: the variable HOST is not set. Set it, or write the value itself.`)],
  ['an address that is none', { files: { [USER]: 'protocol: openai\nbase_url: localhost:11434\n' } }, one(`${USER}:2: \`base_url\` can't be "localhost:11434". Accepted: an address that begins with http:// or https://.`)],
  ['a server without address', { files: { [USER]: 'protocol: litellm\n' } }, one(`${USER}:1: litellm needs a \`base_url\`, the address of your server.`)],
  ['an entry without protocol', { files: { [USER]: 'providers:\n  mine: {model: a}\n' } }, one(`${USER}:2: \`providers.mine\` needs a \`protocol\`. Accepted: glm, openai, anthropic, deepseek, litellm, copilot, openai-compatible, mattermost, demo, github_copilot.`)],
  ['an unknown active entry', { files: { [USER]: 'active: wrok\nproviders:\n  work: {protocol: demo}\n' } }, one(`${USER}:1: there is no provider \`wrok\`. Did you mean \`work\`? Accepted: work, glm, openai, anthropic, deepseek, litellm, copilot, openai-compatible, mattermost, demo, github_copilot.`)],
  ['an unknown provider in a variable', { env: { MEWCODE_PROVIDER: 'opnai' } }, one('MEWCODE_PROVIDER: there is no provider `opnai`. Did you mean `openai`? Accepted: glm, openai, anthropic, deepseek, litellm, copilot, openai-compatible, mattermost, demo, github_copilot.')],
  ['an unknown mode in a flag', { flags: { mode: 'plna' } }, one('--mode: there is no mode `plna`. Did you mean `plan`? Accepted: default, acceptEdits, plan, bypassPermissions, dontAsk, custom.')],
  ['a wrong variable and wrong flags', { env: { MEWCODE_CONTEXT_WINDOW: 'x', LLM_TIMEOUT: 'y' }, flags: { maxRounds: 0, maxCostUsd: NaN } }, [
    'The configuration has 4 faults:', '  MEWCODE_CONTEXT_WINDOW: can\'t be "x". Accepted: a number of tokens such as 128000, 128K or 1M.', '  LLM_TIMEOUT: can\'t be "y". Accepted: a number of seconds.',
    '  --max-rounds: must be a whole number, at least 1.', '  --max-cost: must be a number of dollars.'].join('\n')],
  ['all faults of all files', { files: { [USER]: 'timeout: a\nagent: {max_rounds: 0}\n', '.mewcode/config.yaml': 'a: b: c\n', '.mewcode/permissions.yaml': 'alow: []\ndeny: Bash\nask:\n  - {rle: x}\n' } }, [
    'The configuration has 7 faults:',
    `  ${USER}:1: \`timeout\` can't be "a". Accepted: a number of seconds.`,
    `  ${USER}:2: \`agent.max_rounds\` can't be 0. Accepted: a whole number, at least 1.`,
    '  .mewcode/config.yaml:1: not valid YAML: Nested mappings are not allowed in compact mappings',
    '  .mewcode/permissions.yaml:1: `alow` is not a known key. Did you mean `allow`? Accepted: allow, ask, deny, always_deny.',
    '  .mewcode/permissions.yaml:2: `deny` can\'t be "Bash". Accepted: a list of rules.',
    '  .mewcode/permissions.yaml:4: `ask[0].rule` is missing. Accepted: a text.',
    '  .mewcode/permissions.yaml:4: `ask[0].rle` is not a known key. Did you mean `rule`? Accepted: rule, match, not_match.'].join('\n')],
];

describe('faults', () => {
  test.each(cases)('%s', async (_name, world, expected) => {
    expect(await faultsOf(world)).toBe(expected);
  });

  test('a prototype key is a key like any other', async () => {
    expect(await faultsOf({ files: { [USER]: '__proto__: {model: x}\n' } })).toContain('`__proto__` is not a known key');
    expect(({} as Record<string, unknown>)['model']).toBeUndefined();
  });

  test('what is masked is masked by what the environment calls a key', () => {
    expect(createMask(['from-env-123456'])('x from-env-123456')).toBe('x ••••');
  });
});
