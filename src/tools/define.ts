// Makes a Tool from its zod schema: the JSON Schema that models are shown and the check of what they send.
import { z } from 'zod';
import { plural } from '../lib/plural.ts';
import type { JsonObject } from '../types/json.ts';
import type { Tool } from '../types/tool.ts';

type Definition<S extends z.ZodType> = Omit<Tool<z.infer<S>>, 'schema' | 'parse'> & { input: S };

/** `input` must be an object schema, best a strict one: a misspelt argument is then refused instead of overlooked. */
export function defineTool<S extends z.ZodType>({ input, ...rest }: Definition<S>): Tool<z.infer<S>> {
  let schema: JsonObject | undefined;
  return {
    ...rest,
    // Made when the first request asks: no start pays for it.
    get schema() { return (schema ??= jsonSchema(input)); },
    parse(raw) {
      const parsed = input.safeParse(raw);
      if (parsed.success) return { ok: true, value: parsed.data };
      return { ok: false, problem: parsed.error.issues.map((issue) => describeIssue(issue, raw)).join(' ') };
    },
  };
}

/** Text that can be written as bytes: half of a surrogate pair would silently become another character. */
export const wellFormed = () => z.string().refine((text) => text.isWellFormed(), 'has half of a surrogate pair, which no file can hold; send the whole character');

function jsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // zod writes the bounds of safe integers into every integer; they tell a model nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return json as JsonObject;
}

/** One sentence: which argument, what was given, what is expected. */
function describeIssue(issue: z.core.$ZodIssue, raw: unknown): string {
  const given = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], raw);
  const name = issue.path.length === 0 ? 'The input' : `\`${issue.path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`), '')}\``;
  switch (issue.code) {
    case 'invalid_type':
      return given === undefined ? `${name} is missing; ${withArticle(issue.expected)} is expected.` : `${name} must be ${withArticle(issue.expected)}, not ${quote(given)}.`;
    case 'unrecognized_keys':
      return `${issue.path.length === 0 ? 'There' : `In ${name} there`} is no argument named ${issue.keys.map((key) => `\`${key}\``).join(', ')}.`;
    case 'invalid_value':
      return `${name} must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}, not ${quote(given)}.`;
    case 'too_small':
      return `${name} must ${bound(issue.origin, 'at least', Number(issue.minimum))}, not ${quote(given)}.`;
    case 'too_big':
      return `${name} must ${bound(issue.origin, 'at most', Number(issue.maximum))}, not ${quote(given)}.`;
    case 'custom':
      return `${name} ${issue.message}.`;
    default:
      return `${name} does not fit, given ${quote(given)}: ${issue.message}.`;
  }
}

function bound(origin: string, which: string, limit: number): string {
  if (origin === 'string') return `have ${which} ${plural(limit, 'character')}`;
  if (origin === 'array') return `have ${which} ${plural(limit, 'item')}`;
  return `be ${which} ${limit}`;
}

const withArticle = (type: string): string => (type === 'int' ? 'an integer' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`);

/** A value as the sentence shows it: short, and never the whole of a file. */
function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}… (${text.length} characters)` : text;
}
