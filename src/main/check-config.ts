// --check-config: the merged configuration, each value with the layer it came from, secrets masked.
import { isSecretKey } from '../config/faults.ts';
import type { Loaded } from '../config/load.ts';
import { leaves } from '../config/merge.ts';
import { createMask, maskSecret } from '../lib/mask.ts';

/** One line a value: `agent.max_rounds: 50   # default`. */
export function describeConfig(loaded: Loaded): string {
  const mask = createMask(loaded.secrets);
  const rows = leaves(loaded.config).map(({ path, value }) => {
    const key = path.join('.');
    const shown = typeof value === 'string' && isSecretKey(path.at(-1) ?? '') ? maskSecret(value) : mask(JSON.stringify(value));
    return [`${key}: ${shown}`, loaded.origins[key] ?? ''] as const;
  });
  const width = Math.min(60, Math.max(...rows.map(([left]) => left.length)));
  const notes = [...loaded.warnings, ...(loaded.hint === undefined ? [] : [loaded.hint])];
  return [...rows.map(([left, origin]) => `${left.padEnd(width)}  # ${origin}`), ...notes.map((note) => `# ${mask(note)}`), ''].join('\n');
}
