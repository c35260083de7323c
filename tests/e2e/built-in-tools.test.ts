// Tools that load something only when it is needed, in the program as it is built: a worker, a library, the disk.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, startMewcode } from '../helpers/mewcode.ts';

/** The results in the log of the only session, by tool. */
function results(project: string): Record<string, string> {
  const sessions = join(project, '.mewcode/session');
  const log = readdirSync(sessions).flatMap((id) => readdirSync(join(sessions, id)).filter((name) => name.endsWith('.jsonl')).map((name) => readFileSync(join(sessions, id, name), 'utf8'))).join('');
  const parts = log.split('\n').filter(Boolean).map((line) => JSON.parse(line) as { type: string; part?: { type: string; name: string; text: string } });
  return Object.fromEntries(parts.flatMap(({ type, part }) => (type === 'part' && part?.type === 'tool_result' ? [[part.name, part.text]] : [])));
}

test('a page, a card, the todo list, and nobody to ask', async () => {
  const server = createServer((_request, response) => { response.writeHead(200, { 'content-type': 'text/html' }); response.end('<title>T</title><h1>Head</h1><p>See <a href="/x">that</a>.</p>'); });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  try {
    const project = makeProject({}, { git: true });
    const script = join(makeProject(), 'script.yaml');
    writeFileSync(script, `
- calls: [{name: WebFetch, input: {url: "http://127.0.0.1:${port}/"}}, {name: MemoryWrite, input: {title: A fact, text: it is so, tags: [needle]}}, {name: TodoWrite, input: {items: [{content: Look, status: pending}]}}]
- calls: [{name: SearchMemory, input: {query: needle}}, {name: TodoRead, input: {}}, {name: AskUserQuestion, input: {questions: [{question: Q?, header: H, options: [{label: a}, {label: b}]}]}}]
- text: Done.
`);
    const app = startMewcode({ cwd: project, args: ['-p', 'go', '--allow', 'WebFetch'], config: `web: {allowed_hosts: ["127.0.0.1:${port}"]}\n`, env: { MEWCODE_DEMO_SCRIPT: script } });
    expect((await app.exited).code).toBe(0);
    const said = results(project);
    expect(said['WebFetch']).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\nStatus 200 OK · text/html · \\d+ bytes\nTitle: T\n\n# Head\n\nSee \\[that\\]\\(http://127\\.0\\.0\\.1:${port}/x\\)\\.$`));
    expect(said['SearchMemory']).toMatch(/^## A fact\nproject, \d{4}-\d\d-\d\d · tags: needle\nit is so$/);
    expect(said['TodoRead']).toBe('1. [pending] Look');
    expect(said['AskUserQuestion']).toMatch(/^Nobody can be asked/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
