// The one place where what the screen's reducer asks for is done.
import type { App } from '../types/command.ts';
import { UserError } from '../types/user-error.ts';
import type { Effect } from '../ui/state.ts';
import type { Asker } from './tui-asker.ts';

export type Performing = {
  app: App;
  asker: Asker;
  repaint(): void;
  suspend(): Promise<void>;
  /** Ends the program with an exit code, or with what went wrong. */
  quit(code: number): void;
  fail(error: unknown): void;
};

/** Makes the function that carries out effects. It never throws. */
export function createPerform({ app, asker, repaint, suspend, quit, fail }: Performing): (effect: Exclude<Effect, { do: 'later' }>) => void {
  return (effect) => {
    switch (effect.do) {
      case 'submit':
        app.submit(effect.text).then((done) => { if (done?.exit !== undefined) quit(done.exit); }, fail);
        return;
      case 'answer': {
        const asked = app.state.get().questions.find(({ id }) => id === effect.id);
        if (asked) asker.answer(asked.question, effect.answer);
        return;
      }
      case 'setMode':
        try {
          app.setMode(effect.mode);
        } catch (error) {
          if (!(error instanceof UserError)) fail(error);
          else app.emit({ type: 'notice', level: 'warn', text: error.text });
        }
        return;
      case 'cancel': return app.cancel();
      case 'sendQueue': return app.sendQueue();
      case 'setQueue': return app.setQueue(effect.prompts);
      case 'repaint': return repaint();
      case 'suspend': suspend().catch(fail); return;
      case 'quit': return quit(effect.code);
    }
  };
}
