// Plays the judge of the Responses API: says of a request why the real service would refuse it, in the service's own words.
// Source: developers.openai.com/api/reference/resources/responses, with `store: false`.
import { createHash } from 'node:crypto';
import { sseBytes, type Answer } from './sse-bytes.ts';
import { asList, asObject, extraFields, isObject, repeated, rootFaults, type Json, type Strict } from './strict-schema.ts';

const BODY = 'access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user';
const TOOL = 'name parameters strict type allowed_callers async defer_loading description output_schema';
const ITEMS: Record<string, string> = {
  message: 'id type role content status phase', reasoning: 'id type summary content encrypted_content status',
  function_call: 'id type call_id name arguments status', function_call_output: 'id type call_id output status',
};
const REASONING_MODEL = /^(gpt-[5-9]|o\d)/;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const NO_NONE = /^gpt-6\.[12]/;

const quote = (path: string): string => `Unknown parameter: '${path}'.`;

/** A session with the service. */
export function strictResponses(): Strict<Answer> {
  /** All items that were given out, by id, each with the id of the reasoning before it and of what came after it. */
  const given = new Map<string, { item: Json; reasoning: string | undefined; next: string | undefined }>();
  return {
    check(body) {
      if (!isObject(body)) return ['We could not parse the JSON body of your request.'];
      const input = asList(body.input).map(asObject);
      return [...extraFields('', body, BODY, quote), ...fieldFaults(body), ...toolFaults(body), ...input.flatMap(itemFaults), ...pairFaults(input), ...echoFaults(input, given)];
    },
    seal(body, answer, serial) {
      const secret = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16);
      const say = answer.say.map((piece, index) => ('thinking' in piece ? { ...piece, signature: `sealed.${secret}.${index}` } : piece));
      const sealed = { ...answer, say };
      const items = [...sseBytes('responses', sealed, { serial }).matchAll(/^event: response\.output_item\.done\ndata: ([^\n]*)\n/gm)].map(([, data = '']) => asObject(asObject(JSON.parse(data)).item));
      items.forEach((item, index) => {
        const before = items[index - 1];
        given.set(String(item.id), { item, reasoning: before?.type === 'reasoning' ? String(before.id) : undefined, next: items[index + 1] && String(items[index + 1]?.id) });
      });
      return sealed;
    },
  };
}

function fieldFaults(body: Json): string[] {
  const faults: string[] = [];
  const model = String(body.model);
  const { effort, summary, ...rest } = asObject(body.reasoning);
  if (typeof body.model !== 'string' || model === '') faults.push('you must provide a model parameter');
  if (body.store !== false) faults.push('store: this client keeps its history itself, so nothing may be stored');
  if (!Array.isArray(body.input) || body.input.length === 0) faults.push("Missing required parameter: 'input'.");
  if (body.max_output_tokens !== undefined && !(Number(body.max_output_tokens) >= 16)) faults.push("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.");
  if (String(body.prompt_cache_key ?? '').length > 64) faults.push("Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64.");
  if (effort !== undefined && !['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'].includes(String(effort))) faults.push(`Invalid value: '${String(effort)}'.`);
  if (effort === 'none' && NO_NONE.test(model)) faults.push(`Unsupported value: 'none' is not supported with the '${model}' model.`);
  if (summary !== undefined && !['auto', 'concise', 'detailed'].includes(String(summary))) faults.push(`Invalid value: '${String(summary)}'.`);
  faults.push(...extraFields('reasoning', rest, 'context mode generate_summary', quote));
  if (REASONING_MODEL.test(model)) for (const name of ['temperature', 'top_p']) if (name in body) faults.push(`Unsupported parameter: '${name}' is not supported with this model.`);
  if (body.reasoning && model.startsWith('gpt-4')) faults.push("Unsupported parameter: 'reasoning.effort' is not supported with this model.");
  return faults;
}

function toolFaults(body: Json): string[] {
  const tools = asList(body.tools).map(asObject);
  if (body.tools !== undefined && tools.length === 0) return ["Invalid 'tools': empty array."];
  if (repeated(tools.map(({ name }) => name)).length > 0) return ['Tool names must be unique.'];
  return tools.flatMap((tool, at) => {
    const { type, combined, noProperties } = rootFaults(tool.parameters);
    const about = `Invalid schema for function '${String(tool.name)}'`;
    return [
      ...extraFields(`tools[${at}]`, tool, TOOL, quote),
      ...(NAME.test(String(tool.name)) ? [] : [`Invalid 'tools[${at}].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`]),
      ...(type === undefined ? [] : [`${about}: schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`]),
      ...(combined.length > 0 ? [`${about}: schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`] : []),
      ...(type === undefined && noProperties ? [`${about}: In context=(), object schema missing properties.`] : []),
    ];
  });
}

const typeOf = (item: Json): string => String(item.type ?? ('role' in item ? 'message' : undefined));

