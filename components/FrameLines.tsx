// The lines of the frame around and between the panes.
import { Box, Text } from 'ink';
import { memo } from 'react';
import type { Layout } from '../src/ui/layout.ts';
import { paint, type Theme } from '../src/ui/themes.ts';
import { Rows } from './Rows.tsx';

export const FrameLines = memo(function FrameLines({ layout, size, theme }: { layout: Layout; size: { columns: number; rows: number }; theme: Theme }) {
  const inner = size.rows - 1;
  return (
    <>
      {layout.frame && <Column x={0} y={1} height={inner} theme={theme} />}
      {layout.frame && <Column x={size.columns - 1} y={1} height={inner} theme={theme} />}
      {layout.divider && <Column x={layout.divider.x} y={layout.divider.y} height={layout.divider.height} theme={theme} />}
      {layout.rules.map(({ y, text }) => <Rows key={y} rows={[paint(theme, 'border', text)]} place={{ x: 0, y, width: size.columns, height: 1 }} />)}
    </>
  );
});

function Column({ x, y, height, theme }: { x: number; y: number; height: number; theme: Theme }) {
  if (height < 1) return null;
  return (
    <Box position="absolute" left={x} top={y} width={1} height={height} overflow="hidden">
      <Text>{Array.from({ length: height }, () => paint(theme, 'border', '│')).join('\n')}</Text>
    </Box>
  );
}
