// Memory cards: one fact each in a Markdown file, of the project or of the user, written by name and found by words.
import { lstat, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomic } from '../lib/atomic.ts';
import { rankTexts } from '../lib/bm25.ts';
import { cleanLine } from '../lib/clean.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';

export type Level = 'project' | 'user';
/** `created` is an ISO time. */
export type Card = { title: string; tags: readonly string[]; created: string; text: string; level: Level; path: string };

/** The folders of the cards; `null` where there is no project. */
export type MemoryPlaces = Readonly<Record<Level, string | null>>;

export type MemoryOptions = {
  places: MemoryPlaces;
  mask(text: string): string;
  /** Before the first card of the project is written. */
  prepare?(): void;
  clock?(): Date;
};

export type Memory = {
  /** Writes a card; one of the same title is replaced, with the day it was made kept. Gives its path. Rejects with a `UserError`. */
  save(card: Pick<Card, 'title' | 'tags' | 'text' | 'level'>): Promise<{ path: string; replaced: boolean }>;
  /** The cards that fit best, best first; with no words the newest. */
  search(words: string, limit: number): Promise<Card[]>;
};

/** A card is one fact. */
const MOST_CHARS = 10_000;
const MOST_CARDS = 5_000;

/** The cards of these places. Files are read anew with each search: people edit them. */
export function createMemory({ places, mask, prepare, clock = () => new Date() }: MemoryOptions): Memory {
  return {
    async save({ title, tags, text, level: wanted }) {
      const level = places[wanted] === null ? 'user' : wanted;
      const folder = places[level];
      if (folder === null) throw new UserError('There is no folder for memory cards.');
      if (text.length > MOST_CHARS) throw new UserError(`The card has ${text.length} characters; ${MOST_CHARS} are the most.`, 'One card is one fact: write several, or a file of the project.');
      const name = cleanLine(mask(title));
      if (level === 'project') prepare?.();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await insistOnFolder(folder);
      const cards = await readCards(folder, level);
      const same = cards.find((card) => card.title.toLowerCase() === name.toLowerCase());
      const path = same?.path ?? join(folder, freeName(slugOf(name), new Set(cards.map((card) => card.path.slice(folder.length + 1)))));
      const created = same?.created ?? clock().toISOString();
      const front = [`title: ${JSON.stringify(name)}`, `tags: [${tags.map((tag) => JSON.stringify(cleanLine(mask(tag)))).join(', ')}]`, `created: ${created}`];
      await writeAtomic(path, `---\n${front.join('\n')}\n---\n\n${mask(text).trim()}\n`, { mode: 0o600 });
      return { path, replaced: same !== undefined };
    },

    async search(words, limit) {
      const cards = (await Promise.all((['project', 'user'] as const).map((level) => (places[level] === null ? [] : readCards(places[level], level))))).flat();
      if (words.trim() === '') return cards.toSorted((a, b) => b.created.localeCompare(a.created)).slice(0, limit);
      const ranked = rankTexts(words, cards.map(({ title, tags, text }) => ({ strong: [title, ...tags].join(' '), text })));
      return ranked.slice(0, limit).flatMap(({ index }) => cards[index] ?? []);
    },
  };
}

/** A repository could have put a link there, which would lead the card anywhere. */
async function insistOnFolder(folder: string): Promise<void> {
  const real = await realpath(folder);
  const expected = join(await realpath(dirname(dirname(folder))), folder.slice(dirname(dirname(folder)).length + 1));
  if (real !== expected) throw new UserError(`${folder} leads to ${real}.`, 'Memory cards are only written to a real folder: take the link away.');
}

async function readCards(folder: string, level: Level): Promise<Card[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md') && !name.startsWith('.')).sort().slice(0, MOST_CARDS);
  if (names.length === 0) return [];
  // In the bundle a CommonJS package has a default only.
  const { default: { parse } } = await import('yaml');
  return (await Promise.all(names.map((name) => readCard(join(folder, name), level, parse)))).flat();
}

/** No card where the file is none: too long, no file, or unreadable. A card without front matter has its name as the title. */
async function readCard(path: string, level: Level, parse: (text: string) => unknown): Promise<Card[]> {
  // Not through a link: a repository's card could lead to a key.
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isFile() || info.size > 4 * MOST_CHARS + 4_096) return [];
  const whole = (await readFile(path, 'utf8').catch(() => '')).replaceAll('\r\n', '\n');
  const [, front = '', body = whole] = /^\uFEFF?---\n([^]*?)\n---[ \t]*(?:\n|$)([^]*)$/.exec(whole) ?? [];
  const { title, tags, created } = fieldsOf(front, parse);
  return [{
    title: typeof title === 'string' && title !== '' ? title : path.slice(dirname(path).length + 1, -3),
    tags: (Array.isArray(tags) ? tags : typeof tags === 'string' ? tags.split(/[,\s]+/) : []).map(String).filter(Boolean),
    created: created instanceof Date ? created.toISOString() : typeof created === 'string' ? created : info.mtime.toISOString(),
    text: body.trim(), level, path,
  }];
}

function fieldsOf(front: string, parse: (text: string) => unknown): Record<string, unknown> {
  try {
    const fields = parse(front);
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  } catch (error) {
    return { title: `(unreadable front matter: ${sentenceOf(error).split('\n')[0]})` };
  }
}

/** A file name that is safe everywhere: letters, digits and hyphens. */
function slugOf(title: string): string {
  const slug = title.toLowerCase().normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60).replace(/-+$/, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)?$/.test(slug) ? `card${slug && `-${slug}`}` : slug;
}

function freeName(slug: string, taken: ReadonlySet<string>): string {
  let name = `${slug}.md`;
  for (let at = 2; taken.has(name); at += 1) name = `${slug}-${at}.md`;
  return name;
}
