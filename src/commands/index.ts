// The registry of commands: one row each; slash commands, the palette and /help are made from it.
import type { Command } from '../types/command.ts';
import { call, files, read, search } from './call.ts';
import { clear } from './clear.ts';
import { cost } from './cost.ts';
import { doctor } from './doctor.ts';
import { exit } from './exit.ts';
import { help } from './help.ts';
import { cwd, session, tools } from './look.ts';
import { mcp } from './mcp.ts';
import { mode, modeCommands } from './mode.ts';
import { model, provider } from './model.ts';
import { leavePlan, plan } from './plan.ts';
import { permission, permissions } from './rules.ts';
import { tasks } from './tasks.ts';
import { verify } from './verify.ts';

/** In the order in which `/help` lists them. */
export const commands: readonly Command[] = [help, mode, plan, leavePlan, ...modeCommands, permissions, permission, model, provider, cost, tools, call, files, read, search, mcp, tasks, session, cwd, verify, doctor, clear, exit];

/** The command of that name or alias, without the slash; case does not matter. */
export function findCommand(commands: readonly Command[], name: string): Command | undefined {
  const wanted = name.toLowerCase();
  return commands.find((command) => [command.name, ...(command.aliases ?? [])].some((known) => known.toLowerCase() === wanted));
}
