// Changes settings files as a person would: a line goes in or out, and every other byte stays.
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, isSeq, parseDocument, stringify, YAMLSeq, type Document } from 'yaml';
import { UserError } from '../types/user-error.ts';

/** The text of a YAML file with `value` added to its list `key`; the same text when the list has it. `name` is for the error. */
export function addToList(text: string, key: string, value: string, name: string): string {
  const document = parse(text, name);
  const plain = plainOf(document);
  const list = listOf(plain, key);
  if (list.includes(value)) return text;
  return changed(text, { ...plain, [key]: [...list, value] }, [withLine(text, document, key, value)], () => {
    if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) document.contents = document.createNode({}) as never;
    const rules = isSeq(document.get(key)) ? (document.get(key) as YAMLSeq) : new YAMLSeq();
    document.set(key, rules);
    rules.flow = false;
    rules.add(document.createNode(value));
    return document;
  });
}

/** The text without the first item of the list `key` that `isIt` knows; `undefined` when there is none. Looked for from line `near` first. */
export function takeFromList(text: string, key: string, { isIt, near, name }: { isIt(item: unknown): boolean; near: number; name: string }): string | undefined {
  const document = parse(text, name);
  const plain = plainOf(document);
  const list = listOf(plain, key);
  const node = document.get(key);
  if (!isSeq(node)) return undefined;
  const candidates = list.flatMap((item, index) => (isIt(item) ? [index] : []));
  const index = candidates.find((at) => lineOf(text, startOf(node.items[at])) === near) ?? candidates[0];
  if (index === undefined) return undefined;
  const rest = list.filter((_, at) => at !== index);
  const emptied = { ...plain, [key]: rest.length === 0 ? null : rest };
  const from = text.lastIndexOf('\n', startOf(node.items[index]) - 1) + 1;
  const to = endOfLine(text, endOf(node.items[index]));
  return changed(text, rest.length === 0 ? [emptied, { ...plain, [key]: [] }] : emptied, [text.slice(0, from) + text.slice(to)], () => {
    document.deleteIn([key, index]);
    return document;
  });
}

const plainOf = (document: Document) => (document.toJS() ?? {}) as Record<string, unknown>;

function listOf(plain: Record<string, unknown>, key: string): unknown[] {
  const list = plain[key];
  return Array.isArray(list) ? list : [];
}

function parse(text: string, name: string): Document {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  if (document.errors.length > 0) throw new UserError(`${name} is not valid YAML: ${document.errors[0]?.message ?? ''}`, 'Mend it, then answer again.');
  const { contents } = document;
  if (contents !== null && !isMap(contents) && !(isScalar(contents) && contents.value === null)) throw new UserError(`${name} must be a block of keys, such as \`allow:\` with a list of rules.`, 'Mend it, then answer again.');
  return document;
}

/** The first of `texts` that means what is wanted; else the document written anew, with the line ends and the byte order mark of before. */
function changed(before: string, wanted: unknown, texts: readonly (string | undefined)[], rewrite: () => Document): string {
  const accepted = Array.isArray(wanted) ? wanted : [wanted];
  const fits = (text: string) => {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
    return document.errors.length === 0 && accepted.some((one) => isDeepStrictEqual(document.toJS(), one));
  };
  const found = texts.find((text) => text !== undefined && fits(text));
  if (found !== undefined) return found;
  // Comments keep what they were read with.
  const text = rewrite().toString({ lineWidth: 0, flowCollectionPadding: false }).replaceAll('\r', '');
  return `${before.startsWith('\uFEFF') ? '\uFEFF' : ''}${before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text}`;
}

/** The text with one line more: behind the last item of the list, below its key, or with a new key at the end. */
function withLine(text: string, document: Document, key: string, value: string): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const item = `- ${stringify(value, { lineWidth: 0, ...(value.includes('\n') && { defaultStringType: 'QUOTE_DOUBLE' as const }) }).trimEnd()}${eol}`;
  const insert = (at: number, line: string) => `${text.slice(0, at)}${at > 0 && text[at - 1] !== '\n' ? eol : ''}${line}${text.slice(at)}`;
  const { contents } = document;
  const pair = isMap(contents) ? contents.items.find((one) => isScalar(one.key) && one.key.value === key) : undefined;
  if (!pair) {
    const onlyComments = !isMap(contents) && text.trim() !== '' && text !== '\uFEFF';
    return insert(text.length, `${onlyComments ? eol : ''}${key}:${eol}  ${item}`);
  }
  const list = pair.value;
  const last = isSeq(list) && !list.flow ? list.items.at(-1) : undefined;
  if (last !== undefined) {
    const start = startOf(last);
    const indent = /^[ \uFEFF]*(?=- )/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0];
    return indent === undefined ? undefined : insert(endOfLine(text, endOf(last)), indent + item);
  }
  return isNode(pair.key) && !isSeq(list) ? insert(endOfLine(text, endOf(pair.key)), `  ${item}`) : undefined;
}

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** Where the value of a node ends, white space behind it left out. */
const endOf = (node: unknown): number => (isNode(node) ? (node.range?.[1] ?? 0) : 0);

/** Behind the end of the line on which the character before `at` stands. */
function endOfLine(text: string, at: number): number {
  if (text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
