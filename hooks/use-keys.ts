// useKeys: the one place where keys come in. They become actions; no component listens by itself.
import { useInput, usePaste } from 'ink';
import type { Driver } from '../src/ui/driver.ts';
import { pressesOf } from '../src/ui/keys.ts';

/** Feeds keys, and pastes that arrive through Ink, to the driver. */
export function useKeys(driver: Driver): void {
  useInput((input, key) => {
    for (const press of pressesOf(input, key)) driver.dispatch({ type: 'press', press, at: driver.now() });
  });
  usePaste((text) => { driver.dispatch({ type: 'paste', text, at: driver.now() }); });
}
