// Plays the judge of Chat Completions: says of a request why the real service would refuse it, in the service's own words.
// Sources: developers.openai.com/api/reference/resources/chat, api-docs.deepseek.com/guides/thinking_mode, docs.z.ai/guides/capabilities/thinking-mode.
import type { Answer } from './sse-bytes.ts';
import { asList, asObject, extraFields, isObject, propertyNames, repeated, rootFaults, type Json, type Strict } from './strict-schema.ts';

/** Whose service: the API's inventor, one that wants its reasoning back, or one that takes nearly everything. */
export type ChatVendor = 'openai' | 'deepseek' | 'glm' | 'any';

const BODY = 'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options';
const MESSAGE: Record<string, string> = {
  system: 'role content name', developer: 'role content name', user: 'role content name', assistant: 'role content name refusal tool_calls audio function_call', tool: 'role content tool_call_id',
};
const OWN: Record<ChatVendor, { body: string; message: string; efforts: readonly string[] | undefined }> = {
  openai: { body: '', message: '', efforts: undefined },
  deepseek: { body: ' thinking', message: ' reasoning_content prefix', efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
  glm: { body: ' thinking do_sample request_id', message: ' reasoning_content', efforts: ['low', 'high', 'max'] },
  any: { body: ' thinking think options', message: ' reasoning_content reasoning', efforts: undefined },
};

const unknown = (path: string): string => `Unknown parameter: '${path}'.`;

/** A session with a service of this kind. */
export function strictChat(vendor: ChatVendor = 'deepseek'): Strict<Answer> {
  /** What was thought before each call, by the call's id. */
  const thought = new Map<string, string>();
  return {
    check(body) {
      if (!isObject(body)) return ['We could not parse the JSON body of your request.'];
      const messages = asList(body.messages).map(asObject);
      return [
        ...extraFields('', body, BODY + OWN[vendor].body, unknown), ...fieldFaults(body, vendor), ...toolFaults(body),
        ...(messages.length === 0 ? ["Invalid 'messages': empty array. Expected an array with minimum length 1."] : []),
        ...messages.flatMap((message, at) => messageFaults(message, at, vendor)), ...pairFaults(messages), ...reasoningFaults(body, messages, { vendor, thought }),
      ];
    },
    seal(_body, answer, serial) {
      const reasoning = answer.say.flatMap((piece) => ('thinking' in piece ? [piece.thinking] : [])).join('');
      answer.say.forEach((piece, index) => { if ('call' in piece) thought.set(piece.id ?? `call_${serial}_${index}`, reasoning); });
      return answer;
    },
  };
}

function fieldFaults(body: Json, vendor: ChatVendor): string[] {
  const faults: string[] = [];
  const model = String(body.model);
  const { type, ...thinking } = asObject(body.thinking);
  const effort = body.reasoning_effort;
  if (typeof body.model !== 'string' || model === '') faults.push('you must provide a model parameter');
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) faults.push("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
  for (const field of ['max_tokens', 'max_completion_tokens']) if (body[field] !== undefined && !(Number(body[field]) >= 1)) faults.push(`Invalid '${field}': integer below minimum value. Expected a value >= 1.`);
  if (vendor === 'openai' && /^(gpt-[5-9]|o\d)/.test(model) && body.max_tokens !== undefined) faults.push("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.");
  if (body.stream === true && asObject(body.stream_options).include_usage !== true) faults.push('dropped: the usage of a stream comes only with stream_options.include_usage');
  if (body.thinking !== undefined && type !== 'enabled' && type !== 'disabled') faults.push(`thinking.type: unknown variant \`${String(type)}\`, expected \`enabled\` or \`disabled\``);
  faults.push(...extraFields('thinking', thinking, vendor === 'glm' ? 'clear_thinking' : '', unknown));
  if (vendor === 'glm' && model.startsWith('glm-5.3') && type === 'disabled') faults.push('glm-5.3 does not support thinking.type disabled');
  if (effort !== undefined && OWN[vendor].efforts?.includes(String(effort)) === false) faults.push(`reasoning_effort: unknown variant \`${String(effort)}\``);
  if (vendor === 'deepseek' && type !== 'disabled' && !['undefined', '"auto"', '"none"'].includes(String(JSON.stringify(body.tool_choice)))) faults.push('tool_choice: forced tool use is not supported in thinking mode');
  return faults;
}

function toolFaults(body: Json): string[] {
  const tools = asList(body.tools).map((tool) => asObject(asObject(tool).function));
  if (body.tools !== undefined && tools.length === 0) return ["Invalid 'tools': empty array. Expected an array with minimum length 1."];
  if (repeated(tools.map(({ name }) => name)).length > 0) return ['Tool names must be unique.'];
  return tools.flatMap((tool, at) => {
    const { type, combined, noProperties } = rootFaults(tool.parameters);
    const about = `Invalid schema for function '${String(tool.name)}'`;
    return [
      ...extraFields(`tools[${at}].function`, tool, 'name description parameters strict', unknown),
      ...(/^[a-zA-Z0-9_-]{1,64}$/.test(String(tool.name)) ? [] : [`Invalid 'tools[${at}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`]),
      ...(type === undefined ? [] : [`${about}: schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`]),
      ...(combined.length > 0 ? [`${about}: schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`] : []),
      ...(type === undefined && noProperties ? [`${about}: In context=(), object schema missing properties.`] : []),
      ...(propertyNames(tool.parameters).includes('') ? [`${about}: empty property name`] : []),
    ];
  });
}

function messageFaults(message: Json, at: number, vendor: ChatVendor): string[] {
  const role = String(message.role);
  const where = `messages[${at}]`;
  const fields = MESSAGE[role];
  if (fields === undefined || (role === 'developer' && vendor !== 'openai')) return [`${where}.role: unknown variant \`${role}\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\``];
  const faults = extraFields(where, message, role === 'assistant' ? fields + OWN[vendor].message : fields, unknown);
  const { content, tool_calls: calls } = message;
  const pieces = asList(content).map(asObject);
  if (calls !== undefined && asList(calls).length === 0) faults.push(`Invalid '${where}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`);
  if (role === 'assistant' ? content === null && calls === undefined : content === null || content === undefined || content === '' ? role !== 'tool' || content !== '' : false) faults.push(`Invalid value for '${where}.content': expected a string, got ${content === '' ? 'an empty one' : 'null'}.`);
  if (Array.isArray(content) && pieces.length === 0) faults.push(`Invalid '${where}.content': empty array.`);
  for (const piece of pieces) {
    if (piece.type !== 'text' && (piece.type !== 'image_url' || role !== 'user')) faults.push(`Invalid value: '${String(piece.type)}'. (${where}.content)`);
    if (piece.type === 'image_url' && !/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(String(asObject(piece.image_url).url))) faults.push(`Invalid '${where}': Expected a base64-encoded data URL with an image MIME type.`);
  }
  for (const [index, call] of asList(calls).map(asObject).entries()) {
    const { name, arguments: text } = asObject(call.function);
    const spot = `${where}.tool_calls[${index}]`;
    faults.push(...extraFields(spot, call, 'id type function', unknown));
    if (call.type !== 'function') faults.push(`Invalid value: '${String(call.type)}'. (${spot}.type)`);
    if (String(call.id ?? '') === '') faults.push(`Invalid '${spot}.id': empty string.`);
    if (String(call.id).length > 64) faults.push(`Invalid '${spot}.id': string too long. Expected a string with maximum length 64, but got a string with length ${String(call.id).length} instead.`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name))) faults.push(`Invalid '${spot}.function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`);
    if (!isJsonObject(text)) faults.push(`Invalid '${spot}.function.arguments': the string must be a JSON object (templates of open models read it).`);
  }
  return faults;
}

