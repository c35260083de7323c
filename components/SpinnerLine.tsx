// The spinner line: what is going on and for how long. There only while something is.
import { Box, Text } from 'ink';
import Spinner from 'ink-spinner';
import { memo } from 'react';
import { useStore } from '../hooks/use-store.ts';
import { useTick } from '../hooks/use-tick.ts';
import type { Driver } from '../src/ui/driver.ts';
import type { Box as Place } from '../src/ui/frame.ts';
import { spinnerRow } from '../src/ui/status.ts';
import { Row } from './Rows.tsx';

/** The glyph and a blank. */
const GLYPH = 2;

export const SpinnerLine = memo(function SpinnerLine({ driver, place }: { driver: Driver; place: Place }) {
  const { scene: { session, theme, still }, ticker } = driver;
  const doing = useStore(session, (state) => state.doing);
  const turn = useStore(session, (state) => state.turn);
  const meter = useStore(driver.meter, (state) => state);
  const tools = useStore(session, (state) => state.tools);
  const now = useTick(ticker, true);
  const row = spinnerRow({ doing, turn, meter, tools }, { width: place.width - GLYPH, theme, now });
  if (row === null) return null;
  return (
    <Box position="absolute" left={place.x} top={place.y} width={place.width} height={1} overflow="hidden">
      <Box width={GLYPH} flexShrink={0}><Text>{still ? '●' : <Spinner />}</Text></Box>
      <Row text={row} />
    </Box>
  );
});