function itemFaults(item: Json, at: number): string[] {
  const type = typeOf(item);
  const where = `input[${at}]`;
  const fields = ITEMS[type];
  if (fields === undefined) return [`Invalid value: '${type}'. Supported values are: 'message', 'function_call' … (${where}.type)`];
  const faults = extraFields(where, item, fields, quote);
  switch (type) {
    case 'message': {
      const mine = item.role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file'];
      if (!['user', 'assistant', 'system', 'developer'].includes(String(item.role))) faults.push(`Invalid value: '${String(item.role)}'. (${where}.role)`);
      if (typeof item.content !== 'string' && asList(item.content).length === 0) faults.push(`Invalid '${where}.content': empty array.`);
      for (const piece of asList(item.content).map(asObject)) {
        if (!mine.includes(String(piece.type))) faults.push(`Invalid value: '${String(piece.type)}'. Supported values are: ${mine.map((one) => `'${one}'`).join(', ')}. (${where}.content)`);
        if (piece.type === 'input_image') faults.push(...imageFaults(piece, where));
      }
      if (item.role !== 'assistant' && item.phase !== undefined) faults.push(quote(`${where}.phase`));
      break;
    }
    case 'reasoning':
      if (typeof item.encrypted_content !== 'string') faults.push(`Item with id '${String(item.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`);
      if (!Array.isArray(item.summary)) faults.push(`Missing required parameter: '${where}.summary'.`);
      break;
    case 'function_call':
      if (!NAME.test(String(item.name))) faults.push(`Invalid '${where}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`);
      if (typeof item.arguments !== 'string') faults.push(`Invalid type for '${where}.arguments': expected a string, but got an object instead.`);
      break;
    default:
      for (const piece of asList(item.output).map(asObject)) {
        if (!['input_text', 'input_image', 'input_file'].includes(String(piece.type))) faults.push(`Invalid value: '${String(piece.type)}'. (${where}.output)`);
        if (piece.type === 'input_image') faults.push(...imageFaults(piece, where));
      }
      if (item.output === undefined) faults.push(`Missing required parameter: '${where}.output'.`);
  }
  if ('call_id' in item || type.startsWith('function_call')) {
    const id = String(item.call_id ?? '');
    if (id === '') faults.push(`Invalid '${where}.call_id': empty string. Expected a string with minimum length 1.`);
    if (id.length > 64) faults.push(`Invalid '${where}.call_id': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`);
  }
  return faults;
}

function imageFaults({ image_url, detail }: Json, where: string): string[] {
  return [
    ...(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(String(image_url)) ? [] : [`Invalid '${where}': Expected a base64-encoded data URL with an image MIME type.`]),
    ...(detail === undefined || ['auto', 'low', 'high', 'original'].includes(String(detail)) ? [] : [`Invalid value: '${String(detail)}'. (${where}.detail)`]),
  ];
}

function pairFaults(input: readonly Json[]): string[] {
  const places = (type: string): Map<string, number> => new Map(input.flatMap((item, at) => (item.type === type ? [[String(item.call_id), at] as const] : [])));
  const ids = (type: string): string[] => input.flatMap((item) => (item.type === type ? [String(item.call_id)] : []));
  const [calls, outputs] = [places('function_call'), places('function_call_output')];
  return [
    ...[...calls].filter(([id, at]) => (outputs.get(id) ?? -1) < at).map(([id]) => `No tool output found for function call ${id}.`),
    ...[...outputs].filter(([id, at]) => (calls.get(id) ?? at) >= at).map(([id]) => `No tool call found for function call output with call_id ${id}.`),
    ...repeated(ids('function_call')).map((id) => `Duplicate function call: ${String(id)}.`),
    ...repeated(ids('function_call_output')).map((id) => `Duplicate function call output for ${String(id)}.`),
    ...repeated(input.flatMap((item) => (item.id === undefined ? [] : [item.id]))).map((id) => `Duplicate item found with id ${String(id)}.`),
  ];
}

type Given = ReadonlyMap<string, { item: Json; reasoning: string | undefined; next: string | undefined }>;

/** What this service made must come back as it was, reasoning with what it led to. */
function echoFaults(input: readonly Json[], given: Given): string[] {
  return input.flatMap((item, at) => {
    const type = typeOf(item);
    const made = item.id === undefined ? undefined : given.get(String(item.id));
    // What an answer that broke off left behind, or another service said, has no id of this one.
    if (made === undefined) return item.id === undefined ? [] : [type === 'reasoning' ? 'The encrypted content could not be verified. (invalid_encrypted_content)' : `Item with id '${String(item.id)}' not found.`];
    const faults: string[] = [];
    // A name that would be refused must not come back.
    const want = type === 'function_call' && !NAME.test(String(made.item.name)) ? { ...made.item, name: item.name } : made.item;
    if (JSON.stringify(want) !== JSON.stringify(item)) faults.push(type === 'reasoning' ? 'The encrypted content could not be verified. (invalid_encrypted_content)' : `dropped: item ${String(item.id)} is not what it was`);
    if (type === 'reasoning' && (made.next === undefined || input[at + 1]?.id !== made.next)) faults.push(`Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`);
    if (made.reasoning !== undefined && input[at - 1]?.id !== made.reasoning) faults.push(`Item '${String(item.id)}' of type '${type}' was provided without its required 'reasoning' item: '${made.reasoning}'.`);
    return faults;
  });
}
