// Tells a user who looks elsewhere that a long turn is over or that a question waits.
import { cleanLine } from '../lib/clean.ts';
import type { Readable, SessionState } from '../types/state.ts';

/** A shorter turn is still being watched. */
const LONG_TURN_MS = 10_000;

export type NotifyOptions = {
  env: NodeJS.ProcessEnv;
  /** Whether the window has the focus; terminals that don't tell count as having it. */
  focused(): boolean;
  send(sequence: string): void;
};

/** Watches a session until the function that it gives is called. */
export function notifyFrom(session: Readable<SessionState>, { env, focused, send }: NotifyOptions): () => void {
  let before = session.get();
  return session.subscribe(() => {
    const state = session.get();
    const asked = state.questions[0];
    const news = asked && asked.id !== before.questions[0]?.id ? `asks: ${asked.question.title}`
      : before.turn.running && !state.turn.running && (state.turn.ended?.ms ?? 0) > LONG_TURN_MS ? 'is done'
      : undefined;
    before = state;
    if (news !== undefined && !focused()) send(notification(`MewCode ${news}`, env));
  });
}

/** The bell, and a message the way the terminal knows it: OSC 777 for the rxvt and VTE families, OSC 9 for the others. */
function notification(text: string, env: NodeJS.ProcessEnv): string {
  const words = cleanLine(text).replaceAll(';', ',').slice(0, 120);
  const family777 = env['VTE_VERSION'] !== undefined || /^(rxvt|foot)/.test(env['TERM'] ?? '');
  return `\x07${family777 ? `\x1b]777;notify;MewCode;${words}\x07` : `\x1b]9;${words}\x07`}`;
}
