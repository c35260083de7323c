// A tool called by the user: through the same checks as a call of the model, shown to the user, not sent to the model.
import { withinLimit } from '../agent/calls.ts';
import { callTool, prepareCall } from '../agent/call-tool.ts';
import type { Conversation } from '../agent/conversation.ts';
import type { Voice } from '../agent/frontend.ts';
import type { ToolResultPart } from '../types/message.ts';

/** Makes the call; `voice` speaks for the user. Never throws. */
export async function callByHand(conversation: Conversation, voice: Voice, call: { name: string; input: unknown }, signal: AbortSignal): Promise<ToolResultPart> {
  // Not a copy: what is offered to the model must not be asked for before its first request.
  const c: Conversation = Object.create(conversation, { voice: { value: voice } });
  const prepared = prepareCall(c, { type: 'tool_call', id: `user-${c.newId()}`, ...call });
  voice.emit({ type: 'tool_called', call: prepared.call, title: prepared.title });
  const result = await withinLimit(c, prepared, await callTool(c, prepared, signal));
  // No message holds it: the tool log shows what was said live, or else this.
  if (c.state().tools.findLast((entry) => entry.call.id === result.callId)?.tail === '') voice.emit({ type: 'tool_output', callId: result.callId, text: result.text });
  return result;
}
