// The tool-call log: each call with its state, the selected one opened.
import { memo } from 'react';
import { useStore } from '../hooks/use-store.ts';
import { useTick } from '../hooks/use-tick.ts';
import { dimmed } from '../src/ui/box.ts';
import type { Driver } from '../src/ui/driver.ts';
import type { Box } from '../src/ui/frame.ts';
import { toolLogWindow } from '../src/ui/tool-log.ts';
import { isBusy } from '../src/ui/state.ts';
import { Rows } from './Rows.tsx';

export const ToolPane = memo(function ToolPane({ driver, place, dim }: { driver: Driver; place: Box; dim: boolean }) {
  const { scene: { session, theme }, screen, ticker } = driver;
  const tools = useStore(session, (state) => state.tools);
  const todos = useStore(session, (state) => state.todos);
  const messages = useStore(session, (state) => state.messages);
  const tasks = useStore(session, (state) => state.tasks);
  const running = useStore(session, (state) => isBusy(state) || state.tasks.some(({ status }) => status === 'running'));
  const selected = useStore(screen, (state) => state.log.selected);
  const now = useTick(ticker, running);
  const { rows } = toolLogWindow({ tools, todos, messages, tasks }, { width: place.width, height: place.height, theme, now, selected });
  return <Rows rows={dim ? rows.map((row) => dimmed(row, theme)) : rows} place={place} />;
});
