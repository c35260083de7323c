// What is typed while the program starts: shown early, kept whole, in order, once.
import { expect, test } from 'vitest';
import { makeProject, startMewcode } from '../helpers/mewcode.ts';

const sleep = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });

test.each([0, 20, 40, 60])('keys at every millisecond from %d ms after the start on', async (wait) => {
  const app = startMewcode({ cwd: makeProject() });
  await sleep(wait);
  let typed = '';
  for (let index = 0; index < 90; index += 1) {
    const key = String.fromCodePoint(97 + (index % 26));
    typed += key;
    app.write(key);
    await sleep(1);
  }
  await app.waitFor(`> ${typed}`);
  app.write('!');
  await app.waitFor(`> ${typed}!`);
  await app.settled(150);
  expect(app.row(app.cursor().y).replace(/^│ > |\s*│$/g, '')).toBe(`${typed}!`);
});

test('letters, an Enter among them, and a paste stay in order', async () => {
  const app = startMewcode({ cwd: makeProject() });
  await app.waitFor('ask for something');
  app.write('/mode plan\rsecond\x1b[200~ pasted\x1b[201~ third');
  await app.waitFor('second pasted third');
  await app.waitFor(/plan ⏵/);
  expect(app.row(app.cursor().y)).toContain('> second pasted third');
});
