// Servers for tests: the hand-written one that misbehaves, real ones from npm, and a manager over them.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { childEnv } from '../../src/lib/spawn.ts';
import { startServers, type KnownTools, type Manager, type McpWorld } from '../../src/mcp/manager.ts';
import type { McpServerState } from '../../src/types/event.ts';
import type { JsonObject } from '../../src/types/json.ts';
import type { McpServerSettings } from '../../src/types/settings.ts';
import type { ToolContext, ToolResult } from '../../src/types/tool.ts';

const ROOT = join(import.meta.dirname, '../..');
export const HOSTILE = join(ROOT, 'tests/fixtures/mcp/server.mjs');
/** The program of a server from npm. */
export const fromNpm = (name: string): string => join(ROOT, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');

export function settings(name: string, more: Partial<McpServerSettings> = {}): McpServerSettings {
  return { name, from: 'test', scope: 'user', enabled: true, via: { kind: 'stdio', command: process.execPath, args: [], env: {}, cwd: tmpdir() }, timeoutMs: 5_000, trustReadOnly: false, defer: true, ...more };
}

/** The hand-written server; `how` as its file says. */
export function hostile(name: string, how: object = {}, more: Partial<McpServerSettings> = {}): McpServerSettings {
  return settings(name, { via: { kind: 'stdio', command: process.execPath, args: [HOSTILE, JSON.stringify(how)], env: {}, cwd: tmpdir() }, ...more });
}

export function remote(name: string, url: string, more: Partial<McpServerSettings> = {}, headers: Record<string, string> = {}): McpServerSettings {
  return settings(name, { via: { kind: 'http', url, headers, sse: false }, ...more });
}

export type Running = {
  manager: Manager;
  /** What was told, in order: `info: …` and `warn: …`. */
  said: string[];
  /** Every state that was told. */
  states: (readonly McpServerState[])[];
  /** Runs a tool by its registered name; a failure to reach it is a text that begins with `!`. */
  run(name: string, input?: JsonObject, ctx?: Partial<Pick<ToolContext, 'signal' | 'progress'>>): Promise<ToolResult>;
};

/** Starts them; they are closed when the test ends. */
export function manage(servers: readonly McpServerSettings[], { known = remember(), ...world }: Partial<McpWorld> & { known?: KnownTools } = {}): Running {
  const said: string[] = [];
  const states: (readonly McpServerState[])[] = [];
  const full: McpWorld = { version: '1.2.3', roots: [tmpdir()], env: childEnv(process.env), fetch, log: () => {}, backoffMs: [10, 20, 40], ...world };
  const manager = startServers(servers, full, known, { changed: (state) => states.push(state), info: (text) => said.push(`info: ${text}`), warn: (text) => said.push(`warn: ${text}`) });
  onTestFinished(() => manager.close());
  return {
    manager, said, states,
    async run(name, input = {}, { signal = new AbortController().signal, progress = () => {} } = {}) {
      const tool = manager.tools().find((one) => one.name === name);
      if (!tool) throw new Error(`no ${name} among ${manager.tools().map((one) => one.name).join(', ')}`);
      return tool.run(input, { signal, progress } as ToolContext).catch((error: Error) => ({ ok: false, text: `!${error.message}` }));
    },
  };
}

/** Tools that are known, in memory. */
export function remember(): KnownTools {
  const all = new Map<string, Readonly<Record<string, string>>>();
  return { get: ({ name }) => all.get(name), set: ({ name }, prints) => { all.set(name, prints); } };
}

/** Waits for what must come; the test's own limit ends it. */
export async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => { setTimeout(resolve, 10); });
}
