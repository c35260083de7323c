// mewcode permissions …: judges calls as the app would, without running anything.
import { permissionsHelp, type PermissionsOrder } from '../commands/permissions.ts';
import { decide } from '../permissions/decide.ts';
import { explainJson, explainText, readCall } from '../permissions/explain.ts';
import { gatherFacts } from '../permissions/facts.ts';
import { proposeRules } from '../permissions/rules.ts';
import { builtinTools } from '../tools/index.ts';
import type { Decision } from '../types/permission.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { holdPolicy, reachableRoots } from './policy.ts';
import type { Start } from './start.ts';

export type PermissionsStart = Pick<Start, 'load' | 'paths' | 'trust' | 'addDirs'> & { /** `--rules` */ rules?: string; /** `--json` */ json: boolean };

export type Streams = { stdin: AsyncIterable<Uint8Array | string>; out(text: string): void; err(text: string): void };

/** Does it and gives the exit code. Rejects with a `UserError`. */
export async function runPermissions(order: PermissionsOrder, start: PermissionsStart, streams: Streams): Promise<number> {
  switch (order.action) {
    case 'help': streams.out(permissionsHelp(order.of)); return 0;
    case 'explain': return explain(order.call, start, streams);
  }
}

type Judged = { decision: Decision; allowedBy?: string };

/** Judges calls as written, the way a fresh session in this place would. */
async function createJudge(start: PermissionsStart, warn: (text: string) => void): Promise<(call: string) => Promise<Judged>> {
  const { paths } = start;
  const loaded = await start.load(start.trust, undefined, { forRules: true, ...(start.rules !== undefined && { rules: start.rules }) });
  for (const warning of loaded.warnings) warn(`${warning}\n`);
  const roots = reachableRoots(start);
  const { policy } = holdPolicy({ loaded, paths, roots, mode: () => loaded.mode });
  const tools = builtinTools();
  return async (text) => {
    const { name, input, access, cwd = paths.root } = readCall(text, { tools, cwd: paths.root });
    const call = { id: 'explain', name, input };
    const facts = await gatherFacts(access, { cwd, roots, home: paths.home });
    const decision = decide({ ...call, access }, facts, policy());
    const { always } = decision.verdict === 'ask' ? proposeRules(call, access, facts, decision) : {};
    return { decision, ...(always !== undefined && { allowedBy: always }) };
  };
}

async function explain(call: string, start: PermissionsStart, { stdin, out, err }: Streams): Promise<number> {
  const judge = await createJudge(start, err);
  if (call !== '-') {
    try {
      const { decision, allowedBy } = await judge(call);
      out(start.json ? `${JSON.stringify(explainJson(decision))}\n` : explainText(call, decision, allowedBy));
      return 0;
    } catch (error) {
      if (!start.json || !(error instanceof UserError)) throw error;
      out(`${JSON.stringify({ error: error.text })}\n`);
      return 2;
    }
  }
  let code = 0;
  for await (const lines of linesOf(stdin)) {
    let text = '';
    for (const line of lines) {
      // An empty line is no call, and no mistake either.
      if (line.trim() === '') continue;
      try {
        const { decision, allowedBy } = await judge(line);
        text += start.json ? `${JSON.stringify(explainJson(decision))}\n` : `${explainText(line, decision, allowedBy)}\n`;
      } catch (error) {
        // One bad line, a bug included, must not keep the others from their answers.
        text += start.json ? `${JSON.stringify({ error: sentenceOf(error) })}\n` : `${sentenceOf(error)}\n\n`;
        code = 1;
      }
    }
    out(text);
  }
  return code;
}

/** The lines of a stream, as many at a time as have come. */
async function* linesOf(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield [rest];
}
