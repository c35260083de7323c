// What the screen costs with 10 and with 10,000 messages: start-up, key to paint at rest and while an answer streams in, CPU, bytes, idle. Run: npm run build && npx node bench/screen.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRecord } from '../src/session/record.ts';
import type { AgentEvent } from '../src/types/event.ts';
import { makeProject, startMewcode } from '../tests/helpers/mewcode.ts';
import type { Pty } from '../tests/helpers/pty.ts';

const KEYS = 60;
const IDLE_MS = 3_000;
const TICK_MS = 10;

const sleep = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });
const quantile = (values: readonly number[], q: number) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;
const round = (value: number) => Math.round(value * 10) / 10;

/** A project with a stored session of so many messages. */
function projectWith(messages: number): string {
  const project = makeProject();
  const folder = join(project, '.mewcode/session/20260101-000000-abcdef');
  mkdirSync(folder, { recursive: true });
  let before = '';
  const lines: string[] = [];
  const add = (event: AgentEvent) => {
    const record = makeRecord(event, lines.length + 1, before);
    before = record.h;
    lines.push(JSON.stringify(record));
  };
  add({ agent: 'main', at: 0, type: 'session_started', id: '20260101-000000-abcdef', cwd: project, provider: 'demo', model: 'demo', mode: 'default', window: 200_000 });
  for (let index = 0; index < messages; index += 1) {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const text = role === 'user' ? `Question ${index}` : `Answer **${index}** with \`code\` and a list:\n\n- first thing of ${index}\n- second thing, somewhat longer than the first\n\n\`\`\`ts\nconst x${index} = ${index};\n\`\`\`\n`;
    add({ agent: 'main', at: index, type: 'message', message: { id: `m${index}`, role, at: index, parts: [{ type: 'text', text }] } });
  }
  writeFileSync(join(folder, 'events.jsonl'), `${lines.join('\n')}\n`);
  return project;
}

/** CPU milliseconds of a process so far, and its resident memory in MiB. */
function usage(pid: number): { cpuMs: number; rssMiB: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rssMiB: Number(rss) / 1024 };
}

/** Types one key at a time, each waited for on the screen; milliseconds of each. */
async function typeKeys(app: Pty, gapMs = 15): Promise<number[]> {
  const times: number[] = [];
  let typed = '';
  for (let index = 0; index < KEYS; index += 1) {
    typed += String.fromCodePoint(97 + (index % 26));
    const began = performance.now();
    app.write(typed.at(-1) ?? '');
    await app.waitFor(typed.slice(-20));
    times.push(performance.now() - began);
    await sleep(gapMs + ((index * 37) % 60));
  }
  return times;
}

/** A session of so many messages that has been opened and has come to rest. */
async function open(messages: number, env: Record<string, string> = {}) {
  const began = performance.now();
  const app = startMewcode({ cwd: projectWith(messages), args: ['--continue'], env });
  await app.waitFor(/ctx /);
  const startMs = performance.now() - began;
  await app.settled(500);
  return { app, startMs };
}

async function measureRest(messages: number) {
  const { app, startMs } = await open(messages);
  const before = usage(app.pid);
  const bytesBefore = app.bytes();
  const times = await typeKeys(app);
  const after = usage(app.pid);
  const bytes = app.bytes() - bytesBefore;
  await app.settled(500);
  const idleBytes = app.bytes();
  const idleCpu = usage(app.pid);
  await sleep(IDLE_MS);
  const idle = usage(app.pid);
  const row = {
    messages, startMs: round(startMs), keyP50: round(quantile(times, 0.5)), keyP95: round(quantile(times, 0.95)),
    cpuPerKey: round((after.cpuMs - before.cpuMs) / KEYS), bytesPerKey: Math.round(bytes / KEYS),
    idleBytes: app.bytes() - idleBytes, idleCpuMs: idle.cpuMs - idleCpu.cpuMs, rssMiB: round(idle.rssMiB),
  };
  app.kill();
  return row;
}

/** An answer of many words as models write them: prose, lists, code. */
function longAnswer(): string {
  const prose = 'The request handler keeps a bounded queue of pending frames and **drops** stale ones when the terminal cannot keep up, which means that back pressure reaches the `reader` before memory grows.';
  const list = Array.from({ length: 4 }, (_, index) => `- point ${index} says that each worker owns its buffer, so no lock is needed on the hot path`).join('\n');
  const code = '```ts\nexport async function fold(rows: string[], limit = 9): Promise<number> {\n  let total = 0;\n  for (const row of rows) total += row.trim().length * limit;\n  return total;\n}\n```';
  return Array.from({ length: 400 }, (_, index) => [`## Part ${index}`, prose, list, code, prose].join('\n\n')).join('\n\n');
}

async function measureStream(messages: number, rate: number) {
  const script = join(makeProject({ 'script.yaml': JSON.stringify([{ text: longAnswer() }]) }), 'script.yaml');
  const { app } = await open(messages, { MEWCODE_DEMO_SCRIPT: script, MEWCODE_DEMO_RATE: String(rate) });
  app.write('go\r');
  await app.waitFor('answering');
  await sleep(1_500);
  const [began, before, bytesBefore] = [performance.now(), usage(app.pid), app.bytes()];
  const times = await typeKeys(app, 100);
  const words = ((performance.now() - began) / 1_000) * rate;
  const row = {
    messages, wordsPerSecond: rate, keyP50: round(quantile(times, 0.5)), keyP95: round(quantile(times, 0.95)), keyMax: round(Math.max(...times)),
    cpuMsPer1000: Math.round(((usage(app.pid).cpuMs - before.cpuMs) / words) * 1_000), kibPer1000: round((app.bytes() - bytesBefore) / 1024 / words * 1_000),
  };
  app.kill();
  return row;
}

const ratio = (large: number, small: number) => `x${round(large / small)}`;

const rest = [await measureRest(10), await measureRest(10_000)] as const;
console.table(rest);
const streams = [await measureStream(10, 100), await measureStream(10, 1_000), await measureStream(10_000, 100), await measureStream(10_000, 1_000)] as const;
console.table(streams);
const [small, large] = rest;
console.log(`10,000 messages against 10, at rest: key to paint p50 ${ratio(large.keyP50, small.keyP50)}, CPU a key ${ratio(large.cpuPerKey, small.cpuPerKey)}; idle over ${IDLE_MS / 1_000} s: ${small.idleBytes + large.idleBytes} bytes`);
console.log(`10,000 messages against 10, streaming: ${[0, 1].map((at) => `${streams[at]?.wordsPerSecond} words/s: key p95 ${ratio(streams[at + 2]?.keyP95 ?? NaN, streams[at]?.keyP95 ?? NaN)}, CPU ${ratio(streams[at + 2]?.cpuMsPer1000 ?? NaN, streams[at]?.cpuMsPer1000 ?? NaN)}`).join('; ')}`);
process.exit(0);
