// mewcode permissions …: judges calls as the app would, without running anything.
import { permissionsHelp, type PermissionsOrder } from '../commands/permissions.ts';
import { explainJson, explainText } from '../permissions/explain.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { createJudge, type JudgeStart } from './judge.ts';
import { lint, list, test, whatIf } from './rule-checks.ts';

export type PermissionsStart = JudgeStart & { /** `--rules` */ rules?: string; /** `--json` */ json: boolean };

export type Streams = { stdin: AsyncIterable<Uint8Array | string>; out(text: string): void; err(text: string): void };

/** Does it and gives the exit code. Rejects with a `UserError`. */
export async function runPermissions(order: PermissionsOrder, start: PermissionsStart, streams: Streams): Promise<number> {
  const options = { rules: start.rules, json: start.json, ...streams };
  switch (order.action) {
    case 'help': streams.out(permissionsHelp(order.of)); return 0;
    case 'explain': return explain(order.call, start, streams);
    case 'lint': return lint(start, options);
    case 'test': return test(order.files, start, options);
    case 'what-if': return whatIf(order, start, options);
    case 'list': return list(start, options);
  }
}

async function explain(call: string, start: PermissionsStart, { stdin, out, err }: Streams): Promise<number> {
  const { judge } = await createJudge(start, { rules: start.rules, warn: err });
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
