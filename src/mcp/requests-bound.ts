// A server that asks without end: only so many of its requests are answered at the same time, the others are passed over.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** No honest server waits for so many answers. */
const MOST = 200;

/** Bounds the transport itself, and gives it back. An answer that the server does not take counts as open. */
export function boundRequests<T extends Transport>(transport: T, most = MOST): T {
  const open = new Set<unknown>();
  const send = transport.send.bind(transport);
  let hear: Transport['onmessage'];
  const take: Transport['onmessage'] = (message, extra) => {
    if ('method' in message && 'id' in message) {
      if (open.size >= most) return;
      open.add(message.id);
    }
    // One that it takes back is not answered.
    if ('method' in message && message.method === 'notifications/cancelled') open.delete(message.params?.['requestId']);
    hear?.(message, extra);
  };
  // Who sets it asks before what was set: nothing at first.
  Object.defineProperty(transport, 'onmessage', { get: () => hear && take, set(handler: Transport['onmessage']) { hear = handler; } });
  return Object.assign(transport, {
    async send(...[message, options]: Parameters<Transport['send']>) {
      try {
        await send(message, options);
      } finally {
        if (!('method' in message)) open.delete(message.id);
      }
    },
  });
}
