// The judge for each API, for servers that play a strict service.
import type { Answer, Api } from './sse-bytes.ts';
import { strictChat, type ChatVendor } from './strict-chat.ts';
import { strictMessages } from './strict-messages.ts';
import { strictResponses } from './strict-responses.ts';
import type { Strict } from './strict-schema.ts';

/** A judge with nothing behind it yet. */
export function strictFor(api: Api, vendor?: ChatVendor): Strict<Answer> {
  switch (api) {
    case 'messages': return strictMessages();
    case 'responses': return strictResponses();
    case 'chat': return strictChat(vendor);
  }
}

/** A refusal as the API spells it. */
export function refusalOf(api: Api, faults: readonly string[]): { status: number; body: unknown } {
  const error = { type: 'invalid_request_error', message: faults.join(' | ') };
  return { status: 400, body: api === 'messages' ? { type: 'error', error } : { error: { ...error, param: null, code: null } } };
}
