// The official conformance suite against the client end: the built program is started by the suite and judged by what it sends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { childEnv, spawnGroup } from '../../src/lib/spawn.ts';
import { MAIN, ROOT } from '../helpers/mewcode.ts';

const QUICK = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'auth/basic-cimd', 'auth/scope-step-up', 'auth/scope-retry-limit', 'auth/pre-registration'];
/** All core scenarios of 0.1.16; the extensions (client credentials, cross-app access) are not ours. */
const ALL = [
  ...QUICK, 'sse-retry', 'auth/metadata-default', 'auth/metadata-var1', 'auth/metadata-var2', 'auth/metadata-var3', 'auth/scope-from-www-authenticate', 'auth/scope-from-scopes-supported', 'auth/scope-omitted-when-undefined',
  'auth/token-endpoint-auth-basic', 'auth/token-endpoint-auth-post', 'auth/token-endpoint-auth-none', 'auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch', 'auth/offline-access-scope', 'auth/offline-access-not-supported',
];

// The suite leaves a folder of results where it stands.
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.concurrent.each(process.env['MEWCODE_LONG'] ? ALL : QUICK)('%s', async (scenario) => {
  let output = '';
  const { code } = await spawnGroup(
    [process.execPath, join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'), 'client', '--command', `${process.execPath} ${MAIN} mcp conformance`, '--scenario', scenario],
    { cwd: folder, env: { ...childEnv(process.env), MEWCODE_HOME: join(folder, 'home') }, timeoutMs: 60_000, onOutput: (chunk) => { output += chunk.toString(); } },
  ).done;
  expect({ code, passed: /OVERALL: PASSED/.test(output), output: code === 0 ? '' : output }).toEqual({ code: 0, passed: true, output: '' });
}, 90_000);
