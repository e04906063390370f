import { beforeEach, expect, test } from 'vitest';
import { JobStory } from '../../../src/app/story/job-story.ts';
import { newRecord } from '../../../src/jobs/job-record.ts';
import type { Job } from '../../../src/protocol/schemas/jobs.ts';
import { keepingLogger } from '../../support/log-lines.ts';

let lines: string[];
let log: string[];
let story: JobStory;
beforeEach(() => {
  lines = [];
  log = [];
  story = new JobStory(keepingLogger(lines, 'jobs'), async () => log);
});

const created = new Date('2026-11-22T10:00:00Z');
const base = { created: created.toISOString(), started: '2026-11-22T10:00:10.000Z', ended: '2026-11-22T10:01:40.000Z' };
const training: Job = newRecord(
  'train-walks-1',
  {
    kind: 'train',
    task: 'Wbc-G1',
    dataset: 'walks',
    steps: 300,
    trainer: 'builtin',
    launcher: 'local',
    run: 'wbc_g1/one',
    params: { num_envs: 128 },
  },
  1,
  created,
).job;
const tell = (change: Partial<Job>) => story.changed({ job: { ...training, ...change } });

test('a training logs its launch, start and end, however often it reports', async () => {
  log = [
    '[INFO] Evaluation, without noise: 3.10 s, 12.0 % full, tracking 0.512',
    'Evaluation from other starts: 8.20 s, 63.0 % full, tracking 0.812 over 32 episodes',
  ];
  tell({});
  tell({ status: 'running', started: base.started });
  for (let step = 1; step <= 300; step += 1) tell({ status: 'running', started: base.started, step });
  tell({ ...base, status: 'done', step: 300 });
  tell({ ...base, status: 'done', step: 300 });
  await story.settled();
  expect(lines).toEqual([
    'info jobs: train-walks-1 launched: task Wbc-G1, dataset walks, 128 environments, 300 iterations, trainer builtin, launcher local',
    'info jobs: train-walks-1 started',
    'info jobs: train-walks-1 done after 90.0 s: 300 of 300 iterations; last evaluation 8.20 s, 63.0 % full; run wbc_g1/one',
  ]);
});

test('a stop, an alarm and a failure are logged once at their level', async () => {
  tell({});
  tell({ status: 'running', alarm: 'no output for 5 minutes' });
  tell({ status: 'running', alarm: 'no output for 5 minutes', step: 12 });
  tell({ status: 'stopping', step: 12 });
  tell({ ...base, status: 'stopped', step: 12, run: null });
  await story.settled();
  expect(lines.slice(1)).toEqual([
    'info jobs: train-walks-1 started',
    'warn jobs: train-walks-1: no output for 5 minutes',
    'info jobs: train-walks-1 was asked to stop',
    'info jobs: train-walks-1 stopped by request after 90.0 s: 12 of 300 iterations',
  ]);
  lines.length = 0;
  story.changed({ job: { ...training, name: 'train-2', run: null } });
  story.changed({
    job: { ...training, ...base, name: 'train-2', run: null, status: 'failed', error: 'exit status 1: boom' },
  });
  story.changed({ forgotten: 'train-2' });
  await story.settled();
  expect(lines.slice(1)).toEqual([
    'info jobs: train-2 forgotten',
    'error jobs: train-2 failed after 90.0 s: exit status 1: boom',
  ]);
});

test('a conversion logs its result, as a warning with names if clips failed', async () => {
  log = ['a: 10 frames', '4 of 5 clips converted'];
  const conversion = newRecord(
    'convert-walks-1',
    { kind: 'convert', dataset: 'walks', steps: 5, params: { which: 'all' } },
    2,
    created,
  ).job;
  story.changed({ job: conversion });
  story.changed({ job: { ...conversion, status: 'running' } });
  const error = '1 of 5 clips could not be converted: b (27 columns, expected 28)';
  story.changed({ job: { ...conversion, ...base, status: 'done', step: 5, error } });
  await story.settled();
  expect(lines).toEqual([
    'info jobs: convert-walks-1 queued: 5 clips of dataset walks (all)',
    'info jobs: convert-walks-1 started',
    `warn jobs: convert-walks-1 done after 90.0 s: 4 of 5 clips converted; ${error}`,
  ]);
});

test('the log lists jobs that were found again, queued or lost at a start, and jobs that continue at a stop', async () => {
  story.found({ ...training, status: 'running', step: 12 });
  story.found({ ...training, name: 'train-2' });
  story.found({ ...training, name: 'train-3', status: 'lost', error: 'its process is gone' });
  tell({ status: 'running', step: 13 });
  story.closing([{ ...training, status: 'running', step: 13 }]);
  await story.settled();
  expect(lines).toEqual([
    'info jobs: train-walks-1 was found again after the restart: running, 12 of 300 iterations',
    'info jobs: train-2 still waits in the queue',
    'error jobs: train-3 is lost: its process is gone',
    'info jobs: train-walks-1 continues without the service: running, 13 of 300 iterations',
  ]);
});
