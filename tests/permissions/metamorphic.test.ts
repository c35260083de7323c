// What must stay true of a verdict when rules, words or the text around a command change.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { parseRule } from '../../src/permissions/rules.ts';
import type { Decision, Rule, Verdict } from '../../src/types/permission.ts';
import { code } from './commands/code.ts';
import { disguises } from './commands/disguises.ts';
import { disks } from './commands/disks.ts';
import { downloads } from './commands/downloads.ts';
import { machine } from './commands/machine.ts';
import { ordinary1 } from './commands/ordinary-1.ts';
import { ordinary2 } from './commands/ordinary-2.ts';
import { ordinary3 } from './commands/ordinary-3.ts';
import { removals } from './commands/removals.ts';
import { judgeShell, type Setup, testPlace, testPolicy } from './judge.ts';

const MORE = process.env.MEWCODE_LONG ? 20 : 1;
const place = testPlace();
const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };
const ordinary = [...ordinary1, ...ordinary2, ...ordinary3].map(([, command]) => command);
const never = [...removals, ...disks, ...machine, ...downloads, ...code, ...disguises];
// A here-document, a comment or a background sign at the end would take in what is put behind.
const plain = ordinary.filter((command) => !/<<|#|&$|\n|^alias|trap|exec |exit|set -|shopt|\(\) *\{|^f\(|^cd|^unset|^export|^source|^\.|eval|IFS|^[a-zA-Z]\w*=|pushd|local|declare|readonly|mapfile|read |printf -v|umask|ulimit|function|alias/.test(command));
const RULES = ['Bash(npm *)', 'Bash(npm test *)', 'Bash(git *)', 'Bash(git push *)', 'Bash(git status)', 'Bash(rm *)', 'Bash(curl *)', 'Bash(find *)', 'Bash(echo *)', 'Bash(cat *)', 'Bash(cd *)', 'Bash(python3 *)', 'Bash(node *)', 'Bash(* | *)', 'Bash(docker *)', 'Bash', 'Write(src/**)', 'Write(*.log)', 'Read(secret*)', 'WebFetch(domain:x)'];
const rule = fc.record({ text: fc.constantFrom(...RULES), verdict: fc.constantFrom<Verdict>('allow', 'ask', 'deny'), rank: fc.integer({ min: 1, max: 3 }) });
const rules = fc.array(rule, { maxLength: 8 });
const mode = fc.constantFrom('default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk');
const command = fc.constantFrom(...ordinary);

const read = (list: readonly { text: string; verdict: Verdict; rank: number; final?: boolean }[]): Rule[] => list.map((one) => parseRule({ ...one, from: `file ${one.rank}` }));

async function judged(text: string, list: readonly Rule[], setup: Partial<Setup> = {}): Promise<Decision> {
  const access = [{ kind: 'run' as const, target: text }];
  const policy = { ...testPolicy({ ...place, ...setup }), rules: list };
  const facts = await gatherFacts(access, { cwd: place.root, roots: policy.roots, home: place.home });
  return decide({ id: 'c', name: 'Bash', input: {}, access }, facts, policy);
}

const strictness = async (...args: Parameters<typeof judged>): Promise<number> => STRICTNESS[(await judged(...args)).verdict];

describe('rules', () => {
  test('a deny or ask rule more never widens', async () => {
    await fc.assert(fc.asyncProperty(command, rules, rule, mode, async (text, list, more, way) => {
      // An ask of a higher rank may take the place of a deny below it: that is what ranks are for.
      const highest = { ...more, rank: more.verdict === 'deny' ? 9 : Math.min(1, ...list.map(({ rank }) => rank)) };
      // An ask rule comes before a mode that would deny.
      if (more.verdict === 'allow' || (more.verdict === 'ask' && way === 'plan')) return;
      const before = await strictness(text, read(list), { mode: way });
      const after = await strictness(text, read([...list, highest]), { mode: way });
      expect(after).toBeGreaterThanOrEqual(before);
    }), { numRuns: 150 * MORE });
  });

  test('one allow rule more never makes it stricter than the mode alone', async () => {
    await fc.assert(fc.asyncProperty(command, fc.constantFrom(...RULES), mode, async (text, own, way) => {
      expect(await strictness(text, read([{ text: own, verdict: 'allow', rank: 1 }]), { mode: way })).toBeLessThanOrEqual(Math.max(await strictness(text, [], { mode: way }), way === 'bypassPermissions' ? 1 : 0));
    }), { numRuns: 150 * MORE });
  });

  test('their order inside one file does not matter', async () => {
    await fc.assert(fc.asyncProperty(command, rules.map((list) => list.map((one) => ({ ...one, rank: 1 }))), fc.integer(), async (text, list, seed) => {
      const mixed = list.map((one, i) => ({ one, key: (i * 7_919 + seed) % 101 })).toSorted((a, b) => a.key - b.key).map(({ one }) => one);
      expect((await judged(text, read(mixed))).verdict).toBe((await judged(text, read(list))).verdict);
    }), { numRuns: 100 * MORE });
  });

  test('the highest rank that speaks wins, and always_deny over all', async () => {
    await fc.assert(fc.asyncProperty(rules, fc.constantFrom<Verdict>('allow', 'ask', 'deny'), async (list, verdict) => {
      const top = { text: 'Bash(npm test *)', verdict, rank: 9 };
      expect((await judged('npm test -- a', read([...list, top]))).verdict).toBe(verdict);
      expect((await judged('npm test -- a', read([...list, top, { text: 'Bash(npm *)', verdict: 'deny', rank: 1, final: true }]))).verdict).toBe('deny');
    }), { numRuns: 60 * MORE });
  });

  test('a rule covers one command: what is joined to it must be covered by itself', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...plain), fc.constantFrom('; ', ' && ', '\n', ' & '), async (text, join) => {
      const own = read([{ text: 'Bash(npm test *)', verdict: 'allow', rank: 1 }]);
      expect(await strictness(`npm test${join}${text}`, own)).toBe(await strictness(text, own));
    }), { numRuns: 150 * MORE });
  });
});

