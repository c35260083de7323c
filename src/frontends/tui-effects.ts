// The one place where what the screen's reducer asks for is done.
import type { App } from '../types/command.ts';
import { UserError } from '../types/user-error.ts';
import type { Effect, ScreenAction } from '../ui/state.ts';
import type { Asker } from './tui-asker.ts';

export type Performing = {
  app: App;
  asker: Asker;
  repaint(): void;
  suspend(): Promise<void>;
  /** `text` as the user leaves it in the editor of their choice. Rejects with a `UserError`. */
  edit(text: string): Promise<string>;
  dispatch(action: ScreenAction): void;
  /** Ends the program with an exit code, or with what went wrong. */
  quit(code: number): void;
  fail(error: unknown): void;
};

/** Makes the function that carries out effects. It never throws. */
export function createPerform({ app, asker, repaint, suspend, edit, dispatch, quit, fail }: Performing): (effect: Exclude<Effect, { do: 'later' }>) => void {
  const tell = (error: unknown) => {
    if (!(error instanceof UserError)) fail(error);
    else app.emit({ type: 'notice', level: 'warn', text: error.text });
  };
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
          tell(error);
        }
        return;
      case 'edit':
        edit(effect.text).then((text) => dispatch({ type: 'edited', dialog: effect.dialog, text, at: performance.now() }), tell);
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
