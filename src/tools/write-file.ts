// WriteFile: a whole file, new or replaced.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { Tool, ToolContext } from '../types/tool.ts';
import { makeChanges, openForChange, planChange, showChanges, type Change, type Refused } from './change.ts';
import { defineTool, wellFormed } from './define.ts';
import { carryEndings, joinEndings, splitEndings, toLf, usualEnding } from './edit/line-endings.ts';
import { sumOf } from './unified-diff.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the project root'),
  content: wellFormed().describe('The whole content of the file'),
});
type Input = z.infer<typeof input>;

/** Whole files. */
export function writeFile(): Tool<Input> {
  return defineTool({
    name: 'WriteFile',
    description: 'Writes a whole text file and makes the folders above it. Use it for new files; change existing ones with EditFile. An existing file must have been read with ReadFile and be unchanged since; its encoding, byte order mark and line endings are kept. New files are UTF-8.',
    input,
    title: ({ path }) => cleanLine(path),
    access: ({ path }, cwd) => [{ kind: 'write', target: resolve(cwd, path) }],
    editable: 'content',
    preview: async (args, ctx) => showChanges(await plan(args, ctx), ctx),
    async run(args, ctx) {
      const change = await plan(args, ctx);
      if (!change.ok) return change;
      if (change.before === change.after) return { ok: true, text: `${args.path} already has exactly this content; nothing was written.` };
      const made = await makeChanges([change], ctx);
      return { ok: true, text: change.before === null ? `Wrote the new file ${args.path} (${plural(made.added, 'line')}).` : `Wrote ${args.path} (${sumOf(made)} lines).`, view: made.view };
    },
  });
}

async function plan({ path, content }: Input, ctx: ToolContext): Promise<Change | Refused> {
  const opened = await openForChange(path, ctx, { known: 'latest' });
  if (!opened.ok) return opened;
  return planChange(opened, opened.disk ? asTheFileHasIt(content, opened.text, opened.encoding.bom) : content);
}

/** Models write LF and no byte order mark, whatever the file has. */
function asTheFileHasIt(content: string, before: string, bom: boolean): string {
  const text = bom && content.startsWith('\ufeff') ? content.slice(1) : content;
  const old = splitEndings(before);
  if (old.endings.length === 0) return text;
  const plain = toLf(text);
  return joinEndings({ text: plain, endings: carryEndings(old.text, plain, old.endings, usualEnding(old.endings)) });
}
