/** `npm test`: sets up what the tests need and runs all of them. A failed stage does not stop the next ones. The output
 *  ends with every failure of every stage, the slowest tests and the line `N passed, M failed`. */
import '../bin/check-node.cjs';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies, ROOT } from './dependencies.mjs';
import { errorText, readResults, summary } from './test-report.mjs';

/** Output of a tool that is kept in memory, bytes. */
const MAX_OUTPUT = 64 * 2 ** 20;

const reports = mkdtempSync(path.join(tmpdir(), 'motion-studio-test-'));
/** Folder for the temporary files of the tests, so that killed tests leave nothing behind. */
const temporary = path.join(reports, 'tmp');
mkdirSync(temporary);
// Some tests start a service as another user.
chmodSync(reports, 0o755);
chmodSync(temporary, 0o1777);
const stages = [];

/** Runs a tool of node_modules. @returns what spawnSync returns, after the outcome has been printed */
function run(title, script, args, options) {
  process.stdout.write(`\n── ${title}\n`);
  const start = performance.now();
  const result = spawnSync(process.execPath, [path.join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    ...options,
  });
  process.stdout.write(
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? `${result.error.message}\n` : ''}`,
  );
  const outcome = result.status === 0 ? 'done' : 'FAILED';
  process.stdout.write(`── ${title}: ${outcome} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  return result;
}

function failure(name, error) {
  return { state: 'failed', file: '', name, seconds: 0, error };
}

/** Runs a stage that is not a set of tests. It appears in the result only if it fails. */
function check(title, script, args) {
  const result = run(title, script, args, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: MAX_OUTPUT });
  if (result.status === 0) return;
  const error = errorText({ message: `${result.stdout ?? ''}${result.stderr ?? ''}`.trim() }, ROOT);
  stages.push({ stage: title, results: [failure('', error)] });
}

/** Runs a stage of tests and keeps their results. A runner that fails without a failed test counts as one failure. */
function test(title, script, args, env = {}) {
  const report = path.join(reports, `${stages.length}.jsonl`);
  const { status, signal, error } = run(title, script, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, TMPDIR: temporary, MOTION_STUDIO_TEST_REPORT: report },
  });
  const results = readResults(report);
  const passed = status === 0 && results.length > 0;
  if (!passed && !results.some(({ state }) => state === 'failed')) {
    const reason = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
    results.push(failure('', `the runner failed without a failed test: ${reason}, ${results.length} results`));
  }
  stages.push({ stage: title, results });
}

/** Tests wait for processes and files much of the time, so more of them run at once than the machine has cores. */
const WORKERS = availableParallelism() + 1;

function vitest(title, projects, more = []) {
  const reporters = ['--reporter=default', '--reporter=./scripts/vitest-reporter.mjs'];
  const chosen = projects.map((project) => `--project=${project}`);
  test(title, 'vitest/vitest.mjs', ['run', ...chosen, `--maxWorkers=${WORKERS}`, ...more, ...reporters]);
}

ensureDependencies();
const chromium = ensureChromium();
build();

check('types of the service', 'typescript/bin/tsc', ['-p', 'tsconfig.json', '--noEmit']);
check('types of tests and benches', 'typescript/bin/tsc', ['-p', 'tsconfig.test.json']);
check('types of the page', 'typescript/bin/tsc', ['-p', 'tsconfig.web.json']);
check('format and lint', '@biomejs/biome/bin/biome', ['check', '.']);
check('unused exports, files and dependencies', 'knip/bin/knip.js', ['--no-progress']);

// Files of unit tests share processes: most of their time would be the start of a process.
vitest('unit tests', ['unit', 'gateway-node'], ['--no-isolate']);
vitest('slow unit, API and chaos tests', ['unit-slow', 'api', 'api-node', 'chaos']);
vitest('package, and other versions of Node', ['portability']);

if (chromium === null) {
  stages.push({ stage: 'browser tests', results: [failure('', 'no Chromium or Chrome is installed')] });
} else {
  test('browser tests', '@playwright/test/cli.js', ['test', '--reporter=list,./scripts/playwright-reporter.mjs'], {
    MOTION_STUDIO_CHROMIUM: chromium,
  });
}

rmSync(reports, { recursive: true });
process.stdout.write(summary(stages));
const states = stages.flatMap(({ results }) => results.map(({ state }) => state));
process.exit(states.includes('passed') && !states.includes('failed') ? 0 : 1);
