// What a server gave back, as a tool's result: texts, pictures, structured content, resources. Nothing is dropped unsaid.
import { isDeepStrictEqual } from 'node:util';
import { imageMime } from '../lib/image.ts';
import type { Image } from '../types/message.ts';
import type { ToolResult } from '../types/tool.ts';
import { isObject } from './lists.ts';

/** A larger picture is refused by services, and with it the whole request. Characters of base64. */
const LARGEST_IMAGE = 5_000_000;
const MOST_IMAGES = 20;

type Piece = { text: string } | { image: Image };

/** Reads the result of `tools/call` (modelcontextprotocol.io/specification/2025-11-25/server/tools). */
export function resultOf(raw: Readonly<Record<string, unknown>>): ToolResult {
  const pieces = (Array.isArray(raw['content']) ? (raw['content'] as unknown[]) : []).map(pieceOf);
  const texts = pieces.flatMap((piece) => ('text' in piece ? [piece.text] : []));
  const images = pieces.flatMap((piece) => ('image' in piece ? [piece.image] : []));
  // The older name of the same.
  const structured = raw['structuredContent'] ?? raw['toolResult'];
  if (structured !== undefined && !texts.some((text) => says(text, structured))) texts.push(JSON.stringify(structured));
  if (images.length > MOST_IMAGES) texts.push(`[${images.length - MOST_IMAGES} more images are left out]`);
  const ok = raw['isError'] !== true;
  const text = texts.join('\n');
  const nothing = ok ? (images.length > 0 ? `[${images.length === 1 ? 'an image' : `${images.length} images`}]` : 'The tool gave back nothing.') : 'The tool failed without saying why.';
  return { ok, text: text.trim() === '' ? nothing : text, ...(images.length > 0 && { images: images.slice(0, MOST_IMAGES) }) };
}

/** Contents of a resource (`resources/read`), in the same form. */
export function contentsOf(raw: Readonly<Record<string, unknown>>): ToolResult {
  const contents = Array.isArray(raw['contents']) ? (raw['contents'] as unknown[]) : [];
  const result = resultOf({ content: contents.map((resource) => ({ type: 'resource', resource })) });
  return contents.length === 0 ? { ok: true, text: 'The resource is empty.' } : result;
}

/** The messages of `prompts/get` as one text. */
export function promptText(raw: Readonly<Record<string, unknown>>): string {
  const messages = (Array.isArray(raw['messages']) ? (raw['messages'] as unknown[]) : []).filter(isObject);
  return messages.map(({ role, content }) => `${role === 'assistant' ? 'You said: ' : ''}${resultOf({ content: [content].flat() }).text}`).join('\n\n');
}

function pieceOf(block: unknown): Piece {
  if (!isObject(block)) return { text: JSON.stringify(block) };
  const { type, text, data, mimeType: mime, resource } = block;
  if (type === 'text' && typeof text === 'string') return { text };
  if (type === 'image' && typeof data === 'string') return pictureOf(data, mime);
  if (type === 'audio' && typeof data === 'string') return { text: `[a sound (${named(mime)}, ${sizeOf(data)}) that can't be played here]` };
  if (type === 'resource_link' && typeof block['uri'] === 'string') {
    const about = [block['title'] ?? block['name'], mime, block['description']].filter((part) => typeof part === 'string' && part !== '').join(', ');
    return { text: `[resource ${block['uri']}${about === '' ? '' : ` (${about})`}]` };
  }
  if (type === 'resource' && isObject(resource)) return embedded(resource);
  return { text: JSON.stringify(block) };
}

function embedded(resource: Readonly<Record<string, unknown>>): Piece {
  const { uri, text, blob, mimeType: mime } = resource;
  if (typeof text === 'string') return { text: `[resource ${named(uri)}]\n${text}` };
  if (typeof blob !== 'string') return { text: `[resource ${named(uri)}: empty]` };
  const piece = pictureOf(blob, mime);
  return 'image' in piece ? piece : { text: `[resource ${named(uri)}: ${named(mime)}, ${sizeOf(blob)} of binary data]` };
}

/** What a service would refuse is only spoken of. */
function pictureOf(base64: string, mime: unknown): Piece {
  if (base64.length > LARGEST_IMAGE) return { text: `[an image (${named(mime)}, ${sizeOf(base64)}) that is too large to be shown]` };
  const bytes = Buffer.from(base64, 'base64');
  const kind = imageMime(bytes);
  if (kind === undefined) return { text: `[an image (${named(mime)}, ${sizeOf(base64)}) of a kind that can't be shown]` };
  return { image: { mime: kind, base64: bytes.toString('base64') } };
}

function says(text: string, structured: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), structured);
  } catch {
    return false;
  }
}

const named = (what: unknown): string => (typeof what === 'string' && what !== '' ? what : 'unnamed');

const sizeOf = (base64: string): string => `${Math.ceil((base64.length * 3) / 4 / 1024).toLocaleString('en')} KB`;
