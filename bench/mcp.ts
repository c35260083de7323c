// What MCP servers cost: the first paint and the echo of keys with none and with ten slow ones. Run: npm run build && npx node bench/mcp.ts
import { join } from 'node:path';
import { makeProject, startMewcode } from '../tests/helpers/mewcode.ts';

const HOSTILE = join(import.meta.dirname, '../tests/fixtures/mcp/server.mjs');
const ROUNDS = 7;
const KEYS = 40;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const pause = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** One start: milliseconds to the first paint, and to the echo of each key of the first seconds. */
async function start(servers: number): Promise<{ paint: number; echoes: number[] }> {
  const all = Object.fromEntries(Array.from({ length: servers }, (_, n) => [`s${n}`, { command: process.execPath, args: [HOSTILE, JSON.stringify({ slowMs: 3_000, tools: 50 })] }]));
  const cwd = makeProject({ 'servers.json': JSON.stringify({ mcpServers: all }) });
  const began = performance.now();
  const app = startMewcode({ cwd, config: 'protocol: demo\n', args: ['--mcp-config', 'servers.json'] });
  await app.waitFor('MewCode');
  const paint = performance.now() - began;
  const echoes: number[] = [];
  for (let typed = 1; typed <= KEYS; typed += 1) {
    const at = performance.now();
    app.write('x');
    await app.waitFor('x'.repeat(typed));
    echoes.push(performance.now() - at);
    await pause(40);
  }
  process.kill(app.pid, 'SIGKILL');
  await app.exited;
  return { paint, echoes };
}

const runs = { none: [] as Awaited<ReturnType<typeof start>>[], ten: [] as Awaited<ReturnType<typeof start>>[] };
for (let round = 0; round < ROUNDS; round += 1) {
  runs.none.push(await start(0));
  runs.ten.push(await start(10));
}
for (const [name, all] of Object.entries(runs)) {
  console.log(`${name.padEnd(5)} first paint ${median(all.map(({ paint }) => paint)).toFixed(0)} ms, echo of a key ${median(all.flatMap(({ echoes }) => echoes)).toFixed(0)} ms, the slowest of a start ${median(all.map(({ echoes }) => Math.max(...echoes))).toFixed(0)} ms`);
}
console.log(`ratio of the first paints: ${(median(runs.ten.map(({ paint }) => paint)) / median(runs.none.map(({ paint }) => paint))).toFixed(2)}`);
process.exit();
