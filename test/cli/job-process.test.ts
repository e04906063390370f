import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// V8 reports options that it does not know. They would appear in the log of every training.
test("V8 knows the options that the job process sets, so its output has only the job's own lines", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'src/cli/job-process.ts', 'nonsense'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect([status, stdout, stderr]).toEqual([2, '', 'job-process: unknown kind of job "nonsense"\n']);
});
