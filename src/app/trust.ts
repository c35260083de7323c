// Reads the configuration, and asks first when project files would switch something on.
import type { Loaded } from '../config/load.ts';
import { keepTrust, trustQuestion } from '../config/trust.ts';
import type { Answer, Question } from '../types/question.ts';
import type { Start } from './start.ts';

/** The configuration as the user lets it be, or `leave`. What is not trusted is left out, with a warning among `warnings`. */
export async function loadTrusted(start: Start, ask: (question: Question) => Promise<Answer>): Promise<Loaded | 'leave'> {
  for (;;) {
    const loaded = await start.load(start.trust);
    if (start.trust || start.headless || loaded.trust === null) return loaded;
    const answer = await ask(trustQuestion(loaded.trust, start.paths));
    const choice = answer.kind === 'chosen' ? answer.ids[0] : 'quit';
    if (choice !== 'trust' && choice !== 'without') return 'leave';
    keepTrust(start.paths, loaded.trust, choice);
    // Read again: files that have changed since they were shown are asked about anew.
  }
}
