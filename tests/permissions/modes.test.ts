// The mode × category table as a whole, and what lies above it.
import { describe, expect, test } from 'vitest';
import { modes } from '../../src/permissions/modes.ts';
import { decide } from '../../src/permissions/decide.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import type { Access, Policy, Verdict } from '../../src/types/permission.ts';
import { judge, type Setup, testPlace, testPolicy } from './judge.ts';

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

const ask = (mode: string, readOnly: boolean) => judge('mcp_a_b', [{ kind: 'mcp', target: 'a b', ...(readOnly && { readOnly: true as const }) }], { ...place, mode });

test('a tool that a trusted server marks read-only counts as reading, and the trace says so', async () => {
  expect([(await ask('default', true)).verdict, (await ask('default', false)).verdict, (await ask('dontAsk', true)).verdict, (await ask('dontAsk', false)).verdict]).toEqual(['allow', 'ask', 'allow', 'deny']);
  expect((await ask('default', true)).because).toBe('Mode default allows reading (a trusted server marks this tool read-only).');
});

test('allow rules wait for a tool that has changed until it is confirmed; deny rules and modes do not', async () => {
  const access: Access[] = [{ kind: 'mcp', target: 'a b', readOnly: true }];
  const facts = await gatherFacts(access, { cwd: place.root, roots: [place.root], home: place.home });
  const decided = (more: Partial<Policy>, setup: Partial<Setup>) => decide({ id: 'c', name: 'mcp_a_b', input: {}, access }, facts, { ...testPolicy({ ...place, ...setup }), ...more });
  expect(decided({}, { allow: ['mcp_a_*'] }).verdict).toBe('allow');
  expect(decided({ unconfirmed: ['mcp_a_b'] }, { allow: ['mcp_a_*'] })).toEqual({
    verdict: 'ask', layer: 'mode', because: 'Mode default asks before calling MCP tools.', trace: [
      { layer: 'blacklist', verdict: 'pass', because: 'nothing forbids it outright', about: 'a b' },
      { layer: 'rules', verdict: 'pass', because: 'this tool has changed since it was allowed, so that allow rules wait until you confirm it', about: 'a b' },
      { layer: 'mode', verdict: 'ask', because: 'mode default asks before calling MCP tools', about: 'a b' },
      { layer: 'ask', verdict: 'ask', because: 'mode default asks before calling MCP tools', about: 'a b' },
    ],
  });
  expect(decided({ unconfirmed: ['mcp_a_b'] }, { allow: ['mcp_a_*'], deny: ['mcp_a_b'] }).verdict).toBe('deny');
  expect(decided({ unconfirmed: ['mcp_a_c'] }, { allow: ['mcp_a_*'] }).verdict).toBe('allow');
  expect(decided({ unconfirmed: ['mcp_a_b'] }, { mode: 'bypassPermissions' }).verdict).toBe('allow');
});

test('rules come before mode plan, and the trace says so', async () => {
  const { verdict, because } = await judge('Bash', [{ kind: 'run', target: 'npm test' }], { ...place, mode: 'plan', allow: ['Bash(npm test)'] });
  expect({ verdict, because }).toEqual({ verdict: 'allow', because: 'The rule Bash(npm test) (test) says allow, and rules come before mode plan.' });
});

const verdicts = (mode: string) => Promise.all(['true', ': x', 'exit 1', 'cd src', 'cd ..', 'cd /', 'cd', 'cd $X', 'cd -', 'true > x'].map(async (target) => (await judge('Bash', [{ kind: 'run', target }], { ...place, mode })).verdict));

test('what does nothing, and going to a folder of the project, need no permission; elsewhere does', async () => {
  expect(await verdicts('default')).toEqual(['allow', 'allow', 'allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask']);
  expect((await verdicts('plan')).slice(0, 5)).toEqual(['allow', 'allow', 'allow', 'allow', 'deny']);
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
