// Files of expectations for `mewcode permissions test`: calls, and what is to become of them.
import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Verdict } from '../types/permission.ts';
import { checkText } from './check.ts';
import type { Fault } from './faults.ts';
import { modeNames } from './modes.ts';
import { readText } from './permission-files.ts';
import { UserError } from '../types/user-error.ts';

/** One expectation. `call` is text as `explain` takes it; `where` is the file with its line. */
export type Expectation = { where: string; call: string; expect: Verdict; mode?: string; layer?: string; rule?: string };

const text = z.string('a text');
const VERDICTS = ['allow', 'ask', 'deny'] as const;
const LAYERS = ['blacklist', 'sandbox', 'hooks', 'rules', 'mode', 'ask'] as const;
const mode = z.optional(z.enum(modeNames, modeNames.join(' | ')));
const test = z.strictObject({
  call: z.union([text, z.strictObject({ tool: text, input: z.record(z.string(), z.unknown()) })], 'a call such as Bash(npm test), or {tool, input}'),
  expect: z.enum(VERDICTS, VERDICTS.join(' | ')),
  mode, layer: z.optional(z.enum(LAYERS, LAYERS.join(' | '))), rule: z.optional(text),
}, 'a block of call, expect and perhaps mode, layer, rule');
const tests = z.array(test, 'a list of {call, expect}');
const schema = z.union([tests, z.strictObject({ rules: z.optional(text), mode, tests }, 'a block of tests, and perhaps rules and mode')], 'a list of {call, expect}, or a block with tests');

/** What a file expects. `rules` is the file of rules that it names, absolute. Throws a `UserError` that lists all that is wrong in it. */
export function readExpectations(path: string, name: string): { rules?: string; expectations: Expectation[] } {
  const content = readText(path);
  if (content === undefined) throw new UserError(`There is no file ${name}.`);
  const faults: Fault[] = [];
  const checked = checkText(content, name, schema, faults);
  if (!checked) throw new UserError(faults.map(({ where, text }) => `${where}: ${text}`).join('\n'));
  const plain = Array.isArray(checked.value);
  const { rules, mode: usual, tests: listed } = Array.isArray(checked.value) ? { tests: checked.value } : checked.value;
  return {
    ...(rules !== undefined && { rules: resolve(dirname(path), rules) }),
    expectations: listed.map((one, index) => ({
      ...(usual && { mode: usual }), ...one, call: typeof one.call === 'string' ? one.call : JSON.stringify(one.call), where: `${name}:${checked.line(plain ? [index] : ['tests', index])}`,
    })),
  };
}
