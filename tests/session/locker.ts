// A process that tries to take a session's lock and keeps it for a while.
import { lockSession } from '../../src/session/lock.ts';
import { sentenceOf } from '../../src/types/user-error.ts';

try {
  lockSession(process.argv[2] ?? '');
  console.log('got it');
  setTimeout(() => {}, 1_000);
} catch (error) {
  console.log(sentenceOf(error));
}
