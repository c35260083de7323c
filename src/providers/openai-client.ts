// How the two wires of the OpenAI family send a request: their SDK as a client of the socket.
import { OpenAI } from 'openai';
import { QUIET, type Connection, type WireOptions } from './wire.ts';

/** Sends `body` and gives the parsed events of the answer's stream. The environment of the process has no say. */
export async function postStream<Event>({ url, apiKey, headers }: WireOptions, body: object, { signal, fetch }: Connection): Promise<AsyncIterable<Event>> {
  const client = new OpenAI({
    ...QUIET, apiKey: apiKey ?? 'none', organization: null, project: null, adminAPIKey: null, baseURL: new URL(url).origin, fetch,
    defaultHeaders: { ...headers, ...(apiKey === undefined && { Authorization: null }) },
  });
  return client.post<AsyncIterable<Event>>(url, { body, stream: true, signal });
}
