// MemoryWrite and SearchMemory: facts that outlast the session, kept as cards.
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Tool } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { shownPath } from './text.ts';

type Card = { title: string; tags: readonly string[]; created: string; text: string; level: 'project' | 'user'; path: string };

/** Where cards are kept; what it rejects with is told to the model. */
export type CardBox = {
  save(card: Pick<Card, 'title' | 'tags' | 'text' | 'level'>): Promise<{ path: string; replaced: boolean }>;
  search(words: string, limit: number): Promise<readonly Card[]>;
};

const access = () => [{ kind: 'none' as const, target: '' }];

const write = z.strictObject({
  title: z.string().min(1).max(120).describe('What it is about, in a few words; a card of the same title is replaced'),
  text: z.string().min(1).describe('The fact, so that it is understood without this conversation'),
  tags: z.array(z.string()).max(10).default([]).describe('Words under which it should be found'),
  scope: z.enum(['project', 'user']).default('project').describe('user: holds for all projects of this user'),
});

export function memoryWrite(cards: CardBox): Tool<z.infer<typeof write>> {
  return defineTool({
    name: 'MemoryWrite',
    description: 'Keeps one fact for later sessions as a card in a file. Use it for what the user wants remembered, or for what took effort to find out and stays true; not for the state of the work, and never for keys or passwords.',
    input: write,
    title: ({ title }) => cleanLine(title),
    access,
    async run({ title, text, tags, scope }, ctx) {
      const { path, replaced } = await cards.save({ title, text, tags, level: scope });
      return { ok: true, text: `${replaced ? 'Replaced' : 'Kept'} as ${shownPath(path, ctx.roots[0] ?? ctx.cwd)}.` };
    },
  });
}

const search = z.strictObject({
  query: z.string().describe('Words to look for in titles, tags and texts; empty for the newest'),
  limit: z.int().min(1).max(20).default(5),
});

export function searchMemory(cards: CardBox): Tool<z.infer<typeof search>> {
  return defineTool({
    name: 'SearchMemory',
    description: 'Looks through the memory cards of earlier sessions and gives those that fit best, whole.',
    input: search,
    title: ({ query }) => cleanLine(query),
    access,
    async run({ query, limit }) {
      const found = await cards.search(query, limit);
      if (found.length === 0) return { ok: true, text: query.trim() === '' ? 'There are no memory cards yet.' : 'No memory card has any of these words.' };
      return { ok: true, text: found.map(({ title, tags, created, text, level }) => `## ${cleanLine(title)}\n${[`${level}, ${created.slice(0, 10)}`, ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : [])].join(' · ')}\n${text}`).join('\n\n') };
    },
  });
}
