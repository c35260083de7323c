// What is remembered of MCP servers' tools, over sessions, projects and damaged files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKnownTools } from '../../src/config/mcp-known.ts';
import type { McpServerSettings } from '../../src/types/settings.ts';
import { makeFolder } from './helpers.ts';

const server = (more: Partial<McpServerSettings> = {}): McpServerSettings => ({ name: 's', from: 'x', scope: 'user', enabled: true, via: { kind: 'http', url: 'https://a.example', headers: {}, sse: false }, timeoutMs: 1, trustReadOnly: false, defer: true, ...more });

/** Waits until the file says so. */
async function written(file: string, text: string): Promise<void> {
  for (;;) {
    try {
      if (readFileSync(file, 'utf8').includes(text)) return;
    } catch { /* not there yet */ }
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}

test('is there in the next session, for the same server in the same place', async () => {
  const userDir = makeFolder();
  const file = join(userDir, 'mcp-tools.json');
  const known = openKnownTools({ userDir, root: '/one' });
  expect(known.get(server())).toBeUndefined();
  known.set(server(), { a: '1' });
  known.set(server({ scope: 'project' }), { a: '2' });
  known.set(server(), { a: '3' });
  expect(known.get(server())).toEqual({ a: '3' });
  await written(file, '"3"');

  const elsewhere = openKnownTools({ userDir, root: '/two' });
  expect(elsewhere.get(server())).toEqual({ a: '3' });
  expect(elsewhere.get(server({ scope: 'project' }))).toBeUndefined();
  expect(elsewhere.get(server({ via: { kind: 'http', url: 'https://b.example', headers: {}, sse: false } }))).toBeUndefined();
  // Two sessions at a time do not forget for each other.
  elsewhere.set(server({ name: 'other' }), { b: '4' });
  await written(file, '"4"');
  known.set(server({ name: 'third' }), { c: '5' });
  await written(file, '"5"');
  expect(openKnownTools({ userDir, root: '/one' }).get(server({ name: 'other' }))).toEqual({ b: '4' });
});

test('a damaged file or one that can not be written is as if nothing had been seen', () => {
  const userDir = makeFolder();
  writeFileSync(join(userDir, 'mcp-tools.json'), '{"s 00": 7, broken');
  const known = openKnownTools({ userDir, root: '/one' });
  expect(known.get(server())).toBeUndefined();
  mkdirSync(join(userDir, 'no'));
  const nowhere = openKnownTools({ userDir: join(userDir, 'no', 'such'), root: '/one' });
  nowhere.set(server(), { a: '1' });
  expect(nowhere.get(server())).toEqual({ a: '1' });
});
