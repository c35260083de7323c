// What the screen costs: start-up, key to paint, CPU per frame at 10 and at 10,000 messages, and idle. Run: npm run build && npx node bench/screen.ts
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

async function typeKeys(app: Pty): Promise<number[]> {
  const times: number[] = [];
  let typed = '';
  for (let index = 0; index < KEYS; index += 1) {
    typed += String.fromCodePoint(97 + (index % 26));
    const began = performance.now();
    app.write(typed.at(-1) ?? '');
    await app.waitFor(typed.slice(-20));
    times.push(performance.now() - began);
    await sleep(15);
  }
  return times;
}

async function measure(messages: number) {
  const began = performance.now();
  const app = startMewcode({ cwd: projectWith(messages), args: ['--continue'] });
  await app.waitFor(/ctx /);
  const startMs = performance.now() - began;
  await app.settled(500);
  const before = usage(app.pid);
  const bytesBefore = app.bytes();
  const times = await typeKeys(app);
  const after = usage(app.pid);
  const bytes = app.bytes() - bytesBefore;
  await app.settled(500);
  const idleBytes = app.bytes();
  const idleCpu = usage(app.pid);
  await sleep(IDLE_MS);
  const idle = { bytes: app.bytes() - idleBytes, cpuMs: usage(app.pid).cpuMs - idleCpu.cpuMs, rssMiB: round(usage(app.pid).rssMiB) };
  app.kill();
  return { messages, startMs: round(startMs), keyP50: round(quantile(times, 0.5)), keyP95: round(quantile(times, 0.95)), cpuPerKey: round((after.cpuMs - before.cpuMs) / KEYS), bytesPerKey: Math.round(bytes / KEYS), idle };
}

const small = await measure(10);
const large = await measure(10_000);
console.table([small, large].map(({ idle, ...rest }) => ({ ...rest, idleBytes: idle.bytes, idleCpuMs: idle.cpuMs, rssMiB: idle.rssMiB })));
console.log(`10,000 messages against 10: key to paint p50 x${round(large.keyP50 / small.keyP50)}, CPU a key x${round(large.cpuPerKey / small.cpuPerKey)}; idle over ${IDLE_MS / 1_000} s: ${small.idle.bytes + large.idle.bytes} bytes`);
process.exit(0);
