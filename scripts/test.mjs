/** `npm test`: sets up what the tests need and runs all of them. A failed stage does not stop the next ones. The output
 *  ends with every failure of every stage, the slowest tests and the line `N passed, M failed`. */
import '../bin/check-node.cjs';
import { execFile, spawnSync } from 'node:child_process';
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

const tool = (script) => path.join(ROOT, 'node_modules', script);

function printOutcome(title, passed, start) {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`── ${title}: ${passed ? 'done' : 'FAILED'} in ${seconds} s\n`);
}

function failure(name, error) {
  return { state: 'failed', file: '', name, seconds: 0, error };
}

/** Runs a stage that is not a set of tests, and prints its output when it ends. It appears in the result only if it fails. */
async function check(title, script, args) {
  const start = performance.now();
  const output = await new Promise((resolve) => {
    execFile(
      process.execPath,
      [tool(script), ...args],
      { cwd: ROOT, maxBuffer: MAX_OUTPUT },
      (error, stdout, stderr) => {
        const text = `${stdout}${stderr}`;
        // Without output, the message says why the tool did not run or was stopped.
        resolve({ passed: error === null, text: error === null || text.trim() !== '' ? text : error.message });
      },
    );
  });
  process.stdout.write(output.text);
  printOutcome(title, output.passed, start);
  if (output.passed) return;
  stages.push({ stage: title, results: [failure('', errorText({ message: output.text.trim() }, ROOT))] });
}

/** Runs a stage of tests and keeps their results. A runner that fails without a failed test counts as one failure. */
function test(title, script, args, env = {}) {
  const report = path.join(reports, `${stages.length}.jsonl`);
  process.stdout.write(`\n── ${title}\n`);
  const start = performance.now();
  const { status, signal, error } = spawnSync(process.execPath, [tool(script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, TMPDIR: temporary, MOTION_STUDIO_TEST_REPORT: report },
  });
  printOutcome(title, status === 0, start);
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

// The build has checked the types of the service. Each check runs on one core.
await Promise.all([
  check('types of tests and benches', 'typescript/bin/tsc', ['-p', 'tsconfig.test.json']),
  check('types of the page', 'typescript/bin/tsc', ['-p', 'tsconfig.web.json']),
  check('unused exports, files and dependencies', 'knip/bin/knip.js', ['--no-progress']),
  check('format and lint', '@biomejs/biome/bin/biome', ['check', '.']),
]);

// Files of unit tests share processes: most of their time would be the start of a process.
vitest('unit tests', ['unit', 'gateway-node'], ['--no-isolate']);
vitest('portability, chaos, slow unit and API tests', ['portability', 'chaos', 'unit-slow', 'api', 'api-node']);

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
