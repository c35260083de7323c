// A process that writes a session of 200 messages, tells of problems, and ends when all of it is on disk.
import { openLog } from '../../src/session/log.ts';

const log = openLog(process.argv[2] ?? '', { retryMs: 10, onProblem: (problem) => console.log(problem === undefined ? 'resumed' : `problem: ${problem}`) });
for (let index = 0; index < 200; index++) {
  log.append({ agent: 'main', at: index, type: 'message', message: { id: `m${index}`, role: 'user', at: index, parts: [{ type: 'text', text: 'x'.repeat(100) }] } });
}
const timer = setInterval(() => {
  if (log.problem !== undefined) return;
  clearInterval(timer);
  log.close();
}, 10);
