// Reads the configuration, and asks first when project files would switch something on.
import type { Loaded } from '../config/load.ts';
import { keepTrust, trustQuestion } from '../config/trust.ts';
import type { Answer, Question } from '../types/question.ts';
import type { Start } from './start.ts';

/** The configuration as the user lets it be, or `leave`. Untrusted settings are left out with a warning among `warnings`. */
export async function loadTrusted(start: Start, ask: (question: Question) => Promise<Answer>): Promise<Loaded | 'leave'> {
  const loaded = await start.load(start.trust);
  if (start.trust || start.headless || loaded.trust === null) return loaded;
  const answer = await ask(trustQuestion(loaded.trust));
  const choice = answer.kind === 'chosen' ? answer.ids[0] : 'quit';
  if (choice === 'quit') return 'leave';
  if (choice !== 'trust') return loaded;
  keepTrust(start.paths, loaded.trust);
  return start.load(true);
}
