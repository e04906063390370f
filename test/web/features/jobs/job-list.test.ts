import { expect, test } from 'vitest';
import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import { isLive, mergeJobs, overallProgress } from '../../../../web/src/features/jobs/shared/job-list.ts';
import { parseLogLine } from '../../../../web/src/features/jobs/shared/job-log-line.ts';

function job(name: string, created: string, more: Partial<Job> = {}): Job {
  return {
    name,
    kind: 'convert',
    status: 'running',
    progress: null,
    step: null,
    steps: null,
    eta: null,
    rate: null,
    created,
    started: null,
    ended: null,
    task: null,
    dataset: null,
    run: null,
    trainer: null,
    launcher: null,
    pid: null,
    exit_code: null,
    signal: null,
    error: null,
    params: {},
    ...more,
  };
}

test('changed jobs keep their place, new jobs are listed first', () => {
  const known = [job('b', '2026-01-02'), job('a', '2026-01-01')];
  const merged = mergeJobs(known, [job('a', '2026-01-01', { status: 'done' }), job('c', '2026-01-03')]);
  expect(merged.map(({ name, status }) => `${name} ${status}`)).toEqual(['c running', 'b running', 'a done']);
  expect(merged.filter(isLive)).toHaveLength(2);
});

test('progress of several jobs is weighted by their steps', () => {
  const jobs = [job('a', '', { progress: 1, steps: 30 }), job('b', '', { progress: 0, steps: 10 }), job('c', '')];
  expect(overallProgress(jobs)).toBe(0.75);
  expect(overallProgress([job('c', '')])).toBeNull();
});

test('a log line is split into time, level and text', () => {
  expect(parseLogLine('2026-11-21T12:38:04.120Z error x.csv line 3')).toEqual({
    time: '12:38:04',
    level: 'error',
    text: 'x.csv line 3',
  });
  expect(parseLogLine('jumps_3: FAILED: 8 columns')).toMatchObject({ level: 'error', time: null });
  expect(parseLogLine('walk: 30 frames, none failed')).toMatchObject({ level: 'info' });
});
