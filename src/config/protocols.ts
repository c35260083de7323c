// The protocols as configuration names them: the usual variables of their keys, in the order in which a key is looked for.

export type Protocol = {
  name: string;
  /** Variables that usually hold its key, the first that is set counts. */
  keyVars: readonly string[];
  /** There is no usual address. */
  needsUrl?: boolean;
};

export const protocols: readonly Protocol[] = [
  { name: 'glm', keyVars: ['GLM_API_KEY', 'ZHIPU_KEY'] },
  { name: 'openai', keyVars: ['OPENAI_API_KEY'] },
  { name: 'anthropic', keyVars: ['ANTHROPIC_API_KEY'] },
  { name: 'deepseek', keyVars: ['DEEPSEEK_API_KEY'] },
  { name: 'litellm', keyVars: ['LITELLM_API_KEY'], needsUrl: true },
  { name: 'copilot', keyVars: [] },
  { name: 'openai-compatible', keyVars: [], needsUrl: true },
  { name: 'mattermost', keyVars: [], needsUrl: true },
  { name: 'demo', keyVars: [] },
];

/** Every spelling that is accepted. */
export const protocolNames: readonly string[] = [...protocols.map((row) => row.name), 'github_copilot'];

/** The row of a protocol, by any of its spellings. */
export function findProtocol(name: string): Protocol | undefined {
  const wanted = name === 'github_copilot' ? 'copilot' : name;
  return protocols.find((row) => row.name === wanted);
}
