// What the OS sandbox costs a command: bash alone, in bare bubblewrap, in ours; and what making its command line costs in a large project. Run: npx node bench/sandbox.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnGroup } from '../src/lib/spawn.ts';
import { env, kind, makeJail } from '../tests/sandbox/jail.ts';
import { gatherFacts } from '../src/permissions/facts.ts';

const RUNS = 60;

/** Middle of so many runs, in milliseconds; the contestants take turns, so that the load of the machine meets all alike. */
async function compare(contestants: Readonly<Record<string, () => unknown>>): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  for (let run = 0; run < RUNS; run += 1) {
    for (const [name, act] of Object.entries(contestants)) {
      const began = performance.now();
      await act();
      (times[name] ??= []).push(performance.now() - began);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, all.toSorted((a, b) => a - b)[RUNS / 2] ?? NaN]));
}

if (kind.kind !== 'bubblewrap') {
  console.log(`There is no bubblewrap here: ${kind.kind === 'none' ? kind.because : kind.kind}`);
} else {
  const { program } = kind;
  const jail = makeJail();
  const large = makeJail();
  for (let i = 0; i < 2_000; i += 1) {
    mkdirSync(join(large.root, `a${i % 20}/b${i}`), { recursive: true });
    writeFileSync(join(large.root, `a${i % 20}/b${i}/c.ts`), '');
  }
  const facts = await gatherFacts([{ kind: 'run', target: 'true' }], { cwd: jail.root, roots: [jail.root], home: jail.home });
  const argv = ['bash', '-c', 'true'];
  const run = (command: readonly string[]) => spawnGroup(command, { cwd: jail.root, env }).done;
  large.confined.wrap(argv, { facts });
  const ms = await compare({
    bash: () => run(argv),
    bare: () => run([program, '--ro-bind', '/', '/', ...argv]),
    ours: () => run(jail.confined.wrap(argv, { facts })),
    online: () => run(jail.confined.wrap(argv, { facts, network: true })),
    wrap: () => jail.confined.wrap(argv, { facts }),
    wrapLarge: () => large.confined.wrap(argv, { facts }),
  });
  const row = (what: string, value = NaN) => console.log(`${what.padEnd(58)} ${value.toFixed(1).padStart(6)} ms  ${(value / (ms['bash'] ?? NaN)).toFixed(1)} × bash`);
  row('bash -c true', ms['bash']);
  row('in bare bubblewrap', ms['bare']);
  row('in the sandbox, with the network', ms['online']);
  row('in the sandbox', ms['ours']);
  row('of that: making its command line', ms['wrap']);
  row('the same in a project of 2,000 folders', ms['wrapLarge']);
  jail.dispose();
  large.dispose();
}
