// Thinking that a service no longer takes back: the request is made once more without it, and the session lives on.
import { afterEach, expect, test } from 'vitest';
import type { Message } from '../../src/types/message.ts';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';
import { collect, partsOf, providerFor, requestOf, user } from './wires.ts';

let server: SseServer | undefined;
afterEach(() => server?.close());

const hello: Reply = { say: [{ thinking: 'New.' }, { text: 'Hello' }] };
const bound = 'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';

test.each([
  ['anthropic', { type: 'error', error: { type: 'invalid_request_error', message: bound } }],
  ['openai', { error: { code: 'invalid_encrypted_content', message: 'The encrypted content gAAA... could not be verified.' } }],
  ['anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'messages.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.' } }],
  ['openai', { error: { code: null, message: "Item 'rs_0_0' of type 'reasoning' was provided without its required following item." } }],
  ['openai', { error: { code: null, message: "Item with id 'rs_0_0' not found. Items are not persisted when `store` is set to false." } }],
])('%s, %j', async (protocol, body) => {
  server = await startSseServer({ replies: [hello, { status: 400, body }, hello, hello] });
  const provider = await providerFor(protocol, server.url);
  const messages: Message[] = [];
  for (const text of ['One', 'Two', 'Three']) {
    messages.push(user(text, text));
    const events = await collect(provider.stream(requestOf(messages), new AbortController().signal));
    expect(events.at(-1)).toEqual({ type: 'end', stop: 'end' });
    messages.push({ id: `after ${text}`, role: 'assistant', parts: partsOf(events), at: 0 });
  }
  const thinkingSent = server.requests.map((request) => JSON.stringify(request.body).match(/New\./g)?.length ?? 0);
  // The second request is refused and comes again without the first answer's; the fourth sends the second answer's alone.
  expect(thinkingSent).toEqual([0, 1, 0, 1]);
  expect(server.requests.map((request) => JSON.stringify(request.body).includes('Hello'))).toEqual([false, true, true, true]);
});

test('a service that goes on refusing is believed', async () => {
  const refusal: Reply = { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: bound } } };
  server = await startSseServer({ replies: [refusal, refusal, hello] });
  const provider = await providerFor('anthropic', server.url);
  expect(await collect(provider.stream(requestOf(), new AbortController().signal))).toMatchObject([{ type: 'error', error: { kind: 'invalid_request', status: 400 } }]);
  expect(server.requests).toHaveLength(2);
});
