// /cost: tokens and dollars of this turn, this session and each model, the cache's share priced by itself.
import type { Command } from '../types/command.ts';
import type { Usage } from '../types/provider.ts';
import type { Price } from '../types/settings.ts';
import { dollars, tokens } from './figures.ts';

export const cost: Command = {
  name: 'cost',
  aliases: ['usage'],
  summary: 'Show tokens and cost: this turn, this session, by model',
  where: 'chat',
  whileBusy: true,
  async run(app) {
    const { meter, model } = app.state.get();
    const used = Object.entries(meter.models ?? {});
    const price = used.length > 1 ? undefined : app.priceOf(used[0]?.[0] ?? model);
    const rows = [
      rowOf('this turn', { usage: meter.turn, costUsd: meter.turnUsd ?? 0, price }),
      rowOf('this session', { usage: meter.session, costUsd: meter.costUsd, price }),
      ...used.map(([name, spent]) => rowOf(`  ${name}`, { ...spent, price: app.priceOf(name) })),
    ];
    return { view: { type: 'table', head: ['', 'input', 'cache read', 'cache write', 'output', 'cost'], rows } };
  },
};

/** `price`: where one model alone was used, what each kind of token came to. A long prompt's surcharge is in the total only. */
function rowOf(name: string, { usage, costUsd, price }: { usage: Usage; costUsd: number | null; price: Price | undefined }): string[] {
  return [
    name,
    cell(usage.input, price?.input),
    cell(usage.cacheRead, price && (price.cacheRead ?? price.input)),
    cell(usage.cacheWrite, price && (price.cacheWrite ?? price.input)),
    cell(usage.output, price?.output),
    dollars(costUsd),
  ];
}

function cell(count: number, each: number | undefined): string {
  const priced = count === 0 || each === undefined ? '' : ` · ${dollars((count * each) / 1_000_000)}`;
  return `${tokens(count)}${priced}`;
}
