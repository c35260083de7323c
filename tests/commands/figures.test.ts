// Numbers as commands show them.
import { expect, test } from 'vitest';
import { dollars, tokens } from '../../src/commands/figures.ts';

test.each([[0, '0'], [8_192, '8,192'], [9_999, '9,999'], [10_000, '10K'], [12_345, '12,345'], [200_000, '200K'], [1_000_000, '1M'], [1_050_000, '1.05M'], [1_048_576, '1,048,576']])('%i tokens', (count, text) => {
  expect(tokens(count)).toBe(text);
});

test.each([[null, '$?'], [0, '$0.00'], [0.1, '$0.10'], [1.5, '$1.50'], [12.345, '$12.35'], [0.05, '$0.05'], [0.0075, '$0.0075'], [0.003, '$0.003'], [0.000_012, '$0.000012'], [0.000_000_001, '$0.00']])('%s dollars', (amount, text) => {
  expect(dollars(amount)).toBe(text);
});