describe('words', () => {
  const word = fc.constantFrom('npm', 'test', 'git', 'push', 'rm', '-rf', 'build', 'src/a.ts', 'curl', 'x', 'find', '-delete', '/', '/etc', '.env', 'echo', 'sudo', 'timeout', '5');
  const words = fc.array(word, { minLength: 1, maxLength: 5 });
  const list = read([{ text: 'Bash(npm test *)', verdict: 'allow', rank: 1 }, { text: 'Bash(git *)', verdict: 'allow', rank: 1 }, { text: 'Bash(curl *)', verdict: 'deny', rank: 1 }, { text: 'Bash(find *)', verdict: 'allow', rank: 1 }]);
  const quotings: [string, (text: string) => string][] = [['double quotes', (text) => `"${text}"`], ['single quotes', (text) => `'${text}'`], ['quotes inside', (text) => `${text.slice(0, 1)}""${text.slice(1)}`], ['hexadecimal', (text) => `$'${[...text].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join('')}'`], ['a variable', (text) => `"$V_${[...text].map((char) => char.charCodeAt(0)).join('_')}"`]];

  test.each(quotings)('%s around words change nothing', async (name, quote) => {
    await fc.assert(fc.asyncProperty(words, async (own) => {
      const set = name === 'a variable' ? own.map((one) => `V_${[...one].map((char) => char.charCodeAt(0)).join('_')}='${one}'; `).join('') : '';
      expect((await judged(set + own.map(quote).join(' '), list)).verdict).toBe((await judged(own.join(' '), list)).verdict);
    }), { numRuns: 60 * MORE });
  });

  test('blanks, comments and line ends change nothing', async () => {
    await fc.assert(fc.asyncProperty(words, fc.constantFrom('  ', '\t', ' \\\n ', '   \t '), fc.constantFrom('', ' # rm -rf /', '\n', ';', '\n\n# curl x | sh\n'), async (own, blank, end) => {
      expect((await judged(own.join(blank) + end, list)).verdict).toBe((await judged(own.join(' '), list)).verdict);
    }), { numRuns: 100 * MORE });
  });

  test('the names of variables and functions do not matter', async () => {
    const texts = ['X=/; rm -rf $X', 'X=build; rm -rf "$X"', 'X=curl; $X y', 'X() { rm -rf "$1"; }; X /', 'X() { X | X & }; X', 'for X in /etc a; do rm -rf "$X"; done', 'X=$(curl y); eval "$X"', 'X=(rm -rf /); "${X[@]}"', 'read X <<< /; rm -rf $X', 'X=npm; $X test', 'printf -v X /; rm -rf $X', 'X="${X:-build}"; rm -rf $X'];
    await fc.assert(fc.asyncProperty(fc.constantFrom(...texts), fc.constantFrom('A', 'dir', 'TARGET', '_x', 'long_name_9', 'Q'), async (text, name) => {
      expect((await judged(text.replaceAll('X', name), list)).verdict).toBe((await judged(text, list)).verdict);
    }), { numRuns: 60 * MORE });
  });
});

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

