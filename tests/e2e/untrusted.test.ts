// Escape sequences in everything that is not ours: none of them reaches the terminal, whatever shows it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN } from '../helpers/mewcode.ts';
import { startPty } from '../helpers/pty.ts';
import type { Piece } from '../helpers/sse-bytes.ts';
import { startSseServer } from '../helpers/sse-server.ts';

// Dialogs ignore keys until the user has paused.
const pause = () => new Promise((resolve) => { setTimeout(resolve, 1_000); });

let count = 0;
/* Numbers that no terminal knows, so that whatever carries one is not ours. */
const evil = (name: string): string => {
  count += 1;
  return `${name}\x1b]4242;${count};x\x07\x1b[?4242h\x9b?4242h\x1b[4242;1H\x1bP4242q\x1b\\\x9d4242;y\x9c\x1b_4242\x1b\\\u202e\u2066\x08\x7f\x1b`;
};
/* In names of files no NUL or slash; in YAML as JSON. */
const quoted = (text: string) => JSON.stringify(text).replaceAll(/[\u0080-\uffff\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const call = (name: string, input: object): Piece => ({ call: name, input });

test('names of folders, branches, models, tools, paths, titles, errors, questions, files and answers', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-evil-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, project] = [join(base, 'home'), join(base, evil('project'))];
  mkdirSync(join(home, '.mewcode/memory'), { recursive: true });
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, '.mewcode'));
  writeFileSync(join(project, '.git/HEAD'), `ref: refs/heads/${evil('branch')}\n`);
  writeFileSync(join(project, evil('file')), `${evil('line')}\n`);
  writeFileSync(join(project, 'a.txt'), `one\n${evil('content')}\n`);
  writeFileSync(join(project, '.mewcode/config.yaml'), `base_url: ${quoted(`http://${evil('host')}`)}\nhooks:\n  list:\n    - {event: before_tool, command: ${quoted(evil('hook'))}}\n`);
  writeFileSync(join(project, '.mewcode/permissions.yaml'), `allow:\n  - ${quoted(`Bash(${evil('rule')})`)}\n`);
  const server = await startSseServer({
    chunk: 11,
    replies: [
      {
        say: [
          { thinking: evil('thought') }, { text: `${evil('said')}\n\n\`\`\`${evil('language')}\n${evil('code')}\n\`\`\`\n| ${evil('head')} |\n|--|\n| ${evil('cell')} |\n[${evil('link')}](http://x/${evil('url')})` },
          call(evil('NoSuchTool'), { a: evil('argument') }), call('ReadFile', { path: evil('missing') }), call('ReadFile', { path: 'a.txt' }), call('LS', {}), call('Grep', { pattern: 'content' }), call('Glob', { pattern: evil('*') }),
          call('TodoWrite', { items: [{ content: evil('todo'), status: 'in_progress' }] }),
          call('Bash', { command: `printf '%b' ${JSON.stringify(evil('printed').replaceAll('\x1b', String.raw`\033`))}; echo ${evil('echoed')}`, description: evil('description') }),
          call('EditFile', { path: 'a.txt', old_string: 'one', new_string: evil('edit') }),
          { call: 'Bash', raw: `{"command": "${evil('broken')}` },
        ],
      },
      { say: [call('AskUserQuestion', { questions: [{ question: evil('question'), header: evil('h').slice(0, 11), options: [{ label: evil('label'), description: evil('detail') }, { label: 'plain', description: 'x' }] }] })] },
      { say: [{ text: 'all said' }] },
      { status: 400, body: { error: { message: evil('refusal'), type: evil('kind') } } },
    ],
  });
  onTestFinished(() => server.close());
  const entry = evil('entry');
  writeFileSync(join(home, '.mewcode/config.yaml'), `active: ${quoted(entry)}\nproviders:\n  ${quoted(entry)}: {protocol: deepseek, model: ${quoted(evil('model'))}, base_url: "${server.url}/v1", api_key: "test-key-0123456789"}\n`);

  const pty = startPty({ file: process.execPath, args: [MAIN], cwd: project, env: { HOME: home, MEWCODE_HOME: join(home, '.mewcode') }, columns: 140, rows: 50 });
  const answer = async (wanted: RegExp, key: string) => { await pty.waitFor(wanted); await pause(); pty.write(key); };
  await answer(/Trust the files/, '2');
  await pty.waitFor(/ctx /);
  pty.write('go\r');
  await answer(/Allow Bash/, '?');
  await answer(/Allow Bash/, 'y');
  await answer(/Allow EditFile/, 'y');
  await answer(/question/, '\r');
  await pty.waitFor('all said');
  pty.write(`typed ${'\x1b[200~'}${evil('pasted').replaceAll('\x1b', '')} end${'\x1b[201~'}`);
  await pause();
  pty.write('\r');
  await pty.waitFor(/refusal|400/);
  for (const command of ['/permissions', '/tools', '/model', '/provider', '/cost', '/status', '/doctor', '/files']) { pty.write(`${command}\r`); await pty.settled(150); }
  pty.write('\x1b');
  await pause();
  pty.write('/exit\r');
  await pty.exited;
  const raw = pty.raw();
  const around = [...raw.matchAll(/(?:\x1b\]|\x1b\[\??|\x1bP|\x1b_)4242|[\x80-\x9f\u202e\u2066\x08\x7f]/g)].map((match) => JSON.stringify(raw.slice(Math.max(0, match.index - 60), match.index + 20)));
  expect(around.slice(0, 5)).toEqual([]);
});
