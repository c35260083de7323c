// Names, ids, schemas and pictures of tools as the services take them: one that is refused would cost the whole session.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../types/json.ts';

/** Pictures that every service knows; the others are only spoken of. */
export const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** Whether a model that sees pictures can see this one. */
export const isVisible = (mime: string): boolean => IMAGES.some((known) => known === mime);

/** The name of a call that goes back. A model may have called what is no name at all. */
export function wireName(name: string, longest = 128): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest) || 'unnamed';
}

/** An id of another service's making. Longer ones become a hash. */
export function wireId(id: string, longest = 64): string {
  return id.length <= longest ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** Choices that no service takes at a schema's root. */
const AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

/**
 * A schema with `type: object` and properties at its root and no choice there: the properties of all branches stand side
 * by side, what belongs together is for the tool to check. A schema that is so already is given back as it is.
 */
export function wireSchema(schema: JsonObject): JsonObject {
  if (schema.type === 'object' && isObject(schema.properties) && !AT_ROOT.some((word) => word in schema)) return schema;
  const branches = ['oneOf', 'anyOf', 'allOf'].flatMap((word) => schema[word] ?? []).filter(isObject);
  const properties = Object.assign({}, ...[...branches, schema].map((branch) => branch.properties ?? {})) as JsonObject;
  return { ...Object.fromEntries(Object.entries(schema).filter(([word]) => !AT_ROOT.includes(word))), type: 'object', properties };
}

/** A schema without the properties whose names `fits` does not know, wherever they stand. */
export function withoutProperties(schema: JsonObject, fits: RegExp): JsonObject {
  const clean = (value: unknown): unknown => (Array.isArray(value) ? value.map(clean) : isObject(value) ? withoutProperties(value, fits) : value);
  return Object.fromEntries(Object.entries(schema).map(([word, value]) => {
    if (word === 'properties' && isObject(value)) return [word, Object.fromEntries(Object.entries(value).filter(([name]) => fits.test(name)).map(([name, inner]) => [name, clean(inner)]))];
    if (word === 'required' && Array.isArray(value)) return [word, value.filter((name) => typeof name !== 'string' || fits.test(name))];
    return [word, clean(value)];
  })) as JsonObject;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
