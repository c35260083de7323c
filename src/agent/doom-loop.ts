// Notices a model that goes round in circles: the same call, or the same few calls, again and again.

/** Longest circle that is looked for. */
const LONGEST = 4;

/** How often the last calls repeat themselves: the most repetitions of any circle of one to four calls at the end of the list, 1 when there is none. `calls` are the calls of a turn as text. */
export function countRepeats(calls: readonly string[]): number {
  let most = 1;
  for (let length = 1; length <= LONGEST; length += 1) {
    let same = 0;
    while (same + length < calls.length && calls[calls.length - 1 - same] === calls[calls.length - 1 - same - length]) same += 1;
    most = Math.max(most, Math.floor(same / length) + 1);
  }
  return most;
}
