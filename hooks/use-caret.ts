// useCaret: puts the terminal's real cursor where the next letter goes, so that input methods open there.
import { useCursor } from 'ink';
import { useLayoutEffect } from 'react';

export type Place = { x: number; y: number };

/** `place` is told after each commit; without it Ink moves the cursor. `null` hides it. */
export function useCaret(at: Place | null, place: ((at: Place | null) => void) | undefined): void {
  const { setCursorPosition } = useCursor();
  setCursorPosition(at ?? undefined);
  useLayoutEffect(() => { place?.(at); });
}
