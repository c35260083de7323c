// What Bash costs beside a bare spawn, and what 100 MB of output cost in time and memory. Run: npx node bench/bash.ts
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv } from '../src/lib/spawn.ts';
import { createTasks } from '../src/tools/bash/background.ts';
import { bash } from '../src/tools/bash.ts';
import { toolContext } from '../tests/helpers/tool-context.ts';

const RUNS = 100;
const ctx = toolContext();
const env = childEnv(process.env);
const tool = bash(createTasks());

const bare = (command: string): Promise<number> => new Promise((resolve) => {
  let size = 0;
  const child = spawn('bash', ['-c', command], { cwd: ctx.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => { size += chunk.length; });
  child.on('close', () => resolve(size));
});
const ours = (command: string, spillFile: string | null = null) => tool.run({ command, timeout_s: 60 }, { ...ctx, spillFile });

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const [plain, tools]: [number[], number[]] = [[], []];
// In turns, so that what else the machine does meets both.
for (let run = 0; run < RUNS; run += 1) {
  plain.push(await time(() => bare('echo hello')));
  tools.push(await time(() => ours('echo hello')));
}
console.log(`round trip   ${median(tools).toFixed(1)} ms, a bare spawn ${median(plain).toFixed(1)} ms: ${(median(tools) / median(plain)).toFixed(2)} ×`);

const folder = mkdtempSync(join(tmpdir(), 'mewcode-bench-'));
const flood = 'seq 1 12000000 | head -c 104857600';
const before = process.memoryUsage().rss;
let peak = before;
const watch = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 10);
const kept = await time(() => ours(flood, join(folder, 'flood.txt')));
clearInterval(watch);
const read = await time(() => bare(flood));
console.log(`100 MB       ${(100_000 / kept).toFixed(0)} MB/s, a bare spawn ${(100_000 / read).toFixed(0)} MB/s: ${(kept / read).toFixed(2)} ×; memory grew by ${((peak - before) / 1024 / 1024).toFixed(0)} MB`);

rmSync(folder, { recursive: true });
ctx.dispose();
process.exit();
