// What servers list (tools, resources, prompts): every page, read tolerantly, since one bad entry must not cost the others.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../types/json.ts';

/** A tool as its server describes it. `schema` is the server's own. */
export type ServerTool = {
  name: string;
  description: string;
  schema: JsonObject;
  /** The server says that it changes nothing. */
  readOnly: boolean;
  /** It can only be run as a task that is asked after. */
  asTask: boolean;
};

export type ServerResource = { uri: string; name: string; description: string; mime: string };

export type ServerPrompt = { name: string; description: string; args: readonly { name: string; description: string; required: boolean }[] };

/** Gives one page of a list as the server sent it. */
type Page = (cursor: string | undefined) => Promise<Readonly<Record<string, unknown>>>;

const MOST_PAGES = 200;
const MOST_ITEMS = 5_000;
/** Characters of the longest schema that is taken. */
const LONGEST_SCHEMA = 200_000;
/** Levels of it: much deeper ones can't even be written down. */
const DEEPEST_SCHEMA = 100;
const LONGEST_NAME = 500;

/** Asks for page after page, until there is none, or one comes twice, or there are absurdly many. */
export async function listAll(page: Page, key: string): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES && items.length < MOST_ITEMS; pages += 1) {
    const answer = await page(cursor);
    if (Array.isArray(answer[key])) items.push(...(answer[key] as unknown[]));
    const next = answer['nextCursor'];
    if (typeof next !== 'string' || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return items.slice(0, MOST_ITEMS);
}

/** What can't be a tool is left out; the first of a name counts. */
export function readTools(items: readonly unknown[]): ServerTool[] {
  const tools = items.flatMap((item): ServerTool[] => {
    if (!isObject(item) || !isName(item['name'])) return [];
    const given = item['inputSchema'];
    const schema = (isObject(given) ? given : { type: 'object', properties: {} }) as JsonObject;
    if (isDeeper(schema, DEEPEST_SCHEMA) || JSON.stringify(schema).length > LONGEST_SCHEMA) return [];
    const { annotations, execution } = item;
    return [{
      name: item['name'], description: textOf(item['description']) || textOf(item['title']), schema,
      readOnly: isObject(annotations) && annotations['readOnlyHint'] === true,
      asTask: isObject(execution) && execution['taskSupport'] === 'required',
    }];
  });
  return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}

export function readResources(items: readonly unknown[]): ServerResource[] {
  return items.flatMap((item) => {
    const uri = isObject(item) ? (item['uri'] ?? item['uriTemplate']) : undefined;
    return isObject(item) && typeof uri === 'string' ? [{ uri, name: textOf(item['title']) || textOf(item['name']), description: textOf(item['description']), mime: textOf(item['mimeType']) }] : [];
  });
}

export function readPrompts(items: readonly unknown[]): ServerPrompt[] {
  return items.flatMap((item) => {
    if (!isObject(item) || !isName(item['name'])) return [];
    const args = Array.isArray(item['arguments']) ? (item['arguments'] as unknown[]) : [];
    return [{
      name: item['name'], description: textOf(item['description']) || textOf(item['title']),
      args: args.flatMap((arg) => (isObject(arg) && isName(arg['name']) ? [{ name: arg['name'], description: textOf(arg['description']), required: arg['required'] === true }] : [])),
    }];
  });
}

/** What a user has seen of a tool when allowing it: changes with anything that says what it does. The order of keys is nothing. */
export function fingerprint({ description, schema, readOnly }: ServerTool): string {
  return createHash('sha256').update(JSON.stringify(sorted([description, schema, readOnly]))).digest('hex').slice(0, 32);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  return isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]) : value;
}

function isDeeper(value: unknown, levels: number): boolean {
  return typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));
}

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
