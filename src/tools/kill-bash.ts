// KillBash: ends a command that runs in the background, with all that it started.
import { z } from 'zod';
import type { Tool } from '../types/tool.ts';
import type { Tasks } from './bash/background.ts';
import { describeGlimpse, sayUnknown } from './bash-output.ts';
import { defineTool } from './define.ts';

const input = z.strictObject({ id: z.string().min(1).describe('As the call that started it gave it: bg_1') });

/** Ends the commands in `tasks`. */
export function killBash(tasks: Tasks): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'KillBash',
    description: 'Ends a background command and everything that it started, and gives what it has said since the last look. One that has ended already only says how.',
    input,
    title: ({ id }) => id,
    access: () => [{ kind: 'none', target: '' }],
    async run({ id }) {
      await tasks.end(id);
      const seen = await tasks.look(id);
      return seen ? describeGlimpse(seen) : sayUnknown(id, tasks);
    },
  });
}
