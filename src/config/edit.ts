// Changes settings files as a person would: the new line goes in, comments and order stay.
import { isMap, isScalar, isSeq, parseDocument, YAMLSeq } from 'yaml';
import { UserError } from '../types/user-error.ts';

/** The text of a YAML file with `value` added to its list `key`; the same text when the list has it. `name` is for the error. */
export function addToList(text: string, key: string, value: string, name: string): string {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  if (document.errors.length > 0) throw new UserError(`${name} is not valid YAML: ${document.errors[0]?.message ?? ''}`, 'Mend it, then answer again.');
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) document.contents = document.createNode({}) as never;
  if (!isMap(document.contents)) throw new UserError(`${name} must be a block of keys, such as \`allow:\` with a list of rules.`, 'Mend it, then answer again.');
  let list: unknown = document.get(key);
  if (!isSeq(list)) {
    list = new YAMLSeq();
    document.set(key, list);
  }
  const rules = list as YAMLSeq;
  if (rules.items.some((item) => isScalar(item) && item.value === value)) return text;
  rules.flow = false;
  rules.add(document.createNode(value));
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
