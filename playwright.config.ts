import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.mjs';

const executablePath = findChromium();
if (executablePath === null) throw new Error('no Chromium or Chrome is installed: see `npm test`');

/** A renderer in software stands in for the graphics card that a test machine has not. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/support/build-once.ts',
  outputDir: 'test-results',
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    headless: true,
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath, args: ARGS },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
});
