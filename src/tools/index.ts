// The built-in tools. A tool is one file and one line here; the order is the one in which models see them.
import type { Tool } from '../types/tool.ts';
import { bash } from './bash.ts';
import { editFile } from './edit-file.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { ls } from './ls.ts';
import { readFile } from './read-file.ts';
import { todoWrite } from './todo-write.ts';
import { writeFile } from './write-file.ts';

/** What the configuration says of tools. */
export type ToolOptions = { commandTimeoutMs?: number };

/** Made afresh for each session: a tool may keep state between its calls. */
export function builtinTools({ commandTimeoutMs }: ToolOptions = {}): Tool[] {
  return [readFile(), writeFile(), editFile(), bash({ timeoutMs: commandTimeoutMs }), glob(), grep(), ls(), todoWrite()];
}
