// What the strict checkers of all APIs share: fields that nobody knows, and schemas of tools that a service refuses.

export type Json = Record<string, unknown>;

/** A service that remembers one session: what it was asked and what it answered. */
export type Strict<A> = {
  /** Every reason for which the service would refuse `body`, or would silently lose something of it. Empty: it takes it. */
  check(body: unknown): string[];
  /** `answer` as this service gives it: what it wants back unchanged is sealed, and remembered. `serial` numbers it. */
  seal(body: unknown, answer: A, serial: number): A;
};

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object; an empty one where it is none. */
export const asObject = (value: unknown): Json => (isObject(value) ? value : {});

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** A sentence for each field of `value` that is not in `known`, a list of names between blanks. */
export function extraFields(at: string, value: Json, known: string, sentence: (path: string) => string): string[] {
  const names = new Set(known.split(' '));
  return Object.keys(value).filter((name) => !names.has(name)).map((name) => sentence(at === '' ? name : `${at}.${name}`));
}

/** Ids that stand more than once. */
export function repeated(ids: readonly unknown[]): unknown[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

const AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

/** What keeps a tool's schema from being taken, at its root. */
export function rootFaults(schema: unknown): { type?: string; combined: string[]; noProperties: boolean } {
  const root = asObject(schema);
  return { ...(root.type === 'object' ? {} : { type: JSON.stringify(root.type) ?? 'None' }), combined: AT_ROOT.filter((word) => word in root), noProperties: !isObject(root.properties) };
}

/** Every property name of a schema, wherever it stands. */
export function propertyNames(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertyNames);
  if (!isObject(schema)) return [];
  const own = isObject(schema.properties) ? schema.properties : {};
  return [...Object.keys(own), ...Object.values(own).flatMap(propertyNames), ...Object.entries(schema).flatMap(([name, value]) => (name === 'properties' || name === 'enum' || name === 'const' || name === 'default' ? [] : propertyNames(value)))];
}
