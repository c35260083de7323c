// The mode × category table as a whole, and what lies above it.
import { describe, expect, test } from 'vitest';
import { modes } from '../../src/permissions/modes.ts';
import type { Access, Verdict } from '../../src/types/permission.ts';
import { judge, testPlace } from './judge.ts';

const place = testPlace();
const ACCESSES: Record<string, Access> = {
  read: { kind: 'read', target: 'src/a.ts' }, write: { kind: 'write', target: 'src/a.ts' }, run: { kind: 'run', target: 'npm test' },
  net: { kind: 'net', target: 'https://example.com/' }, mcp: { kind: 'mcp', target: 'server tool' }, agent: { kind: 'agent', target: 'explore' }, none: { kind: 'none', target: '' },
};

async function row(mode: string, more: { custom?: Record<string, Verdict>; hooks?: Verdict; allow?: string[] } = {}): Promise<Record<string, string>> {
  const entries = await Promise.all(Object.entries(ACCESSES).map(async ([name, access]) => [name, (await judge('Tool', [access], { ...place, mode, ...more })).verdict]));
  return Object.fromEntries(entries);
}

test('every mode says what the table says', async () => {
  const free = { agent: 'allow', none: 'allow' };
  expect(Object.fromEntries(await Promise.all(modes.map(async ({ name }) => [name, await row(name)])))).toEqual({
    default: { read: 'allow', write: 'ask', run: 'ask', net: 'ask', mcp: 'ask', ...free },
    acceptEdits: { read: 'allow', write: 'allow', run: 'ask', net: 'ask', mcp: 'ask', ...free },
    plan: { read: 'allow', write: 'deny', run: 'deny', net: 'ask', mcp: 'ask', ...free },
    bypassPermissions: { read: 'allow', write: 'allow', run: 'allow', net: 'allow', mcp: 'allow', ...free },
    dontAsk: { read: 'allow', write: 'deny', run: 'deny', net: 'deny', mcp: 'deny', ...free },
    custom: { read: 'ask', write: 'ask', run: 'ask', net: 'ask', mcp: 'ask', ...free },
  });
});

test('custom says what the config says', async () => {
  expect(await row('custom', { custom: { read: 'deny', write: 'allow', run: 'allow' } })).toEqual({ read: 'deny', write: 'allow', run: 'allow', net: 'ask', mcp: 'ask', agent: 'allow', none: 'allow' });
});

test('a mode that nobody knows asks', async () => {
  expect(await row('constructor')).toEqual({ read: 'ask', write: 'ask', run: 'ask', net: 'ask', mcp: 'ask', agent: 'allow', none: 'allow' });
});

test('Shift+Tab goes default, acceptEdits, plan', () => {
  expect(modes.filter(({ cycle }) => cycle !== undefined).toSorted((a, b) => (a.cycle ?? 0) - (b.cycle ?? 0)).map(({ name }) => name)).toEqual(['default', 'acceptEdits', 'plan']);
});

describe('dontAsk', () => {
  test('rules still allow; an ask rule, a guarded write and unreadable text are denied', async () => {
    expect((await judge('Bash', [{ kind: 'run', target: 'npm test' }], { ...place, mode: 'dontAsk', allow: ['Bash(npm test)'] })).verdict).toBe('allow');
    expect((await judge('ReadFile', [{ kind: 'read', target: 'a' }], { ...place, mode: 'dontAsk', ask: ['Read(a)'] })).verdict).toBe('deny');
    expect((await judge('WriteFile', [{ kind: 'write', target: '.git/x' }], { ...place, mode: 'dontAsk', allow: ['Write'] })).verdict).toBe('deny');
    expect((await judge('Bash', [{ kind: 'run', target: 'echo "' }], { ...place, mode: 'dontAsk', allow: ['Bash'] })).verdict).toBe('deny');
  });
});

describe('hooks', () => {
  test('an allow answers an ask of rules and mode, never a deny or the floor', async () => {
    expect(await row('default', { hooks: 'allow' })).toEqual({ read: 'allow', write: 'allow', run: 'allow', net: 'allow', mcp: 'allow', agent: 'allow', none: 'allow' });
    expect((await row('plan', { hooks: 'allow' })).write).toBe('deny');
    expect((await judge('WriteFile', [{ kind: 'write', target: '.git/x' }], { ...place, hooks: 'allow' })).verdict).toBe('ask');
  });
  test('a deny denies everything, an ask asks for what would be allowed', async () => {
    expect(new Set(Object.values(await row('bypassPermissions', { hooks: 'deny' })))).toEqual(new Set(['deny']));
    expect(new Set(Object.values(await row('bypassPermissions', { hooks: 'ask' })))).toEqual(new Set(['ask']));
  });
});

test('files that steer MewCode ask in every mode, the session folder inside them does not', async () => {
  const own = `${place.root}/.mewcode`;
  const ask = async (target: string) => (await judge('WriteFile', [{ kind: 'write', target }], { ...place, mode: 'bypassPermissions', ownFiles: [own] })).verdict;
  expect([await ask('.mewcode/permissions.yaml'), await ask('.mewcode'), await ask('.mewcodes/x'), await ask('src/x')]).toEqual(['ask', 'ask', 'allow', 'allow']);
});

test('a decision tells its whole way', async () => {
  expect(await judge('Bash', [{ kind: 'run', target: 'npm test > log.txt' }], { ...place, allow: ['Bash(npm test)'] })).toEqual({
    verdict: 'ask', layer: 'mode', because: 'Mode default asks before changing files.',
    trace: [
      { layer: 'blacklist', verdict: 'pass', because: 'nothing forbids it outright', about: 'npm test > log.txt' },
      { layer: 'rules', verdict: 'allow', because: 'the rule Bash(npm test) (test) says allow', about: 'npm test > log.txt' },
      { layer: 'sandbox', verdict: 'pass', because: 'the path may be reached', about: `${place.root}/log.txt` },
      { layer: 'rules', verdict: 'pass', because: 'no rule speaks of it', about: `${place.root}/log.txt` },
      { layer: 'mode', verdict: 'ask', because: 'mode default asks before changing files', about: `${place.root}/log.txt` },
      { layer: 'ask', verdict: 'ask', because: 'mode default asks before changing files', about: `${place.root}/log.txt` },
    ],
  });
});
