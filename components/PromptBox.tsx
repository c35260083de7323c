// The prompt: what is queued, and below it the draft with the cursor. Its rows are those of the first paint.
import type { SessionState } from '../src/types/state.ts';
import { useCaret, type PlaceCaret } from '../hooks/use-caret.ts';
import type { Frame } from '../src/ui/frame.ts';
import { promptPicture } from '../src/ui/prompt-picture.ts';
import type { ScreenState } from '../src/ui/state.ts';
import type { Theme } from '../src/ui/themes.ts';
import { Rows } from './Rows.tsx';

type Props = { screen: ScreenState; session: Pick<SessionState, 'queue' | 'turn' | 'doing'>; frame: Frame; theme: Theme; placeCaret: PlaceCaret | undefined };

/** Must come before the overlays in the tree: a field in one of them takes the cursor over. */
export function PromptBox({ screen, session, frame, theme, placeCaret }: Props) {
  const { rows, cursor } = promptPicture(screen, session, frame, theme);
  useCaret(screen.overlay?.kind === 'keys' ? null : cursor, placeCaret);
  return <Rows rows={rows} place={frame.layout.prompt} />;
}
