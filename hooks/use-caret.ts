// useCaret: puts the terminal's real cursor where the next letter goes, so that input methods open there.
import { useCursor } from 'ink';
import { useLayoutEffect } from 'react';

export type Place = { x: number; y: number };

/** Moves the cursor of a screen that Ink does not write to; `null` hides it. */
export type PlaceCaret = (at: Place | null) => void;

/** The last one in the tree wins. Without `place` Ink moves the cursor. */
export function useCaret(at: Place | null, place: PlaceCaret | undefined): void {
  const { setCursorPosition } = useCursor();
  setCursorPosition(at ?? undefined);
  useLayoutEffect(() => { place?.(at); });
}