function isJsonObject(text: unknown): boolean {
  try {
    return isObject(JSON.parse(String(text)));
  } catch {
    return false;
  }
}

function pairFaults(messages: readonly Json[]): string[] {
  const faults: string[] = [];
  const ids = messages.flatMap((message) => asList(message.tool_calls).map((call) => asObject(call).id));
  if (repeated(ids).length > 0) faults.push(`Duplicate tool call ids: ${repeated(ids).join(', ')}`);
  messages.forEach((message, at) => {
    const calls = asList(message.tool_calls).map((call) => String(asObject(call).id));
    const after = messages.slice(at + 1);
    const end = after.findIndex(({ role }) => role !== 'tool');
    const results = (end < 0 ? after : after.slice(0, end)).map((result) => String(result.tool_call_id));
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) faults.push(`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(', ')}`);
    if (calls.length > 0 && repeated(results).length > 0) faults.push(`Duplicate tool message for ${repeated(results).join(', ')}`);
    if (message.role !== 'tool') return;
    const caller = messages.slice(0, at).findLast(({ role }) => role !== 'tool');
    if (!asList(caller?.tool_calls).some((call) => asObject(call).id === message.tool_call_id)) faults.push("Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.");
  });
  return faults;
}

/** Once tools were called between two user messages, all answers of that span carry their reasoning, in every later request. */
function reasoningFaults(body: Json, messages: readonly Json[], { vendor, thought }: { vendor: ChatVendor; thought: ReadonlyMap<string, string> }): string[] {
  if (vendor === 'openai' || vendor === 'any' || asObject(body.thinking).type === 'disabled') return [];
  const spans: Json[][] = [];
  for (const message of messages) {
    if (message.role === 'user') spans.push([]);
    if (message.role === 'assistant') spans.at(-1)?.push(message);
  }
  return spans.filter((span) => span.some((message) => message.tool_calls !== undefined)).flat().flatMap((message) => {
    const first = asList(message.tool_calls).map((call) => thought.get(String(asObject(call).id))).find((text) => text !== undefined);
    if (vendor === 'deepseek' && typeof message.reasoning_content !== 'string') return ['The `reasoning_content` in the thinking mode must be passed back to the API.'];
    // An answer that was cancelled has only the beginning.
    return first !== undefined && !first.startsWith(String(message.reasoning_content ?? '')) ? ['dropped: `reasoning_content` is not what was thought'] : [];
  });
}
