// The whole screen: panes at their places, and over them what is open.
import { Box } from 'ink';
import { useCaret, type Place } from '../hooks/use-caret.ts';
import { useKeys } from '../hooks/use-keys.ts';
import { useStore } from '../hooks/use-store.ts';
import type { Driver } from '../src/ui/driver.ts';
import { fieldWindow } from '../src/ui/field.ts';
import { layersOf } from '../src/ui/layers.ts';
import { promptPicture } from '../src/ui/prompt-picture.ts';
import { ChatPane } from './ChatPane.tsx';
import { FrameLines } from './FrameLines.tsx';
import { Overlay } from './Overlay.tsx';
import { Rows } from './Rows.tsx';
import { SpinnerLine } from './SpinnerLine.tsx';
import { Header, StatusBar } from './StatusBar.tsx';
import { ToolPane } from './ToolPane.tsx';

/** `placeCaret` moves the terminal's cursor where Ink does not. */
export function App({ driver, placeCaret }: { driver: Driver; placeCaret?: (at: Place | null) => void }) {
  const { scene } = driver;
  useKeys(driver);
  const screen = useStore(driver.screen, (state) => state);
  const queue = useStore(scene.session, (state) => state.queue);
  const turn = useStore(scene.session, (state) => state.turn);
  const doing = useStore(scene.session, (state) => state.doing);
  const questions = useStore(scene.session, (state) => state.questions);
  const mode = useStore(scene.session, (state) => state.mode);

  const session = { queue, turn, doing, questions, mode };
  const frame = driver.frame(screen, session);
  const { layout } = frame;
  const prompt = promptPicture(screen, session, frame, scene.theme);
  const { layers, dims } = layersOf(screen, { session, modes: scene.modes(), commands: scene.commands() }, frame, scene.theme);

  const top = layers.at(-1);
  const caret = top?.field ? { x: top.x + top.field.x + fieldWindow(top.field.editor, top.field.width).x, y: top.y + top.field.y } : prompt.cursor;
  useCaret(screen.overlay?.kind === 'keys' ? null : caret, placeCaret);

  return (
    <Box width={screen.size.columns} height={screen.size.rows} overflow="hidden">
      <Header driver={driver} place={layout.header} frame={layout.frame} />
      <FrameLines layout={layout} size={screen.size} theme={scene.theme} />
      {layout.chat.height > 0 && <ChatPane driver={driver} place={layout.chat} dim={dims} />}
      {layout.tools && <ToolPane driver={driver} place={layout.tools} dim={dims} />}
      {layout.spinner.height > 0 && <SpinnerLine driver={driver} place={layout.spinner} />}
      <Rows rows={prompt.rows} place={layout.prompt} />
      <StatusBar driver={driver} place={layout.status} />
      {layers.map((layer, index) => <Overlay key={index} {...layer} />)}
    </Box>
  );
}
