// Numbers and times as the screen spells them.
import { expect, test } from 'vitest';
import { formatCount, formatMs, formatSeconds, formatShort, formatUsd } from '../../src/ui/format.ts';

test.each<[string, string[], string[]]>([
  ['counts', [0, -1, 999, 1_000, 65_000, 99_949, 99_950, 999_499, 999_500, 1_500_000].map(formatCount), ['0', '0', '999', '1.0K', '65.0K', '99.9K', '100K', '999K', '1.0M', '1.5M']],
  ['short counts', [999, 1_000, 12_000, 12_345, 200_000, 1_000_000].map(formatShort), ['999', '1K', '12K', '12.3K', '200K', '1M']],
  ['durations', [2, 999.6, 1_400, 9_949, 12_000, 185_000, 3_720_000].map(formatMs), ['2ms', '1000ms', '1.4s', '9.9s', '12s', '3m 05s', '1h 02m']],
  ['seconds', [-5, 999, 59_999, 60_000].map(formatSeconds), ['0s', '0s', '59s', '1m 00s']],
  ['dollars', [0, 0.0012, 0.42, 12].map(formatUsd), ['$0.00', '$0.0012', '$0.42', '$12.00']],
])('%s', (_name, made, expected) => {
  expect(made).toEqual(expected);
});
