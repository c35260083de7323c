// The one boundary for bugs: the stack goes to a log file, a sentence to the user, and the program ends.
import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeAtomicSync } from '../lib/atomic.ts';
import { clean } from '../lib/clean.ts';
import { createMask, rememberedSecrets } from '../lib/mask.ts';
import { killAllGroups } from '../lib/spawn.ts';

/** Ends the program on whatever nobody caught. */
export function leaveOnBugs(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => process.exit(reportBug(error)));
  }
}

/** Ends all children, writes the log and gives the exit code. The sentence comes once the terminal is as it was: at the very end. */
export function reportBug(error: unknown): number {
  killAllGroups();
  const message = error instanceof Error ? error.message : String(error);
  const file = join(process.env.MEWCODE_HOME || join(homedir(), '.mewcode'), 'logs', `crash-${new Date().toISOString().replaceAll(':', '-')}.log`);
  const mask = createMask([...rememberedSecrets(), ...Object.entries(process.env).flatMap(([name, value]) => (/KEY|TOKEN|SECRET|PASSWORD/i.test(name) && value ? [value] : []))]);
  let kept = `The details are in ${file}.`;
  try {
    writeAtomicSync(file, mask(`${error instanceof Error ? error.stack : message}\n\nNode ${process.version}, ${process.platform} ${process.arch}\n`));
  } catch {
    kept = 'The details could not be written down.';
  }
  process.once('exit', () => {
    try {
      writeSync(2, `mewcode: a bug in MewCode ended it: ${clean(mask(message))}. ${kept}\n`);
    } catch {
      // Nobody is left to tell.
    }
  });
  return 1;
}
