// The tools of the running session: built-in ones made afresh for each session, servers' ones as they come, and the configuration's choice among them.
import picomatch from 'picomatch';
import { head } from '../lib/cut.ts';
import { nearest } from '../lib/nearest.ts';
import { createTasks, type Tasks } from '../tools/bash/background.ts';
import { builtinTools, type ToolOptions } from '../tools/index.ts';
import type { Happening } from '../types/event.ts';
import type { Todo } from '../types/message.ts';
import type { Rule } from '../types/permission.ts';
import type { TaskEntry } from '../types/state.ts';
import type { Tool } from '../types/tool.ts';
import { checkFlagRules } from './policy.ts';

export type Toolset = {
  /** Those that are offered, in a fixed order. */
  tools(): readonly Tool[];
  /** Those that the configuration takes away. */
  disabled(): readonly Tool[];
  /** What the model has to be told of the background. */
  news(): string[];
  /** Takes what the configuration says, and gives a sentence for each name in it, or in a rule of a flag, that is no tool's. */
  configure(options: ToolOptions, choice: ToolChoice, rules?: readonly Rule[]): string[];
  /** A session begins, or goes on that had `tasks`: nothing that ran before runs any more, and the model has to know. */
  begin(tasks: readonly TaskEntry[]): void;
  close(): void;
};

/** What `tools` in the configuration says, as names or globs. */
export type ToolChoice = { enabled?: readonly string[] | null | undefined; disabled?: readonly string[] | null | undefined };

/** Without these a server's deferred tools could never be called. */
const WAYS_TO_OTHERS = ['ToolSearch', 'CallTool'];

/** Holds the tools; `late` gives those that come and go while the session runs. */
export function holdTools({ emit, late, todos }: { emit(happening: Happening): void; late(): readonly Tool[]; todos(): readonly Todo[] }): Toolset {
  let tasks: Tasks = createTasks();
  let lost: string[] = [];
  let builtins: readonly Tool[] = [];
  let options: ToolOptions = {};
  let wanted = choose({});
  const all = () => [...builtins, ...late()];
  return {
    tools: () => all().filter(({ name }) => wanted(name)),
    disabled: () => all().filter(({ name }) => !wanted(name)),
    news: () => [...lost.splice(0), ...tasks.news()],
    configure(given, choice, rules = []) {
      options = given;
      wanted = choose(choice);
      const names = [...builtinTools(options), ...late()].map(({ name }) => name);
      return [...checkChoice(choice, names), ...checkFlagRules(rules, names)];
    },
    begin(earlier) {
      tasks.close();
      tasks = createTasks({ emit, before: earlier.length });
      lost = earlier.filter(({ status }) => status === 'running').map(({ id, title }) => `The background command ${id} (${head(title, 100)}) was ended when MewCode was closed.`);
      builtins = builtinTools({ ...options, tasks, todos });
    },
    close: () => tasks.close(),
  };
}

/** Whether a tool of that name is offered. */
export function choose({ enabled, disabled }: ToolChoice): (name: string) => boolean {
  const only = enabled ? picomatch(enabled.map(registered)) : () => true;
  const servers = enabled?.some((glob) => glob.startsWith('mcp_')) ?? false;
  const never = picomatch((disabled ?? []).map(registered));
  return (name) => !never(name) && (only(name) || (servers && WAYS_TO_OTHERS.includes(name)));
}

/** Other programs write `mcp__server__tool`. */
const registered = (glob: string): string => glob.replace(/^mcp__(.+?)__/, 'mcp_$1_');

/** A sentence for each entry that names no tool. Tools of servers may not be there yet: nothing is said of theirs. */
export function checkChoice(choice: ToolChoice, names: readonly string[]): string[] {
  return (['enabled', 'disabled'] as const).flatMap((list) => (choice[list] ?? []).flatMap((glob) => {
    if (glob.startsWith('mcp_') || [...names, ...WAYS_TO_OTHERS].some((name) => picomatch.isMatch(name, glob))) return [];
    const near = nearest(glob, names);
    return [`tools.${list}: there is no tool "${glob}".${near === undefined ? '' : ` Did you mean ${near}?`}`];
  }));
}
