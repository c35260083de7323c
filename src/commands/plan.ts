// /plan and /do: into plan mode, where nothing is changed, and back to the mode before.
import type { App, Command, Done } from '../types/command.ts';
import { UserError } from '../types/user-error.ts';
import { switchMode } from './mode.ts';

const PLAN = 'plan';

export const plan: Command = {
  name: PLAN,
  summary: 'Look and plan without changing anything; off goes back',
  usage: '[off]',
  where: 'chat',
  whileBusy: true,
  async run(app, [word]) {
    if (word === undefined) return switchMode(app, PLAN);
    if (word === 'off') return goBack(app);
    throw new UserError(`/plan does not know "${word}".`, 'It is /plan or /plan off.');
  },
};

export const leavePlan: Command = {
  name: 'do',
  summary: 'Leave plan mode for the mode before',
  where: 'chat',
  whileBusy: true,
  run: async (app) => goBack(app),
};

function goBack(app: App): Done {
  const { mode, modeBefore = 'default' } = app.state.get();
  if (mode !== PLAN) throw new UserError(`The mode is ${mode}, not plan.`, '/plan switches to it.');
  // A program that was started in plan mode has no mode before it.
  return switchMode(app, modeBefore === PLAN ? 'default' : modeBefore);
}
