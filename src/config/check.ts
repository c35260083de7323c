// Reads the YAML of a settings file and checks it against a schema; every fault gets its line. Loaded only when there is a file.
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import * as z from 'zod/mini';
import { nearest } from '../lib/nearest.ts';
import { isSecretKey, unknownName, type Fault } from './faults.ts';

export { configSchema, permissionsSchema } from './schema.ts';

export type Path = readonly PropertyKey[];

/** What a file says, and the line (from 1) on which it says it. */
export type Checked<T> = { value: T; line(path: Path): number };

/** The plain value of a YAML text, or `undefined` when it is none: for a look at a file that may not be ours. */
export function peek(text: string): unknown {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
    return document.errors.length > 0 ? undefined : document.toJS();
  } catch {
    return undefined;
  }
}

/** The content of a YAML text, or `undefined` after adding what is wrong to `faults`. `name` is the file as faults name it. An empty file is an empty block. */
export function readYaml(text: string, name: string, faults: Fault[]): Checked<unknown> | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: 'silent' });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const line = (path: Path) => lineAt(offsetOf(document, path));
  if (document.errors.length > 0) {
    for (const error of document.errors) faults.push({ where: `${name}:${lineAt(error.pos[0])}`, text: `not valid YAML: ${error.message}` });
    return undefined;
  }
  try {
    return { value: document.toJS() ?? {}, line };
  } catch (error) {
    faults.push({ where: `${name}:1`, text: `not usable YAML: ${error instanceof Error ? error.message : String(error)}` });
    return undefined;
  }
}

/** The same, checked. */
export function checkText<T extends z.core.$ZodType>(text: string, name: string, schema: T, faults: Fault[]): Checked<z.output<T>> | undefined {
  const read = readYaml(text, name, faults);
  if (!read) return undefined;
  const { value: raw, line } = read;
  const result = z.safeParse(schema, raw);
  if (result.success) return { value: result.data, line };
  const found = describe(result.error.issues, schema, raw).map((fault) => ({ line: line(fault.path), text: fault.text }));
  faults.push(...found.sort((a, b) => a.line - b.line).map((fault) => ({ where: `${name}:${fault.line}`, text: fault.text })));
  return undefined;
}

type Described = { path: Path; text: string };

function describe(issues: readonly z.core.$ZodIssue[], schema: z.core.$ZodType, raw: unknown, base: Path = []): Described[] {
  return issues.flatMap((issue): Described[] => {
    const path = [...base, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, path);
      return issue.keys.map((key) => ({ path: [...path, key], text: unknownName(`\`${spell([...path, key])}\` is not a known key`, key, known) }));
    }
    if (issue.code === 'invalid_union') {
      // The form that was meant is the one that fits on the outside.
      const fitting = issue.errors.filter((errors) => errors.length > 0 && errors.every((one) => one.path.length > 0 || one.code === 'unrecognized_keys'));
      const inner = fitting.find((errors) => errors.every((one) => one.code !== 'unrecognized_keys')) ?? fitting[0];
      if (inner && typeof valueAt(raw, path) === 'object') return describe(inner, schema, raw, path);
    }
    return [{ path, text: `\`${spell(path)}\` ${wrongValue(path, valueAt(raw, path), issue)}` }];
  });
}

function wrongValue(path: Path, value: unknown, issue: z.core.$ZodIssue): string {
  const accepted = `Accepted: ${issue.message}.`;
  if (value === undefined) return `is missing. ${accepted}`;
  const shown = isSecretKey(String(path.at(-1))) ? 'this value' : JSON.stringify(value).slice(0, 60);
  const meant = typeof value === 'string' && issue.code === 'invalid_value' ? nearest(value, issue.values.map(String)) : undefined;
  return `can't be ${shown}.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`} ${accepted}`;
}

/** `providers.work.model`, `hooks.list[0]`. */
function spell(path: Path): string {
  return path.length === 0 ? 'the file' : path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`)).join('');
}

function valueAt(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined), raw);
}

/** Keys that a block may have at `path`. */
function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  const found = path.reduce<z.core.$ZodType[]>((schemas, step) => schemas.flatMap((one) => stepInto(one, step)), [schema]);
  return [...new Set(found.flatMap(unwrap).flatMap((one) => { const def = defOf(one); return def.type === 'object' ? Object.keys(def.shape) : []; }))];
}

function stepInto(schema: z.core.$ZodType, step: PropertyKey): z.core.$ZodType[] {
  return unwrap(schema).flatMap((one) => {
    const def = defOf(one);
    switch (def.type) {
      case 'object': { const next = def.shape[String(step)]; return next ? [next] : []; }
      case 'record': return [def.valueType];
      case 'array': return [def.element];
      default: return [];
    }
  });
}

/** What zod knows of a schema, as one of its own kinds. */
const defOf = (schema: z.core.$ZodType) => (schema as unknown as { def: z.core.$ZodTypes['_zod']['def'] }).def;

/** What a schema stands for: without optional and null, each form of a union. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'optional': case 'nullable': return unwrap(def.innerType);
    case 'pipe': return unwrap(def.in);
    case 'union': return def.options.flatMap(unwrap);
    default: return [schema];
  }
}

/** Where in the text the key at `path` stands, or the nearest block around it that is there. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : key) === String(step));
      if (!pair) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
