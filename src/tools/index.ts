// The built-in tools. A tool is one file and one line here; the order is the one in which models see them.
import type { Todo } from '../types/message.ts';
import type { Tool } from '../types/tool.ts';
import { UserError } from '../types/user-error.ts';
import { applyPatch } from './apply-patch.ts';
import { askUserQuestion } from './ask-user-question.ts';
import { createTasks, type Tasks } from './bash/background.ts';
import { bash } from './bash.ts';
import { bashOutput } from './bash-output.ts';
import { editFile } from './edit-file.ts';
import { gitBranch } from './git-branch.ts';
import { gitDiff } from './git-diff.ts';
import { gitLog } from './git-log.ts';
import { gitStatus } from './git-status.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { killBash } from './kill-bash.ts';
import { ls } from './ls.ts';
import { memoryWrite, searchMemory, type CardBox } from './memory.ts';
import { readFile } from './read-file.ts';
import { todoClear, todoRead } from './todo-list.ts';
import { todoWrite } from './todo-write.ts';
import { webFetch } from './web-fetch.ts';
import type { WebOptions } from './web/fetch-page.ts';
import { writeFile } from './write-file.ts';

/** What the configuration says of tools. */
export type ToolOptions = { commandTimeoutMs?: number; web?: WebOptions; cards?: CardBox; /** There is no user at a screen. */ nobody?: boolean };
/** What the session has for them. */
export type ToolParts = { tasks?: Tasks; todos?(): readonly Todo[] };

const NO_CARDS: CardBox = { save: () => Promise.reject(new UserError('There is no place for memory cards.')), search: async () => [] };

/** Made afresh for each session: a tool may keep state between its calls. */
export function builtinTools({ commandTimeoutMs, web, cards = NO_CARDS, nobody, tasks = createTasks(), todos = () => [] }: ToolOptions & ToolParts = {}): Tool[] {
  return [readFile(), writeFile(), editFile(), applyPatch(), bash(tasks, { timeoutMs: commandTimeoutMs }), bashOutput(tasks), killBash(tasks), glob(), grep(), ls(), gitStatus(), gitDiff(), gitLog(), gitBranch(), webFetch(web), todoWrite(), todoRead(todos), todoClear(), askUserQuestion({ nobody }), memoryWrite(cards), searchMemory(cards)];
}
