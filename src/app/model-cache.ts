// What services say of the limits of their models, kept for a day in the user's folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../config/paths.ts';
import { writeAtomicSync } from '../lib/atomic.ts';
import { listingOf, providerDefaults, sendFor } from '../providers/index.ts';
import { listModels, type Limits, type ModelList } from '../providers/model-list.ts';
import type { ProviderSettings } from '../types/settings.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const PATIENCE_MS = 10_000;

type Kept = Record<string, { at: number; models: ModelList }>;

export type CachedLimits = {
  /** What is kept of the settings' model, without asking anybody. */
  known(settings: ProviderSettings): Limits | undefined;
  /** The same, asking the service where nothing is kept of it or what is kept is a day old. `undefined` where nobody says. Never rejects. */
  fetch(settings: ProviderSettings, signal: AbortSignal): Promise<Limits | undefined>;
};

/** Lists are kept by their address. The file is read when it is first needed. */
export function cachedLimits(paths: Pick<Paths, 'userDir'>, send: typeof fetch, now: () => number = Date.now, plain: typeof fetch = send): CachedLimits {
  const file = join(paths.userDir, 'cache', 'models.json');
  let kept: Kept | undefined;
  const read = () => (kept ??= readKept(file));

  return {
    known(settings) {
      const listing = settled(settings) ? undefined : listingOf(settings);
      return listing && pick(settings, read()[listing.url]?.models);
    },
    async fetch(settings, signal) {
      const listing = settled(settings) ? undefined : listingOf(settings);
      if (!listing) return undefined;
      const before = read()[listing.url];
      if (before && now() - before.at < DAY_MS) return pick(settings, before.models);
      const listed = await listModels(listing, { fetch: sendFor(settings, { fetch: send, plain }), signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
      if (!listed.ok) return undefined;
      const models = Object.fromEntries(Object.entries(listed.list ?? {}).filter(([, limits]) => Object.keys(limits).length > 0));
      try {
        // Read again: another process may have written meanwhile.
        kept = { ...readKept(file), [listing.url]: { at: now(), models } };
        writeAtomicSync(file, JSON.stringify(kept));
      } catch {
        // Only a cache: the next start asks again.
      }
      return pick(settings, models);
    },
  };
}

const pick = ({ protocol, model }: ProviderSettings, models: ModelList | undefined) => models?.[model ?? providerDefaults(protocol)?.model ?? ''];

/** Both limits were set by the user: there is nothing to ask for. */
const settled = ({ contextWindow, maxTokens }: ProviderSettings) => contextWindow !== undefined && maxTokens !== undefined;

function readKept(file: string): Kept {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {};
  } catch {
    return {};
  }
}
