// LS: what is in a folder, as a tree.
import { readlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { openListing, type Entry, type Listing } from './listing.ts';
import { sayMissing } from './missing.ts';
import { bounded } from './text.ts';

const input = z.strictObject({
  path: z.string().min(1).default('.').describe('Absolute, or relative to the project root'),
  depth: z.int().min(1).max(20).default(2).describe('How many levels of folders are opened'),
  limit: z.int().min(1).max(10_000).default(200).describe('How many entries are shown'),
});
type Input = z.infer<typeof input>;

type Node = Entry & { inside: Node[] };

/** Lists folders. */
export function ls(): Tool<Input> {
  return defineTool({
    name: 'LS',
    description: 'Lists a folder as a tree, folders first and marked with `/`, dotfiles included, links with where they lead. Upper levels are completed before the limit cuts deeper ones. Leaves out what .gitignore names, .git, node_modules and sensitive files.',
    input,
    title: ({ path }) => cleanLine(path),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

async function run({ path, depth, limit }: Input, ctx: ToolContext): Promise<ToolResult> {
  const folder = await ctx.files.stat(path);
  if (!folder) return { ok: false, text: await sayMissing(path, ctx) };
  if (folder.kind !== 'folder') return { ok: false, text: `${path} is not a folder. Read a file with ReadFile.` };
  const { nodes, cut } = await grow(folder.path, openListing(folder.path, ctx), { depth, limit, signal: ctx.signal });
  if (nodes.length === 0) return { ok: true, text: `${path} is empty, or has only what listings leave out.` };
  const lines = await draw(nodes, '');
  if (cut) lines.push(`[Cut at ${limit} entries. List a folder below, or raise limit.]`);
  return { ok: true, text: bounded(lines.join('\n'), 'List a folder below.') };
}

/** Level by level, so that a limit takes the deepest entries away first. */
async function grow(start: string, listing: Listing, { depth, limit, signal }: { depth: number; limit: number; signal: AbortSignal }): Promise<{ nodes: Node[]; cut: boolean }> {
  const nodes: Node[] = [];
  let level = [{ path: start, inside: nodes }];
  let taken = 0;
  for (let deep = 0; deep < depth; deep++) {
    const next: typeof level = [];
    for (const { path, inside } of level) {
      signal.throwIfAborted();
      const entries = listing.entries(path).sort((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder'));
      for (const entry of entries) {
        if (taken === limit) return { nodes, cut: true };
        taken += 1;
        const node: Node = { ...entry, inside: [] };
        inside.push(node);
        if (entry.kind === 'folder') next.push({ path: entry.path, inside: node.inside });
      }
    }
    level = next;
  }
  return { nodes, cut: false };
}

async function draw(nodes: readonly Node[], indent: string): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, path, kind, inside } of nodes) {
    const mark = kind === 'folder' ? '/' : kind === 'link' ? ` -> ${await readlink(path).catch(() => '?')}` : '';
    lines.push(`${indent}${name}${mark}`, ...await draw(inside, `${indent}  `));
  }
  return lines;
}
