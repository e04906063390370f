/** `npm test`: sets up what the tests need, runs all of them and ends with the line `N passed, M failed`.
 *  A stage that fails does not stop the next ones, so that one run tells everything. */
import '../bin/check-node.cjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies, ROOT } from './dependencies.mjs';

const results = mkdtempSync(path.join(tmpdir(), 'motion-studio-test-'));
const totals = { passed: 0, failed: 0, skipped: 0 };

/** Runs a tool of node_modules with its output shown. @returns whether it ended well */
function stage(title, script, args, env = {}) {
  process.stdout.write(`\n── ${title}\n`);
  const start = performance.now();
  const { status, error } = spawnSync(process.execPath, [path.join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (error) process.stdout.write(`${error.message}\n`);
  const outcome = status === 0 ? 'done' : 'FAILED';
  process.stdout.write(`── ${title}: ${outcome} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  return status === 0;
}

/** A stage without tests of its own counts only where it fails. */
function check(title, script, args) {
  if (!stage(title, script, args)) totals.failed += 1;
}

/** Adds what a runner reported; a runner that failed without a failed test, or reported nothing, is one failure. */
function count(well, counts) {
  if (counts) for (const [key, value] of Object.entries(counts)) totals[key] += value;
  if (!well && !(counts?.failed > 0)) totals.failed += 1;
}

function report(name, read) {
  try {
    return read(JSON.parse(readFileSync(path.join(results, name), 'utf8')));
  } catch (error) {
    process.stdout.write(`no report of this stage: ${error.message}\n`);
    return null;
  }
}

ensureDependencies();
const chromium = ensureChromium();
build();

check('types of the service', 'typescript/bin/tsc', ['-p', 'tsconfig.json', '--noEmit']);
check('types of tests and benches', 'typescript/bin/tsc', ['-p', 'tsconfig.test.json']);
check('types of the page', 'typescript/bin/tsc', ['-p', 'tsconfig.web.json']);
check('format and lint', '@biomejs/biome/bin/biome', ['check', '.']);

/** Runs a part of the projects of vitest and counts its tests. */
function vitest(title, name, args) {
  const file = path.join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const well = stage(title, 'vitest/vitest.mjs', ['run', ...args, ...reporters]);
  const counts = report(`${name}.json`, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  }));
  count(well, counts);
}

vitest('unit, API and chaos tests', 'vitest', ['--project=!portability']);
vitest('package, and other versions of Node', 'portability', ['--project=portability']);

if (chromium === null) {
  totals.failed += 1;
} else {
  const playwright = stage('browser tests', '@playwright/test/cli.js', ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: path.join(results, 'playwright.json'),
    MOTION_STUDIO_CHROMIUM: chromium,
  });
  count(
    playwright,
    report('playwright.json', ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    })),
  );
}

rmSync(results, { recursive: true });
process.stdout.write(`\n${totals.skipped} skipped\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
