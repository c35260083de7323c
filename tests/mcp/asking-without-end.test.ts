// A server that asks faster than it takes answers: what is open is bounded, and what it takes back is not open.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, test } from 'vitest';
import { boundRequests } from '../../src/mcp/requests-bound.ts';

test('requests beyond the bound are passed over until answers are taken or requests taken back; nothing else is', async () => {
  const taken: (() => void)[] = [];
  const transport: Transport = boundRequests({ start: async () => {}, close: async () => {}, send: () => new Promise<void>((resolve) => { taken.push(resolve); }) } as Transport, 2);
  const heard: unknown[] = [];
  expect(transport.onmessage).toBeUndefined();
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => heard.push('id' in message ? message.id : 'method' in message ? message.method : '') });
  const say = (message: object) => transport.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  for (let id = 1; id <= 4; id += 1) say({ id, method: 'ping' });
  say({ id: 9, result: {} });
  say({ method: 'notifications/progress' });
  const sent = transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  say({ id: 5, method: 'ping' });
  taken[0]?.();
  await sent;
  say({ id: 6, method: 'ping' });
  say({ method: 'notifications/cancelled', params: { requestId: 2 } });
  say({ id: 7, method: 'ping' });
  say({ id: 8, method: 'ping' });
  expect(heard).toEqual([1, 2, 9, 'notifications/progress', 6, 'notifications/cancelled', 7]);
});
