import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.mjs';

/** Tests start `.ts` worker threads, so every test process loads tsx. */
const execArgv = ['--import', 'tsx'];

/** Generous timeouts: a loaded machine is slow, not broken. CI tries a failed test once more and reports that. */
const patience = {
  retry: process.env['CI'] ? 1 : 0,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
};

const unit = {
  globalSetup: 'test/support/build-kernels.ts',
  pool: 'forks',
  execArgv,
  ...patience,
} as const;
/** Unit tests that `npm run test:fast` leaves out. A project of its own: projects ignore `--exclude`. */
const SLOW = 'test/**/*.slow.test.ts';
/** API tests whose promise depends on the HTTP engine: uploads, downloads, streams, websockets, limits, refusals, and the
 *  schema of every reply. The others would only repeat on `node` what they show on the default engine. */
const ON_BOTH_ENGINES = [
  'bad-requests',
  'connections',
  'contract',
  'gateway',
  'library',
  'live',
  'metrics-viewer',
  'plots',
  'races',
  'robots',
  'workspace-gone',
].map((name) => `test/api/${name}.test.ts`);

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{api,browser,chaos,operation,portability}/**', SLOW],
          ...unit,
        },
      },
      { test: { name: 'unit-slow', include: [SLOW], ...unit, globalSetup: 'test/support/build-once.ts' } },
      {
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts', 'test/operation/**/*.test.ts'],
          globalSetup: 'test/support/build-once.ts',
          pool: 'forks',
          execArgv,
          ...patience,
        },
      },
      // The same tests on the other HTTP engine: the projects above use uWebSockets.js if its binary loads.
      {
        test: {
          name: 'gateway-node',
          include: ['test/gateway/**/*.test.ts'],
          env: { TEST_TRANSPORT: 'node' },
          pool: 'forks',
          execArgv,
          ...patience,
        },
      },
      {
        test: {
          name: 'api-node',
          include: ON_BOTH_ENGINES,
          globalSetup: 'test/support/build-once.ts',
          env: { TEST_TRANSPORT: 'node' },
          pool: 'forks',
          execArgv,
          ...patience,
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['test/chaos/**/*.test.ts'],
          globalSetup: 'test/support/build-once.ts',
          pool: 'forks',
          execArgv,
          ...patience,
        },
      },
      // Its tests install and build clones of the working tree. A second attempt would take minutes.
      {
        test: {
          name: 'portability',
          include: ['test/portability/**/*.test.ts'],
          pool: 'forks',
          execArgv,
          ...patience,
          retry: 0,
          testTimeout: 420_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
