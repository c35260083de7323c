// BashOutput: what a command in the background has said since the last look, and how it stands.
import { z } from 'zod';
import type { Tool, ToolResult } from '../types/tool.ts';
import type { Glimpse, Tasks } from './bash/background.ts';
import { defineTool } from './define.ts';

const input = z.strictObject({
  id: z.string().min(1).describe('As the call that started it gave it: bg_1'),
  wait_s: z.int().min(0).max(60).default(0).describe('Wait up to so many seconds for something new'),
});

/** Looks at the commands in `tasks`. */
export function bashOutput(tasks: Tasks): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'BashOutput',
    description: 'Gives what a background command has said since the last look, whether it still runs, and its exit code when it has ended. With wait_s it waits for something new instead of coming back empty-handed.',
    input,
    polls: true,
    title: ({ id }) => id,
    access: () => [{ kind: 'none', target: '' }],
    async run({ id, wait_s }, { signal }) {
      const seen = await tasks.look(id, { waitMs: wait_s * 1_000, signal });
      return seen ? describeGlimpse(seen) : sayUnknown(id, tasks);
    },
  });
}

/** One line on how it stands, then what is new. */
export function describeGlimpse({ task, command, output, missed, whole, ms, exit }: Glimpse): ToolResult {
  const { id, status, outcome = 'running' } = task;
  const left = missed === 0 ? '' : `[… ${missed.toLocaleString('en')} characters left out. ${whole} …]\n`;
  const text = output.trimEnd();
  return {
    ok: true,
    text: `${id}: ${outcome}, ${Math.round(ms / 1_000)} s.\n${left}${text === '' ? (status === 'running' ? '(nothing new)' : '(no more output)') : text}`,
    view: { type: 'terminal', command, output: `${left}${output}`, ...(exit !== null && { exit }) },
  };
}

export function sayUnknown(id: string, tasks: Tasks): ToolResult {
  const known = tasks.list();
  return { ok: false, text: `There is no background command ${JSON.stringify(id)}. ${known.length === 0 ? 'None was started; Bash with background: true starts one.' : `There are:\n${known.join('\n')}`}` };
}
