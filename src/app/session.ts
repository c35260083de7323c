// Which session a start opens, and its log.
import { join } from 'node:path';
import { makeProjectDir, type Paths } from '../config/paths.ts';
import { foldSession } from '../session/fold.ts';
import { newestSession, newSessionId } from '../session/list.ts';
import { EVENTS, openLog, type LogOptions, type SessionLog } from '../session/log.ts';
import { initialState, reduce } from '../store/reduce.ts';
import type { SessionState } from '../types/state.ts';
import { UserError } from '../types/user-error.ts';

/** `none` writes nothing. */
export type SessionChoice = { kind: 'new' } | { kind: 'continue' } | { kind: 'resume'; id: string } | { kind: 'none' };

/** A session to work in. `dir` is null when nothing is written; `resumed` when `state` was folded from its log. */
export type Session = { id: string; dir: string | null; state: SessionState; resumed: boolean; damaged: number };

/** Finds or names the session. Throws a `UserError` when there is none of that name. */
export function chooseSession(choice: SessionChoice, { sessions }: Paths): Session {
  switch (choice.kind) {
    case 'new': case 'none': {
      const id = newSessionId();
      return { id, dir: choice.kind === 'none' ? null : join(sessions, id), state: initialState(), resumed: false, damaged: 0 };
    }
    case 'continue': {
      const id = newestSession(sessions);
      if (id === undefined) throw new UserError('There is no session to continue in this project.', 'Start one with: mewcode');
      return resume(id, sessions);
    }
    case 'resume': return resume(choice.id, sessions);
  }
}

function resume(id: string, sessions: string): Session {
  const dir = join(sessions, id);
  // The id comes from the command line and becomes a path.
  const { state, damaged, events } = /^[\w-]+$/.test(id) ? foldSession(join(dir, EVENTS), reduce, initialState()) : { state: initialState(), damaged: 0, events: 0 };
  if (events === 0) throw new UserError(`There is no session "${id}" in this project.`, 'mewcode --continue takes the newest.');
  return { id, dir, state, resumed: true, damaged };
}

/** Opens the session's log; one that writes nothing where there is none. */
export function openSession({ dir }: Session, paths: Paths, options: Pick<LogOptions, 'mask' | 'onProblem'>): Pick<SessionLog, 'append' | 'close'> {
  if (dir === null) return { append: () => {}, close: () => {} };
  return openLog(dir, { ...options, prepare: () => makeProjectDir(paths) });
}
