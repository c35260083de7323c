// /model: what answers, another model, and how quickly it answers. /provider: the configured backends.
import type { App, Command, Done, ModelDetails } from '../types/command.ts';
import type { Thinking } from '../types/provider.ts';
import { UserError } from '../types/user-error.ts';
import { dollars, tokens } from './figures.ts';

export const model: Command = {
  name: 'model',
  summary: 'Show the model, switch to another (NAME, or with its provider before a slash), or time how it answers',
  usage: '[NAME | test]',
  where: 'chat',
  whileBusy: true,
  async run(app, [name, ...rest]) {
    // Ordered with the start, the configuration may still be on its way.
    await app.ready;
    if (rest.length > 0) throw new UserError('A model has one name, without blanks.', 'It is /model NAME or /model PROVIDER/NAME.');
    if (name === undefined) return show(app.model());
    if (name === 'test') return test(app);
    await app.switchModel({ model: name });
    return show(app.model());
  },
};

export const provider: Command = {
  name: 'provider',
  summary: 'Show the configured providers, or switch to one',
  usage: '[NAME]',
  where: 'chat',
  whileBusy: true,
  async run(app, [name]) {
    await app.ready;
    const wanted = name ?? (await pick(app));
    if (wanted === undefined) {
      const rows = app.backends().map((backend) => [`${backend.active ? '●' : ' '} ${backend.name}`, backend.protocol, backend.model ?? '']);
      return { view: { type: 'table', head: ['provider', 'protocol', 'model'], rows } };
    }
    await app.switchModel({ provider: wanted });
    return show(app.model());
  },
};

/** Lets the user choose where there is a choice; `undefined` when nothing was chosen or nobody is there. */
async function pick(app: App): Promise<string | undefined> {
  const backends = app.backends();
  if (backends.length < 2) return undefined;
  const options = backends.map(({ name, protocol, model: usual, active }) => ({ id: name, label: name, detail: `${[protocol, usual].filter((text) => text !== undefined).join(', ')}${active ? ' ● active' : ''}` }));
  const answer = await app.ask({ kind: 'choose', title: 'Switch to which provider?', options });
  return answer.kind === 'chosen' ? answer.ids[0] : undefined;
}

function show(now: ModelDetails): Done {
  const { price } = now;
  const rows = [
    ['provider', now.provider],
    ['protocol', now.protocol],
    ['model', now.model],
    ['window', tokens(now.window)],
    ['max output', tokens(now.maxOutput)],
    ['thinking', now.thinks || now.thinking === 'off' ? thinkingText(now.thinking) : `${thinkingText(now.thinking)} (none known of this model)`],
    ['tools', now.tools],
    ['price', price === undefined ? '$?' : `${dollars(price.input)} in, ${dollars(price.output)} out${price.cacheRead === undefined ? '' : `, ${dollars(price.cacheRead)} cache read`}${price.cacheWrite === undefined ? '' : `, ${dollars(price.cacheWrite)} cache write`}, for a million tokens`],
    ['address', now.baseUrl ?? 'none: it runs in this process'],
  ];
  return { view: { type: 'table', head: ['model', ''], rows } };
}

function thinkingText(thinking: Thinking): string {
  if (typeof thinking === 'string') return thinking;
  return 'budget' in thinking ? `up to ${tokens(thinking.budget)} tokens` : `effort ${thinking.effort}`;
}

async function test(app: App): Promise<Done> {
  const { provider: name, model: asked } = app.model();
  const ping = await app.ping();
  if (!ping.ok) throw new UserError(`${name}/${asked} failed the test.`, ping.failure.message);
  const { firstMs, totalMs, usage } = ping;
  const rows = [
    ['first token', firstMs === undefined ? 'no text came' : seconds(firstMs)],
    ['total', seconds(totalMs)],
    ['tokens', usage === undefined ? 'not told' : `${usage.input + usage.cacheRead + usage.cacheWrite} in, ${usage.output} out`],
  ];
  return { view: { type: 'table', head: [`${name}/${asked}`, ''], rows } };
}

const seconds = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`);
