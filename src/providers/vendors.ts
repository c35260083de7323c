// The services that MewCode knows: which API each speaks, where it is, and how it differs. All data.
import type { Quirks } from './wire.ts';

export type Vendor = {
  /** Its name in sentences. */
  label: string;
  wire: 'messages' | 'responses' | 'chat' | 'plugin';
  /** Absent: must be configured. */
  baseUrl?: string;
  /** Stands before the API's path where a base URL names no version. */
  version: string;
  /** Path of its list of models; `/models` when absent. */
  list?: string;
  /** Environment variables that usually hold its key. */
  keyVars: readonly string[];
  /** How to set the key, a sentence; absent: what can be said of any. */
  keyHint?: string;
  /** Its own address refuses requests without a key. */
  needsKey: boolean;
  /** Absent: must be configured. */
  model?: string;
  /** How long it keeps a prompt in its cache after the last use. */
  cacheLifeMs: number;
  /** It has no tools of its own: calls are text. */
  tools?: 'text';
  /** Its key is a login at GitHub; the address of that API. */
  login?: string;
  /** It is paid for by the month: the catalogue's prices do not hold. */
  flat?: true;
  quirks: Quirks;
};

const MINUTE_MS = 60_000;

const ROWS: Readonly<Record<string, Vendor>> = {
  anthropic: {
    label: 'Anthropic', wire: 'messages', baseUrl: 'https://api.anthropic.com', version: '/v1',
    keyVars: ['ANTHROPIC_API_KEY'], needsKey: true, model: 'claude-sonnet-5-5', cacheLifeMs: 5 * MINUTE_MS,
    quirks: { keyHeader: 'x-api-key', toolReferences: true },
  },
  openai: {
    label: 'OpenAI', wire: 'responses', baseUrl: 'https://api.openai.com/v1', version: '/v1',
    keyVars: ['OPENAI_API_KEY'], needsKey: true, model: 'gpt-6.2-sol', cacheLifeMs: 30 * MINUTE_MS,
    quirks: { cacheKey: true },
  },
  deepseek: {
    label: 'DeepSeek', wire: 'chat', baseUrl: 'https://api.deepseek.com', version: '',
    keyVars: ['DEEPSEEK_API_KEY'], needsKey: true, model: 'deepseek-flash', cacheLifeMs: 60 * MINUTE_MS,
    quirks: { thinkingSwitch: {}, effort: true, resendReasoning: { always: 'reasoning_content' } },
  },
  'openai-compatible': {
    label: 'The server', wire: 'chat', version: '/v1',
    keyVars: [], needsKey: false, cacheLifeMs: 5 * MINUTE_MS,
    quirks: { effort: true, resendReasoning: true, thinkTags: true },
  },
  glm: {
    label: 'GLM', wire: 'chat', baseUrl: 'https://open.bigmodel.cn/api/coding/paas/v4', version: '',
    keyVars: ['GLM_API_KEY', 'ZHIPU_KEY'], needsKey: true, model: 'glm-5.3', cacheLifeMs: 5 * MINUTE_MS,
    quirks: { thinkingSwitch: { clear_thinking: false }, effort: true, resendReasoning: true, thinkTags: true },
  },
  litellm: {
    label: 'LiteLLM', wire: 'chat', version: '', list: '/model/info',
    keyVars: ['LITELLM_API_KEY'], needsKey: false, cacheLifeMs: 5 * MINUTE_MS,
    quirks: { effort: true, resendReasoning: true, thinkTags: true },
  },
  mattermost: {
    label: 'Mattermost', wire: 'plugin', version: '',
    keyVars: [], keyHint: 'Copy the cookies MMAUTHTOKEN, MMUSERID and MMCSRF of a browser that is logged in into mmauth_token, mmuser_id and csrf_token.', needsKey: false,
    model: 'sendMessageToChatGPT', cacheLifeMs: 0, tools: 'text', quirks: { thinkTags: true },
  },
  copilot: {
    label: 'GitHub Copilot', wire: 'chat', baseUrl: 'https://api.githubcopilot.com', version: '',
    keyVars: [], keyHint: 'Run mewcode auth login copilot.', needsKey: true, login: 'https://api.github.com', flat: true,
    model: 'gpt-4.1', cacheLifeMs: 5 * MINUTE_MS, quirks: { effort: true },
  },
};

/** By protocol. */
export const VENDORS: ReadonlyMap<string, Vendor> = new Map(Object.entries(ROWS));
