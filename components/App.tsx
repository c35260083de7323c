// The whole screen: panes at their places, and over them what is open.
import { Box } from 'ink';
import type { PlaceCaret } from '../hooks/use-caret.ts';
import { useKeys } from '../hooks/use-keys.ts';
import { useStore } from '../hooks/use-store.ts';
import type { Driver } from '../src/ui/driver.ts';
import { layersOf } from '../src/ui/layers.ts';
import { ChatPane } from './ChatPane.tsx';
import { FrameLines } from './FrameLines.tsx';
import { Overlay } from './Overlay.tsx';
import { PromptBox } from './PromptBox.tsx';
import { SpinnerLine } from './SpinnerLine.tsx';
import { Header, StatusBar } from './StatusBar.tsx';
import { ToolPane } from './ToolPane.tsx';

/** `placeCaret` moves the terminal's cursor where Ink does not. */
export function App({ driver, placeCaret }: { driver: Driver; placeCaret?: PlaceCaret }) {
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
  const { layers, dims } = layersOf(screen, { session, modes: scene.modes(), commands: scene.commands() }, frame, scene.theme);

  return (
    <Box width={screen.size.columns} height={screen.size.rows} overflow="hidden">
      <Header driver={driver} place={layout.header} frame={layout.frame} />
      <FrameLines layout={layout} size={screen.size} theme={scene.theme} />
      {layout.chat.height > 0 && <ChatPane driver={driver} place={layout.chat} dim={dims} />}
      {layout.tools && <ToolPane driver={driver} place={layout.tools} dim={dims} />}
      {layout.spinner.height > 0 && !dims && <SpinnerLine driver={driver} place={layout.spinner} />}
      <PromptBox screen={screen} session={session} frame={frame} theme={scene.theme} placeCaret={placeCaret} />
      <StatusBar driver={driver} place={layout.status} />
      {layers.map((layer, index) => <Overlay key={index} layer={layer} placeCaret={placeCaret} />)}
    </Box>
  );
}
