import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keyOf, TrainingCurves } from '../../../../web/src/features/train/training-curves.ts';
import { answering } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

const JOB = { key: 'job a', job: 'a', run: null };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('curves are fetched at once, then at most once a second while the training continues', async () => {
  const jobs = signal(0);
  const { call, calls } = answering({ 'GET /api/curves': () => ({ series: [] }) });
  const stop = new TrainingCurves({ call, jobs }).followCurves([JOB], 'train');
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(1);
  for (let k = 0; k < 10; k++) {
    jobs.value += 1;
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(600);
  expect(calls).toHaveLength(2);
  stop();
});

test('a training that ends during a slow fetch is fetched once more', async () => {
  const jobs = signal(0);
  const slow = deferred<unknown>();
  const replies: unknown[] = [slow.promise, { series: ['all'] }];
  const { call } = answering({ 'GET /api/curves': () => replies.shift() });
  const curves = new TrainingCurves({ call, jobs });
  const stop = curves.followCurves([JOB], 'train');
  await vi.advanceTimersByTimeAsync(1500);
  jobs.value += 1; // the last event of the training
  await vi.advanceTimersByTimeAsync(1500);
  slow.resolve({ series: [] });
  await vi.advanceTimersByTimeAsync(1500);
  expect(curves.curvesBy.value.get(keyOf(JOB, 'train'))?.curves).toEqual({ series: ['all'] });
  stop();
});

test('curves stay when a later fetch fails, with the reason beside them', async () => {
  const jobs = signal(0);
  const replies: (() => unknown)[] = [() => ({ series: [] })];
  const { call } = answering({
    'GET /api/curves': () => {
      const reply = replies.shift();
      if (reply === undefined) throw new Error('no event file');
      return reply();
    },
  });
  const curves = new TrainingCurves({ call, jobs });
  const stop = curves.followCurves([JOB], 'train');
  await vi.advanceTimersByTimeAsync(0);
  jobs.value += 1;
  await vi.advanceTimersByTimeAsync(1100);
  expect(curves.curvesBy.value.get(keyOf(JOB, 'train'))).toEqual({ curves: { series: [] }, error: 'no event file' });
  stop();
});

test('curves that arrive after their view was closed are dropped', async () => {
  const reply = deferred<unknown>();
  const { call } = answering({ 'GET /api/curves': () => reply.promise });
  const curves = new TrainingCurves({ call, jobs: signal(0) });
  const stop = curves.followCurves([JOB], 'train');
  await vi.advanceTimersByTimeAsync(0);
  stop();
  reply.resolve({ series: [] });
  await vi.advanceTimersByTimeAsync(0);
  expect(curves.curvesBy.value.size).toBe(0);
});
