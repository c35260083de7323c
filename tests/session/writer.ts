// A process that writes a session until it is killed, and says the number of each message once it is recorded.
import { writeSync } from 'node:fs';
import { openLog } from '../../src/session/log.ts';

const log = openLog(process.argv[2] ?? '');
for (let index = 1; ; index++) {
  log.append({ agent: 'main', at: index, type: 'message', message: { id: `m${index}`, role: index % 5 === 0 ? 'user' : 'assistant', at: index, parts: [{ type: 'text', text: 'x'.repeat(index % 7 === 0 ? 100_000 : 50) }] } });
  writeSync(1, `${index}\n`);
}
