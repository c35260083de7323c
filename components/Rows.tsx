// Painted rows at a place on the screen, a component each, so that a row that stays the same costs nothing.
import { Box, Text } from 'ink';
import { memo } from 'react';
import type { Box as Place } from '../src/ui/frame.ts';

export const Row = memo(function Row({ text }: { text: string }) {
  // An empty text would have no height.
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});

export function Rows({ rows, place }: { rows: readonly string[]; place: Place }) {
  if (place.height < 1 || place.width < 1) return null;
  return (
    <Box position="absolute" left={place.x} top={place.y} width={place.width} height={place.height} flexDirection="column" overflow="hidden">
      {rows.slice(0, place.height).map((text, index) => <Row key={index} text={text} />)}
    </Box>
  );
}
