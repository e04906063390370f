/** `npm test`: sets up what the tests need and runs all of them. A failed stage does not stop the next ones. The output
 *  ends with every failure of every stage, the slowest tests and the line `N passed, M failed`. */
import '../bin/check-node.cjs';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies, ROOT } from './dependencies.mjs';
import { errorText, readResults, summary, unfinished } from './test-report.mjs';

/** Output of a tool that is kept in memory, bytes. */
const MAX_OUTPUT = 64 * 2 ** 20;

const reports = mkdtempSync(path.join(tmpdir(), 'motion-studio-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
/** Folder for the temporary files of the tests, so that killed tests leave nothing behind. */
const temporary = path.join(reports, 'tmp');
mkdirSync(temporary);
// Some tests start a service as another user.
chmodSync(reports, 0o755);
chmodSync(temporary, 0o1777);
const stages = [];
/** Signals that end this process and its tests. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Time that a stage has after it was asked to end, ms. */
const GRACE_MS = 15_000;

const tool = (script) => path.join(ROOT, 'node_modules', script);

function printOutcome(title, passed, start) {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`── ${title}: ${passed ? 'done' : 'FAILED'} in ${seconds} s\n`);
}

function failure(name, error) {
  return { state: 'failed', file: '', name, seconds: 0, error };
}

/** Runs a stage that is not a set of tests, and prints its output when it ends. It appears in the result only if it
 *  fails. */
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

/** Runs a stage of tests and keeps their results. A runner that fails without a failed test, is ended by a signal, or
 *  does not end within `minutes` counts as one failure. */
async function test(title, minutes, script, args, env = {}) {
  const report = path.join(reports, `${stages.length}.jsonl`);
  process.stdout.write(`\n── ${title}\n`);
  const start = performance.now();
  const { status, reason } = await runTests(minutes, [tool(script), ...args], {
    ...process.env,
    ...env,
    TMPDIR: temporary,
    MOTION_STUDIO_TEST_REPORT: report,
  });
  printOutcome(title, status === 0, start);
  const written = readResults(report);
  const results = written.filter(({ state }) => state !== 'started');
  const passed = status === 0 && results.length > 0;
  if (!passed && (status === null || !results.some(({ state }) => state === 'failed'))) {
    const open = unfinished(written).map((file) => `\nunfinished: ${file}`);
    results.push(failure('', `the runner failed: ${reason}, ${results.length} results${open.join('')}`));
  }
  stages.push({ stage: title, results });
}

/** Runs Node with `args` in a process group of its own. Ends the group at the limit of time, and when a signal ends
 *  this process.  @returns the exit status; null if the runner did not start, was too late, or was ended by a signal */
async function runTests(minutes, args, env) {
  const runner = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env,
  });
  let late = false;
  let interrupted = null;
  let killing;
  const stop = (signal) => {
    endGroup(runner.pid, signal);
    killing ??= setTimeout(() => endGroup(runner.pid, 'SIGKILL'), GRACE_MS);
  };
  // The terminal sends its signals only to the group of this process.
  const forward = (signal) => {
    interrupted = signal;
    stop(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  const limit = setTimeout(() => {
    late = true;
    stop('SIGTERM');
  }, minutes * 60_000);
  let ended;
  try {
    ended = await once(runner, 'close');
  } catch (error) {
    return { status: null, reason: error.message };
  } finally {
    clearTimeout(limit);
    clearTimeout(killing);
    for (const signal of FORWARDED) process.off(signal, forward);
  }
  if (late || interrupted) endGroup(runner.pid, 'SIGKILL');
  if (interrupted) process.exit(128 + constants.signals[interrupted]);
  const [status, signal] = ended;
  if (late) return { status: null, reason: `it did not end within ${minutes} minutes` };
  return { status, reason: signal ? `ended by ${signal}` : `exit code ${status}` };
}

function endGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group has ended in the meantime. macOS answers EPERM if only zombies are left.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

/** Tests wait for processes and files much of the time, so more of them run at once than the machine has cores. */
const WORKERS = availableParallelism() + 1;

function vitest(title, minutes, projects, more = []) {
  const reporters = ['--reporter=default', '--reporter=./scripts/vitest-reporter.mjs'];
  const chosen = projects.map((project) => `--project=${project}`);
  return test(title, minutes, 'vitest/vitest.mjs', [
    'run',
    ...chosen,
    `--maxWorkers=${WORKERS}`,
    ...more,
    ...reporters,
  ]);
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
await vitest('unit tests', 12, ['unit', 'gateway-node'], ['--no-isolate']);
await vitest('portability, chaos, slow unit and API tests', 60, [
  'portability',
  'chaos',
  'unit-slow',
  'api',
  'api-node',
]);

if (chromium === null) {
  stages.push({ stage: 'browser tests', results: [failure('', 'no Chromium or Chrome is installed')] });
} else {
  await test(
    'browser tests',
    40,
    '@playwright/test/cli.js',
    ['test', '--reporter=list,./scripts/playwright-reporter.mjs'],
    {
      MOTION_STUDIO_CHROMIUM: chromium,
    },
  );
}

process.stdout.write(summary(stages));
const states = stages.flatMap(({ results }) => results.map(({ state }) => state));
process.exit(states.includes('passed') && !states.includes('failed') ? 0 : 1);
