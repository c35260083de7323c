// Whatever is asked, typed and however small the screen: a dialog fits, hides no control character, and its cursor stands inside.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, unpainted } from '../../src/lib/width.ts';
import type { Question } from '../../src/types/question.ts';
import { layersOf } from '../../src/ui/layers.ts';
import { createRig, permission } from '../components/fixtures.ts';

const piece = fc.constantFrom('a', 'word ', '你好', '👍🏽', '\n', '\t', '     ', '\u202e', '\u200b', '\x1b[31m', '\r', '\x07', 'é', 'x'.repeat(200), '\n\n\n\n\n\n\n\n', '\ud800');
const words = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

const asked: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ command: words, several: fc.boolean(), bare: fc.boolean() }).map(({ command, several, bare }) => {
    const { session: _session, always: _always, ...less } = permission({ title: command, call: { id: 'c', name: 'Run', input: { command } }, editable: 'command', view: { type: 'terminal', command, output: '' } });
    return { ...(bare ? less : permission(less)), ...(several && { commands: [{ source: command, asks: true }, { source: 'b', asks: false }] }) };
  }),
  words.map((text) => permission({ title: text, view: { type: 'diff', path: 'a', patch: `@@ -1,2 +1,2 @@\n a\n-${text.replaceAll('\n', '')}\n+b\n` } })),
  words.map((text) => permission({ title: text, call: { id: 'c', name: text, input: { [text]: text, n: [1] } } })),
  fc.record({ text: words, options: fc.array(fc.record({ label: words, detail: words }), { maxLength: 14 }), many: fc.boolean(), free: fc.boolean() }).map(({ text, options, many, free }): Question => ({
    kind: 'choose', title: text, text, options: options.map((option, at) => ({ ...option, id: String(at) })), many, free,
  })),
  words.map((text): Question => ({
    kind: 'form', title: text, from: text, schema: {
      type: 'object', required: ['b'], properties: {
        a: { type: 'string', title: text, description: text, default: text }, b: { type: 'integer', description: text }, c: { type: 'boolean' }, password: { enum: [text, 'x'] },
        e: { type: 'array', items: { enum: [text, 'y'] } },
      },
    },
  })),
);
const keys = fc.array(fc.constantFrom('<up>', '<down>', '<left>', '<right>', '<tab>', '<enter>', '<esc>', '<pagedown>', '<pageup>', '<backspace>', '<ctrl+j>', '<ctrl+a>', ' ', 'e', '?', 'A', 'x', '你', '7'), { maxLength: 12 });

test('it fits', () => {
  fc.assert(fc.property(asked, keys, fc.integer({ min: 24, max: 130 }), fc.integer({ min: 8, max: 40 }), (question, pressed, columns, rows) => {
    const rig = createRig({ columns, rows });
    rig.emit({ type: 'asked', id: 'q1', question });
    for (const key of pressed) rig.type(key);
    const screen = rig.driver.screen.get();
    const session = rig.session.get();
    const layer = layersOf(screen, { session, modes: [], commands: [] }, rig.driver.frame(screen, session), rig.driver.scene.theme).layers.at(-1);
    if (!layer || screen.dialog?.answered) return;
    const shown = layer.rows.map(unpainted);
    expect(shown.filter((row) => columnsOf(row) !== layer.width)).toEqual([]);
    expect(layer.x + layer.width).toBeLessThanOrEqual(columns);
    expect(layer.y + shown.length).toBeLessThanOrEqual(rows);
    expect(shown.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u200b]/);
    for (const place of [layer.caret, layer.field]) {
      if (!place) continue;
      expect([place.x >= 1 && place.x < layer.width, place.y >= 1 && place.y < shown.length - 1]).toEqual([true, true]);
    }
  }), { numRuns: process.env['MEWCODE_LONG'] ? 5_000 : 400 });
});
