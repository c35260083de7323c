// The test runner's settings: every layer runs from source, each file in a process of its own.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    pool: 'forks',
    // Half of all the time a test waits for a program that it has started; more at a time would make those slow that look at a real clock.
    maxWorkers: Math.min(8, 1 + availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
