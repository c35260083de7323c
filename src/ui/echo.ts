// The echo of a key: what of the screen changes when only the draft does, without waiting for a frame.
import type { Driver } from './driver.ts';
import { promptPatch, type Patch } from './first-rows.ts';
import type { ScreenState } from './state.ts';

/** Calls `show` with the prompt's rows after each change of the draft that leaves everything at its place. Listens before the components do. */
export function echoDraft({ screen, scene, frame }: Pick<Driver, 'screen' | 'scene' | 'frame'>, show: (patch: Patch) => void): () => void {
  const { session, theme } = scene;
  let before = { screen: screen.get(), frame: frame(screen.get(), session.get()) };
  return screen.subscribe(() => {
    const now = { screen: screen.get(), frame: frame(screen.get(), session.get()) };
    const still = before.frame === now.frame && onlyDraft(before.screen, now.screen);
    before = now;
    if (still) show(promptPatch(now.screen, session.get(), now.frame, theme));
  });
}

/** An emptied prompt may have been sent: what it says then follows from more than the draft. */
function onlyDraft(before: ScreenState, now: ScreenState): boolean {
  return before.editor !== now.editor && now.editor.text !== '' && now.overlay === null && now.dialog === null
    && before.size === now.size && before.overlay === null && before.dialog === null;
}