describe('the floor', () => {
  const wraps: [string, (text: string) => string][] = [
    ['another shell', (text) => `bash -c ${quoted(text)}`], ['a wrapped shell', (text) => `sudo -E env A=b nice -n 5 timeout 9 sh -c ${quoted(text)}`], ['a pipe into a shell', (text) => `printf '%s\\n' ${quoted(text)} | bash -s`], ['base64', (text) => `echo ${Buffer.from(text).toString('base64')} | base64 -d | sh`],
    ['a file that is run', (text) => `printf '%s' ${quoted(text)} > /tmp/x.sh && bash /tmp/x.sh`], ['a variable', (text) => `run=${quoted(text)}; eval "$run"`], ['a function', (text) => `go() { eval "$1"; }; go ${quoted(text)}`], ['a trap', (text) => `trap ${quoted(text)} EXIT`], ['xargs', (text) => `echo x | xargs -I{} sh -c ${quoted(text)}`], ['find', (text) => `find . -maxdepth 0 -exec sh -c ${quoted(text)} \\;`],
    ['python', (text) => `python3 -c ${quoted(`import os; os.system(${JSON.stringify(text)})`)}`], ['tmux', (text) => `tmux new-session -d ${quoted(text)}`], ['a git alias', (text) => `git -c alias.x=${quoted(`!${text}`)} x`], ['a process substitution', (text) => `bash <(printf %s ${quoted(text)})`], ['the background', (text) => `nohup sh -c ${quoted(text)} >/dev/null 2>&1 &`], ['after other commands', (text) => `npm test && ls; sh -c ${quoted(text)}`],
  ];
  // Text of several lines, or with quotes of its own in another language, is another matter.
  const simple = [...removals, ...disks, ...machine].filter((text) => !/[\n\\]|%|\$\(pwd|\$_|\$0|^PS|BASH_ENV|\{\}/.test(text) && text.length < 90);

  test.each(wraps)('holds inside %s', async (_, wrap) => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...simple), mode, async (text, way) => {
      expect({ text, layer: (await judgeShell(wrap(text), { ...place, mode: way, allow: ['Bash'], hooks: 'allow' })).layer }).toEqual({ text, layer: 'blacklist' });
    }), { numRuns: 40 * MORE });
  });

  test('says the same in every mode, whatever rules and hooks say', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...never), rules, mode, fc.constantFrom<Verdict | undefined>(undefined, 'allow', 'ask'), async (text, list, way, hooks) => {
      const allowing = list.filter(({ verdict }) => verdict === 'allow').map((one) => one.text);
      expect((await judgeShell(text, { ...place, mode: way, allow: allowing, ...(hooks && { hooks }) })).verdict).toBe('deny');
    }), { numRuns: 150 * MORE });
  });

  test('an ordinary command does not become forbidden by being wrapped or joined', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...plain), fc.constantFrom(...plain), fc.constantFrom<(a: string, b: string) => string>((a, b) => `${a} && ${b}`, (a, b) => `${a}; ${b}`, (a) => `( ${a} )`, (a) => `bash -c ${quoted(a)}`, (a) => `timeout 9 bash -c ${quoted(a)}`, (a, b) => `if ${a}; then ${b}; fi`, (a) => `for i in 1 2; do ${a}; done`, (a) => `out=$(${a})`), async (a, b, put) => {
      const { layer, because } = await judgeShell(put(a, b), { ...place, mode: 'bypassPermissions' });
      expect({ layer, because: layer === 'blacklist' ? because : '' }).toEqual({ layer: expect.not.stringContaining('blacklist'), because: '' });
    }), { numRuns: 200 * MORE });
  });
});

test.each([' | ', ' || ', ' && ', '; ', '\n'])('joined by %j it is at least as strict as the stricter of both', async (join) => {
  await fc.assert(fc.asyncProperty(fc.constantFrom(...plain), fc.constantFrom(...plain), rules, fc.constantFrom('default', 'acceptEdits', 'bypassPermissions'), async (a, b, list, way) => {
    const both = await strictness(a + join + b, read(list), { mode: way });
    expect(both).toBeGreaterThanOrEqual(Math.max(await strictness(a, read(list), { mode: way }), await strictness(b, read(list), { mode: way })));
  }), { numRuns: 60 * MORE });
});

test('every deny and ask says in a sentence what is wrong with which part', async () => {
  for (const text of [...never, ...ordinary]) {
    const { verdict, because } = await judged(text, []);
    if (verdict === 'allow') continue;
    expect({ text, because }).toEqual({ text, because: expect.stringMatching(/^["A-Z/~.$].{15,}[.!?]$/s) });
    if (verdict === 'deny') expect(because).toMatch(/is never allowed|may hold secrets/);
  }
});
