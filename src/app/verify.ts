// The verifier as the configuration wants it.
import picomatch from 'picomatch';
import { relative } from 'node:path';
import { configuredVerifier, verifiers } from '../agent/verifiers.ts';
import { createVerify, type Verify, type VerifyOptions } from '../agent/verify.ts';
import { defaults } from '../config/defaults.ts';
import type { Loaded } from '../config/load.ts';

/** `null` when it is switched off. The user's own checks come before the built-in ones. */
export function holdVerify({ config: { verifier } }: Loaded, surroundings: Omit<VerifyOptions, 'rows' | 'debounceMs' | 'timeoutMs' | 'tests'>): Verify | null {
  if (verifier === 'off' || verifier === false) return null;
  const { checks, debounce_secs, timeout_secs, tests } = typeof verifier === 'object' && verifier !== null ? verifier : {};
  const root = surroundings.roots[0] ?? '/';
  const own = (checks ?? []).map(({ glob, command, parser }) => {
    const matches = picomatch(glob, { dot: true });
    return configuredVerifier({ command, parser: parser ?? undefined, matches: (file) => matches(relative(root, file)) });
  });
  return createVerify({
    ...surroundings, rows: [...own, ...verifiers], tests: tests ?? false,
    debounceMs: (debounce_secs ?? defaults.verifier.debounce_secs) * 1_000,
    timeoutMs: (timeout_secs ?? defaults.verifier.timeout_secs) * 1_000,
  });
}
