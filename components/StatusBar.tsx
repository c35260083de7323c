// The header and the status bar: which session this is, its mode, and the live figures.
import { memo } from 'react';
import { useStore } from '../hooks/use-store.ts';
import type { Driver } from '../src/ui/driver.ts';
import type { Box } from '../src/ui/frame.ts';
import { headerRow, statusRow } from '../src/ui/status.ts';
import { Rows } from './Rows.tsx';

export const Header = memo(function Header({ driver, place, frame }: { driver: Driver; place: Box; frame: boolean }) {
  const { session, theme, info } = driver.scene;
  const model = useStore(session, (state) => state.model);
  const mode = useStore(session, (state) => state.mode);
  return <Rows rows={[headerRow(info, { model, mode }, { width: place.width, theme, frame })]} place={place} />;
});

export const StatusBar = memo(function StatusBar({ driver, place }: { driver: Driver; place: Box }) {
  const { session, theme, modes } = driver.scene;
  const mode = useStore(session, (state) => state.mode);
  const meter = useStore(driver.meter, (state) => state);
  const queue = useStore(session, (state) => state.queue);
  const tasks = useStore(session, (state) => state.tasks);
  const mcp = useStore(session, (state) => state.mcp);
  const sandbox = useStore(session, (state) => state.sandbox);
  const tone = modes().find((known) => known.name === mode)?.tone;
  return <Rows rows={[statusRow({ mode, meter, queue, mcp, tasks, ...(sandbox && { sandbox }) }, { width: place.width, theme, ...(tone && { tone }) })]} place={place} />;
});
