// The chat pane: the rows of the transcript that are in sight.
import { memo, useLayoutEffect } from 'react';
import { useStore } from '../hooks/use-store.ts';
import { dimmed } from '../src/ui/box.ts';
import type { Driver } from '../src/ui/driver.ts';
import { chatView, sameAnchor, type Box } from '../src/ui/frame.ts';
import { fit } from '../src/ui/lines.ts';
import { Rows } from './Rows.tsx';

export const ChatPane = memo(function ChatPane({ driver, place, dim }: { driver: Driver; place: Box; dim: boolean }) {
  const { scene, screen, transcript } = driver;
  const { session, theme } = scene;
  const messages = useStore(session, (state) => state.messages);
  const live = useStore(session, (state) => state.live);
  const notices = useStore(session, (state) => state.notices);
  const tools = useStore(session, (state) => state.tools);
  const anchor = useStore(screen, (state) => state.anchor);
  const unfolded = useStore(screen, (state) => state.unfolded);
  useStore(screen, (state) => state.revision);

  const { rows, below, anchor: kept } = transcript.window({ messages, live, notices, tools }, chatView({ anchor, unfolded }, place, scene));
  // Its entry may have gone, or its end been reached.
  useLayoutEffect(() => { if (!sameAnchor(kept, anchor)) driver.dispatch({ type: 'anchored', anchor: kept }); });

  const note = below > 0 ? ` ↓ ${below} new ` : '';
  return (
    <>
      <Rows rows={dim ? rows.map((row) => dimmed(row, theme)) : rows} place={place} />
      {note !== '' && <Rows rows={[fit([{ text: note, sgr: theme.sgr.selected }], note.length)]} place={{ x: place.x + place.width - note.length, y: place.y + place.height - 1, width: note.length, height: 1 }} />}
    </>
  );
});
