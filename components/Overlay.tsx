// What lies over the screen: a box of filled rows, and the one-line field in it.
import { Box } from 'ink';
import TextInput from 'ink-text-input';
import type { Editor } from '../src/ui/editor/editor.ts';
import { fieldWindow } from '../src/ui/field.ts';
import { Rows } from './Rows.tsx';

type Field = { x: number; y: number; width: number; editor: Editor };

const nothing = () => {};

/** Must be the last child of the root: the order in the tree is the order of the layers. */
export function Overlay({ rows, x, y, width, field }: { rows: readonly string[]; x: number; y: number; width: number; field?: Field | undefined }) {
  return (
    <>
      <Rows rows={rows} place={{ x, y, width, height: rows.length }} />
      {field && (
        <Box position="absolute" left={x + field.x} top={y + field.y} width={field.width} height={1} overflow="hidden">
          {/* Draws only: its keys come through the keymap as all others do, which knows graphemes and readline and loses none of a burst. */}
          <TextInput value={fieldWindow(field.editor, field.width).text} onChange={nothing} focus={false} />
        </Box>
      )}
    </>
  );
}
