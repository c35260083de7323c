// Asks a service that takes one JSON document and answers with another: what to send, and where the answer stands, are settings.
import type { JsonObject } from '../types/json.ts';
import type { Message } from '../types/message.ts';
import type { ModelRequest, ProviderEvent } from '../types/provider.ts';
import { failWith, type About } from './failures.ts';
import type { Connection } from './wire.ts';

export type JsonService = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The body, with `{messages}`, `{model}` … in place of what the request says. */
  body: JsonObject;
  /** Dotted path to the answer's text; absent: where such services usually have it. */
  answer: string | undefined;
};

/** A message as such services take it. */
export type PlainMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/** Sends one request and gives the answer as one text part. Throws what `failureOf` understands. */
export async function* askJson({ url, headers, body, answer }: JsonService, values: Readonly<Record<string, unknown>>, { fetch, signal }: Connection): AsyncGenerator<ProviderEvent> {
  const response = await fetch(url, {
    method: 'POST', signal,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fill(body, values)),
    // A redirect leads to a page for people, and cookies must not follow it.
    redirect: 'manual',
  });
  const text = await response.text();
  if (response.status >= 300 && response.status < 400) throw failWith({ kind: 'auth', status: response.status, message: `${url} sends us elsewhere, most likely to its login page. Check base_url, and whether the login has run out.` });
  const html = /\bhtml\b/.test(response.headers.get('content-type') ?? '');
  if (!response.ok) throw Object.assign(new Error(html ? '' : text), { status: response.status, headers: response.headers, error: html ? undefined : (parsed(text) ?? text) });
  const value = parsed(text);
  if (value === undefined) throw failWith({ kind: 'server', message: `What came from ${url} is not JSON. Check base_url.` });
  const said = textOf(value, answer);
  if (said === undefined) throw failWith({ kind: 'server', message: `The answer of ${url} has no text ${answer === undefined ? 'in content, message, text or choices[0].message.content' : `at ${answer}`}${complaint(value)}. Check request.answer.` });
  yield { type: 'part_start', index: 0, part: 'text' };
  if (said !== '') yield { type: 'part_delta', index: 0, delta: said };
  yield { type: 'part_end', index: 0 };
  yield { type: 'end', stop: 'end' };
}

/** What a body may name: `messages`, `system`, `prompt` (the newest of the user), `conversation` (all as one text), `model`, `max_tokens`, `session`. */
export function valuesOf(request: ModelRequest): Record<string, unknown> {
  const messages = plainMessages(request);
  return {
    messages, model: request.model, max_tokens: request.maxTokens, session: request.sessionId,
    system: messages.find(({ role }) => role === 'system')?.content ?? '',
    prompt: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    conversation: messages.map(({ role, content }) => `${role}:\n${content}`).join('\n\n'),
  };
}

/** The conversation as text; neighbours of the same role are one message. */
function plainMessages({ system, messages }: ModelRequest): PlainMessage[] {
  const plain: PlainMessage[] = [];
  const add = (role: PlainMessage['role'], content: string) => {
    const last = plain.at(-1);
    if (content === '') return;
    if (last?.role === role) last.content += `\n\n${content}`;
    else plain.push({ role, content });
  };
  add('system', system.filter((text) => text.trim() !== '').join('\n\n'));
  for (const message of messages) add(message.role === 'assistant' ? 'assistant' : 'user', contentOf(message));
  return plain;
}

function contentOf({ parts }: Message): string {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'image' ? `[an image (${part.mime}) that this model can't see]` : '';
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

/** `{name}` alone becomes the value itself, inside a text its text. What is no name of ours stays; what has no value is left out. */
function fill(template: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (typeof template === 'object' && template !== null) return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, values)]));
  if (typeof template !== 'string') return template;
  const alone = /^\{(\w+)\}$/.exec(template)?.[1];
  if (alone !== undefined && Object.hasOwn(values, alone)) return values[alone];
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : whole;
    return typeof value === 'string' ? value : JSON.stringify(value ?? '');
  });
}

const USUAL = ['content', 'message', 'text', 'choices[0].message.content'];

function textOf(value: unknown, path: string | undefined): string | undefined {
  if (path === undefined && typeof value === 'string') return value;
  return (path === undefined ? USUAL : [path]).map((one) => at(value, one)).find((found) => typeof found === 'string');
}

/** `a.b[0].c` and `a.b.0.c` are the same. */
function at(value: unknown, path: string): unknown {
  return path.split(/[.[\]]+/).filter((key) => key !== '').reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined), value);
}

/** What a service says where an answer should be. */
function complaint(value: unknown): string {
  const said = [at(value, 'error.message'), at(value, 'error'), at(value, 'detail')].find((found) => typeof found === 'string');
  return said === undefined ? '' : `: ${String(said).replace(/\s+/g, ' ').slice(0, 200)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Headers must not be able to say more than they should, and errors about them would quote them. */
export function checkHeader(key: string, value: string, about: Pick<About, 'service'>): string {
  if (/^[\x21-\x3a\x3c-\x7e]+$/.test(value)) return value;
  throw failWith({ kind: 'auth', message: `${key} of ${about.service} has characters that can't be sent: blanks, line breaks or a semicolon. Copy it again.` });
}
