// One process a session.
import { join } from 'node:path';
import { takeLock } from '../lib/lock.ts';
import { UserError } from '../types/user-error.ts';

/** Takes the lock of the session in `dir`, or throws a `UserError` when another process has it. Gives back how to release it. */
export function lockSession(dir: string): () => void {
  const lock = takeLock(join(dir, 'lock'));
  if ('release' in lock) return lock.release;
  if (lock.heldBy === 0) throw new UserError('Other processes are opening this session at this moment.', 'Try again, or start a new session.');
  throw new UserError(`This session is open in another process (${lock.heldBy}).`, 'Use it there, or start a new session.');
}
