// What is known of models: limits, thinking, prices. The rows are data (models.json, as of November 2026).
import type { Thinking } from '../types/provider.ts';
import type { Price } from '../types/settings.ts';
import models from './models.json' with { type: 'json' };

/** A price that may rise for the whole request once its prompt is longer than `long.over` tokens: by these factors. */
export type CataloguePrice = Price & { long?: { over: number; input: number; output: number } };

/** A row of the catalogue. What is absent is not known, or not so. */
export type ModelRow = {
  window?: number;
  output?: number;
  images?: boolean;
  /** Values of `thinking.type` that the model takes. */
  thinking?: readonly ('adaptive' | 'enabled' | 'disabled' | 'between_tools')[];
  /** Efforts that it takes, lowest first. */
  efforts?: readonly string[];
  /** Refuses thinking when anything before it has changed. */
  bindsThinking?: boolean;
  /** Fewest tokens that are cached. */
  cacheMin?: number;
  /** Request fields that it answers with an error. */
  refuses?: readonly string[];
  /** It can't call tools by itself: calls are text. */
  tools?: 'text';
  price?: CataloguePrice;
};

const ROWS = new Map(Object.entries(models as Record<string, ModelRow>));
const FAMILIES = [...ROWS.keys()].filter((name) => name.endsWith('*')).sort((a, b) => b.length - a.length);

/**
 * The row of `model`: by its name without a path before it (`vendor/model`), then without a date or `latest` behind it,
 * with dots as dashes, then of its family (`claude-*`, which knows neither limits nor prices). An unknown model gets an empty row.
 */
export function findModel(model: string): ModelRow {
  const bare = model.replace(/^.*\//, '').toLowerCase();
  const name = bare.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  const family = FAMILIES.find((prefix) => name.startsWith(prefix.slice(0, -1))) ?? '';
  return ROWS.get(bare) ?? ROWS.get(name) ?? ROWS.get(name.replaceAll('.', '-')) ?? ROWS.get(family) ?? {};
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The effort of `efforts` that comes nearest to what is wanted, from below where there is one. Unknown words and unknown models get what was asked for. */
export function fitEffort(wanted: string, efforts: readonly string[] | undefined): string {
  const rank = EFFORTS.indexOf(wanted);
  if (efforts === undefined || efforts.length === 0 || rank < 0) return wanted;
  return efforts.findLast((effort) => EFFORTS.indexOf(effort) <= rank) ?? efforts[0] ?? wanted;
}

/** The effort that a thinking setting asks for; `undefined` where it leaves it to the model. */
export function effortOf(thinking: Thinking): string | undefined {
  if (typeof thinking === 'string') return undefined;
  if ('effort' in thinking) return thinking.effort;
  if (thinking.budget <= 4_096) return 'low';
  return thinking.budget <= 12_000 ? 'medium' : 'high';
}
