/** Claim: the page keeps up with the stream on any machine. In headless Chromium, which renders in software, it decodes
 *  at least 50 of 60 frames per second with at most 8 ms of script per frame. The number of drawn frames is reported,
 *  but not judged.
 *
 *    page.bench.ts [--seconds 10] [--reps 3] */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile } from './harness/server-process.ts';
import { median } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, reps: { type: 'string', default: '3' } },
});
const SECONDS = Number(options.seconds);

const executablePath = findChromium();
if (executablePath === null) {
  console.log('no Chromium or Chrome is installed: left out');
  process.exit(0);
}

const folder = temporaryFolder('bench-page-');
const args = [benchFile('../dist/cli/main.js'), '--port', '0', '--workspace', folder, '--log-level', 'warn'];
const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
let address = '';
for await (const line of createInterface(service.stdout)) {
  address = /listening on (\S+)/.exec(line)?.[1] ?? '';
  if (address !== '') break;
}

interface Stats {
  readonly decoded: number;
  readonly skipped: number;
  readonly drawn: number;
  readonly scriptMs: number;
}
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic'],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const stats = () =>
  page.evaluate(() => ({ ...(window as unknown as { motionStudio: { stats: Stats } }).motionStudio.stats }));
await page.goto(address);
await page.getByRole('button', { name: /Play walk_forward/ }).click();
await page.getByRole('button', { name: 'Pause' }).waitFor();
await page.waitForTimeout(3000);

const runs = [];
for (let rep = 0; rep < Number(options.reps); rep++) {
  const from = await stats();
  const start = performance.now();
  await page.waitForTimeout(1e3 * SECONDS);
  const to = await stats();
  const seconds = (performance.now() - start) / 1e3;
  runs.push({
    decoded_per_s: (to.decoded - from.decoded) / seconds,
    skipped: to.skipped - from.skipped,
    drawn_per_s: (to.drawn - from.drawn) / seconds,
    script_ms: to.scriptMs,
  });
}
await browser.close();
service.kill('SIGKILL');

printTable(
  ['decoded/s', 'skipped', 'drawn/s', 'script ms a frame'],
  runs.map((run) => [run.decoded_per_s, run.skipped, run.drawn_per_s, run.script_ms]),
);
const decoded = median(runs.map((run) => run.decoded_per_s));
writeResult(
  'page',
  [
    { name: '50 frames/s / decoded frames/s', value: 50 / decoded, atMost: 1 },
    { name: 'script a frame, ms', value: median(runs.map((run) => run.script_ms)), atMost: 8 },
  ],
  { runs },
);
process.exit(0);
