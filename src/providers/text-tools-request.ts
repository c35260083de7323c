// A request in the text tool protocol: tools are told in the system prompt, calls and results are text.
import type { Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../types/message.ts';
import type { ModelRequest, ToolSpec } from '../types/provider.ts';
import { CLOSE, OPEN } from './text-tools-scan.ts';
import { shownTools } from './wire.ts';

/** Name of this protocol in `Native.wire`. */
export const TEXT_TOOLS = 'text-tools';

/** All between a call's tags, as the model wrote it. */
export type NativeTextCall = { raw: string };

/** The same request without tools, calls and results as such. Same conversation, same bytes. */
export function toText(request: ModelRequest): ModelRequest {
  const tools = shownTools(request);
  return {
    ...request,
    system: tools.length === 0 ? request.system : [...request.system, describe(tools)],
    tools: [],
    messages: request.messages.map(messageToText),
  };
}

const RULES = `# Tools

You can use the tools described below. To call one, write this in your answer, as plain text:

${OPEN}{"type":"tool_call","tool":"NAME","arguments":{}}${CLOSE}

- "tool" is the tool's name, "arguments" one JSON object that fits its schema. Only valid JSON is understood: double quotes, line breaks inside texts as \\n, no comments.
- Several calls may follow one another, each between tags of its own.
- Never put a call into a code block or between backticks: there it is only shown to the user. When you speak of the tags, do put them between backticks.
- End your answer after the calls. The results come in the next message as <tool_result id="…" tool="NAME">…</tool_result>; never write results yourself.
- What you write outside of the tags is your answer to the user. When you need no tool, just answer.`;

function describe(tools: readonly ToolSpec[]): string {
  return [RULES, ...tools.map(({ name, description, schema }) => `## ${name}\n${description.trim()}\nArguments, as JSON Schema: ${JSON.stringify(schema)}`)].join('\n\n');
}

function messageToText(message: Message): Message {
  if (!message.parts.some(({ type }) => type === 'tool_call' || type === 'tool_result')) return message;
  const parts = message.role === 'assistant' ? joinCalls(message.parts) : message.parts.flatMap((part) => (part.type === 'tool_result' ? resultToText(part) : [part]));
  return { ...message, role: message.role === 'tool' ? 'user' : message.role, parts };
}

/** Text and calls that stand side by side were one text, and become one again. */
function joinCalls(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const text = part.type === 'text' ? part.text : part.type === 'tool_call' ? callToText(part) : undefined;
    const last = joined.at(-1);
    if (text === undefined) joined.push(part);
    else if (last?.type === 'text') joined[joined.length - 1] = { type: 'text', text: `${last.text}${last.text.endsWith('\n') ? '' : '\n'}${text}` };
    else joined.push(part.type === 'text' ? part : { type: 'text', text });
  }
  return joined;
}

function callToText({ name, input, native }: ToolCallPart): string {
  const raw = native?.wire === TEXT_TOOLS ? (native.data as NativeTextCall).raw : JSON.stringify({ type: 'tool_call', tool: name, arguments: input });
  return `${OPEN}${raw}${CLOSE}`;
}

function resultToText({ callId, name, ok, text, images = [] }: ToolResultPart): Part[] {
  // A result can't end itself, and so can't speak for the user. The backslash is gone again where the model quotes it in JSON.
  const inside = text.replace(/<(\s*)\/(\s*tool_result)/gi, '<$1\\/$2');
  const result: TextPart = { type: 'text', text: `<tool_result id="${attribute(callId)}" tool="${attribute(name)}"${ok ? '' : ' error="true"'}>\n${inside}\n</tool_result>` };
  return [result, ...images.map((image): Part => ({ type: 'image', ...image }))];
}

const attribute = (text: string): string => text.replace(/[^\w.:-]/g, '_');
