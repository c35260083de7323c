// What lies over the screen: a box of filled rows, and the one-line field in it.
import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { useCaret, type PlaceCaret } from '../hooks/use-caret.ts';
import { fieldWindow } from '../src/ui/field.ts';
import type { Layer } from '../src/ui/layers.ts';
import { Rows } from './Rows.tsx';

/** Must be the last child of the root: the order in the tree is the order of the layers. */
export function Overlay({ layer, placeCaret }: { layer: Layer; placeCaret: PlaceCaret | undefined }) {
  const { rows, x, y, width, field, caret } = layer;
  return (
    <>
      <Rows rows={rows} place={{ x, y, width, height: rows.length }} />
      {field && <Field {...field} x={x + field.x} y={y + field.y} placeCaret={placeCaret} />}
      {caret && <Caret x={x + caret.x} y={y + caret.y} placeCaret={placeCaret} />}
    </>
  );
}

function Caret({ x, y, placeCaret }: { x: number; y: number; placeCaret: PlaceCaret | undefined }) {
  useCaret({ x, y }, placeCaret);
  return null;
}

const nothing = () => {};

function Field({ x, y, width, editor, placeCaret }: NonNullable<Layer['field']> & { placeCaret: PlaceCaret | undefined }) {
  const shown = fieldWindow(editor, width);
  useCaret({ x: x + shown.x, y }, placeCaret);
  return (
    <Box position="absolute" left={x} top={y} width={width} height={1} overflow="hidden">
      {/* Draws only: its keys come through the keymap as all others do, which knows graphemes and readline and loses none of a burst. */}
      <TextInput value={shown.text} onChange={nothing} focus={false} />
    </Box>
  );
}
