// The built-in tools. A tool is one file and one line here; the order is the one in which models see them.
import type { Tool } from '../types/tool.ts';
import { createTasks, type Tasks } from './bash/background.ts';
import { bash } from './bash.ts';
import { bashOutput } from './bash-output.ts';
import { editFile } from './edit-file.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { killBash } from './kill-bash.ts';
import { ls } from './ls.ts';
import { readFile } from './read-file.ts';
import { todoWrite } from './todo-write.ts';
import { writeFile } from './write-file.ts';

/** What the configuration says of tools. */
export type ToolOptions = { commandTimeoutMs?: number };
/** What the session has for them. */
export type ToolParts = { tasks?: Tasks };

/** Made afresh for each session: a tool may keep state between its calls. */
export function builtinTools({ commandTimeoutMs, tasks = createTasks() }: ToolOptions & ToolParts = {}): Tool[] {
  return [readFile(), writeFile(), editFile(), bash(tasks, { timeoutMs: commandTimeoutMs }), bashOutput(tasks), killBash(tasks), glob(), grep(), ls(), todoWrite()];
}
