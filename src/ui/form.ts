// The fields of a form that a flat JSON schema describes, and the sentence that is wrong with a value.
// Schema: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation (strings, numbers, booleans, enums of one or several).
import { cleanLine } from '../lib/clean.ts';
import type { Json, JsonObject } from '../types/json.ts';

/** What can be chosen: the value that is sent, and how it is shown. */
export type FormChoice = { value: Json; label: string };

/** `check` gives the value of a text that is not empty. `preset` is what the field holds at first: a text, or places in `choices`. */
export type FormField = { name: string; label: string; detail: string; required: boolean; /** Its name says that it is a password, a key … */ secret: boolean } & (
  | { kind: 'text'; preset: string; check(text: string): Checked }
  | { kind: 'one'; preset: readonly number[]; choices: readonly FormChoice[] }
  | { kind: 'several'; preset: readonly number[]; choices: readonly FormChoice[]; least: number; most: number }
);

export type Checked = { ok: true; value: Json } | { ok: false; problem: string };

const SECRET = /pass(?:word|phrase|code|wd)|secret|token|api[ _-]?key|private[ _-]?key|access[ _-]?key|credential|\bpin\b|\bcvv\b|\botp\b|\bssn\b/i;

const YES_NO: readonly FormChoice[] = [{ value: true, label: 'yes' }, { value: false, label: 'no' }];

/** The fields in the schema's order. What a schema says in no known way becomes a field that takes JSON. */
export function formFields(schema: JsonObject): FormField[] {
  const required = arrayOf(schema['required']);
  return Object.entries(objectOf(schema['properties'])).map(([name, given]) => {
    const property = objectOf(given);
    const label = cleanLine(textOf(property['title']) ?? name);
    const detail = cleanLine(textOf(property['description']) ?? '');
    const secret = SECRET.test(`${name.replaceAll(/([a-z])([A-Z])/g, '$1 $2')} ${label} ${detail}`) || property['format'] === 'password';
    const common = { name, label, detail, required: required.includes(name), secret };
    const preset = property['default'];
    const choices = property['type'] === 'boolean' ? YES_NO : choicesOf(property);
    if (choices) return { ...common, kind: 'one', choices, preset: placesOf(choices, [preset]) };
    const several = property['type'] === 'array' ? choicesOf(objectOf(property['items'])) : undefined;
    if (several) return { ...common, kind: 'several', choices: several, least: numberOf(property['minItems']) ?? 0, most: numberOf(property['maxItems']) ?? several.length, preset: placesOf(several, arrayOf(preset)) };
    return { ...common, kind: 'text', check: checkOf(property), preset: preset === undefined || preset === null ? '' : typeof preset === 'string' ? preset : JSON.stringify(preset) };
  });
}

/** What is wrong with a field that holds `input`, as a sentence without the field's name; else its value, `undefined` where it was left out. */
export function readField(field: FormField, input: string | readonly number[]): { ok: true; value: Json | undefined } | { ok: false; problem: string } {
  if (field.kind === 'text') {
    const text = typeof input === 'string' ? input : '';
    if (text.trim() === '') return field.required ? { ok: false, problem: 'is needed' } : { ok: true, value: undefined };
    return field.check(text);
  }
  const values = (typeof input === 'string' ? [] : input).flatMap((at) => field.choices[at]?.value ?? []);
  if (field.kind === 'one') {
    const [value] = values;
    return value === undefined && field.required ? { ok: false, problem: 'is needed: choose one' } : { ok: true, value };
  }
  if (values.length === 0 && !field.required) return { ok: true, value: undefined };
  if (values.length < field.least) return { ok: false, problem: `needs at least ${field.least}` };
  return values.length > field.most ? { ok: false, problem: `takes at most ${field.most}` } : { ok: true, value: values };
}

function choicesOf(property: JsonObject): FormChoice[] | undefined {
  const titled = [property['oneOf'], property['anyOf']].map(arrayOf).find((list) => list.length > 0 && list.every((item) => objectOf(item)['const'] !== undefined));
  if (titled) return titled.map(objectOf).map(({ const: value = null, title }) => ({ value, label: cleanLine(textOf(title) ?? String(value)) }));
  const names = arrayOf(property['enumNames']);
  const values = arrayOf(property['enum']);
  return values.length === 0 ? undefined : values.map((value, at) => ({ value, label: cleanLine(textOf(names[at]) ?? String(value)) }));
}

function placesOf(choices: readonly FormChoice[], values: readonly (Json | undefined)[]): number[] {
  return choices.flatMap(({ value }, at) => (values.includes(value) ? [at] : []));
}

function checkOf(property: JsonObject): (text: string) => Checked {
  switch (property['type']) {
    case 'string': return (text) => checkText(text, property);
    case 'number': case 'integer': return (text) => checkNumber(text.trim(), property);
    default: return (text) => {
      try {
        return { ok: true, value: JSON.parse(text) as Json };
      } catch {
        return wrong('must be JSON');
      }
    };
  }
}

const wrong = (problem: string): Checked => ({ ok: false, problem });

/* A `pattern` is left to the server: its own regular expression could hang us. */
function checkText(text: string, { format, minLength, maxLength }: JsonObject): Checked {
  const [least, most] = [numberOf(minLength), numberOf(maxLength)];
  const length = [...text].length;
  if (least !== undefined && length < least) return wrong(`must have at least ${least} characters, not ${length}`);
  if (most !== undefined && length > most) return wrong(`must have at most ${most} characters, not ${length}`);
  switch (format) {
    case 'email': if (!/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text.trim())) return wrong('must be an e-mail address, like me@example.com'); break;
    case 'uri': if (!URL.canParse(text.trim())) return wrong('must be an address, like https://example.com'); break;
    case 'date': if (!isDate(text.trim())) return wrong('must be a date, like 2026-03-31'); break;
    case 'date-time': if (!isDate(text.trim().slice(0, 10)) || !/^.{10}[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text.trim())) return wrong('must be a date and time, like 2026-03-31T12:00:00Z'); break;
    default:
  }
  return { ok: true, value: format === undefined ? text : text.trim() };
}

function checkNumber(text: string, { type, minimum, maximum }: JsonObject): Checked {
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  const [least, most] = [numberOf(minimum), numberOf(maximum)];
  if (!Number.isFinite(value)) return wrong('must be a number');
  if (type === 'integer' && !Number.isSafeInteger(value)) return wrong('must be a whole number');
  if (least !== undefined && value < least) return wrong(`must be at least ${least}`);
  if (most !== undefined && value > most) return wrong(`must be at most ${most}`);
  return { ok: true, value };
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);
const arrayOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const objectOf = (value: Json | undefined): JsonObject => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {});
