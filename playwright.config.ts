import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './scripts/chromium.mjs';

const executablePath = findChromium();
if (executablePath === null)
  throw new Error('Chromium or Chrome was not found. Install it, or name it in MOTION_STUDIO_CHROMIUM.');

export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/support/build-once.ts',
  outputDir: 'test-results',
  workers: availableParallelism() >= 4 ? 2 : 1,
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    headless: true,
    // Without a limit, an action on an element that never becomes ready lasts until the end of its test.
    actionTimeout: 120_000,
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath, args: [...CHROMIUM_ARGS] },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
});
