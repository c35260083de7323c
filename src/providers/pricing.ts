// What a request costs.
import type { Usage } from '../types/provider.ts';
import type { CataloguePrice } from './catalogue.ts';

/**
 * Dollars for `usage`. Cache tokens without a price of their own count as input. A long prompt (all three kinds of
 * input together) raises the price of the whole request.
 */
export function costOf(usage: Usage, price: CataloguePrice): number {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const long = price.long !== undefined && prompt > price.long.over ? price.long : { input: 1, output: 1 };
  const input = usage.input * price.input + usage.cacheRead * (price.cacheRead ?? price.input) + usage.cacheWrite * (price.cacheWrite ?? price.input);
  return (input * long.input + usage.output * price.output * long.output) / 1_000_000;
}
