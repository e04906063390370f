import { expect, test } from 'vitest';
import { TrainingSpan } from '../../src/train/training-span.ts';

const EVERY = 25;

/** Runs a span whose evaluations follow `shareAt`. @returns the iterations done, the largest planned end, and the
 *  progress at each iteration */
function run(planned: number, shareAt: (done: number) => number, limit = 1e6, automatic = true) {
  const span = new TrainingSpan(0, planned, automatic);
  let most = 0;
  const progress: number[] = [];
  let iteration = 0;
  for (; iteration < span.end; iteration += 1) {
    most = Math.max(most, span.end);
    progress.push(span.progress(iteration));
    const done = iteration + 1;
    const due = iteration === span.end - 1 || done % EVERY === 0;
    const share = shareAt(done);
    if (due) span.evaluated(iteration, { share, score: share }, limit);
  }
  return { done: iteration, most, progress };
}

test('an exact number of iterations is kept whatever the evaluations are', () => {
  for (const shareAt of [() => 0, (done: number) => done / 100, () => 1])
    expect(run(100, shareAt, 1, false)).toMatchObject({ done: 100, most: 100 });
});

test('a training that has learned the motion within its plan ends at or before the end of the plan', () => {
  const early = run(900, (done) => Math.min(1, done / 300));
  expect(early.done).toBeLessThan(900);
  expect(early.done).toBeGreaterThanOrEqual(630);
  expect(early.most).toBe(900);
});

test('a training that improves late continues, and anneals only after it has learned the motion', () => {
  const shareAt = (done: number) => (done < 1200 ? 0.2 + done / 12_000 : Math.min(1, 0.3 + (done - 1200) / 1000));
  const { done, progress } = run(900, shareAt);
  expect(done).toBeGreaterThan(2000);
  expect(Math.max(...progress.slice(0, 1600))).toBeLessThanOrEqual(0.4);
  expect(progress.at(-1)).toBeGreaterThanOrEqual(0.7);
});

test('a training that does not learn the motion ends once its evaluation stops rising', () => {
  const { done } = run(900, () => 0.1);
  expect(done).toBeGreaterThanOrEqual(600);
  expect(done).toBeLessThan(1200);
});

test('a training that still improves ends at the limit, with time left for annealing', () => {
  const { done, progress } = run(400, (k) => 0.5 * (k / 1e4) ** 0.5, 1000);
  expect(done).toBe(1000);
  expect(progress[710]).toBeGreaterThanOrEqual(0.7);
});

test('a training over its limit ends at its next evaluation', () => {
  expect(run(400, (k) => k / 1000, 10).done).toBe(EVERY);
});

test('slow first iterations do not shorten a training for good', () => {
  const span = new TrainingSpan(0, 1000, true);
  span.evaluated(24, { share: 0.1, score: 0.1 }, 400);
  expect(span.end).toBe(400);
  span.evaluated(49, { share: 0.2, score: 0.2 }, 900);
  expect(span.end).toBe(900);
  span.evaluated(74, { share: 0.3, score: 0.3 }, 2000);
  expect(span.end).toBe(1000);
});

test('a lucky evaluation does not end a training that still improves', () => {
  const rising = (done: number) => Math.min(1, 0.72 + done / 5000);
  const { done } = run(900, (k) => (k === 500 ? 0.999 : rising(k)), 1300);
  expect(done).toBe(1300);
});

test('a training that has not mastered the motion uses its whole plan', () => {
  expect(run(900, (done) => Math.min(0.9, done / 300)).done).toBe(900);
});

test('progress never exceeds 1 and starts at 0 for a resumed training', () => {
  const span = new TrainingSpan(500, 100, true);
  expect([span.progress(500), span.progress(520), span.end]).toEqual([0, 0.2, 600]);
  const exact = new TrainingSpan(500, 100, false);
  expect([exact.progress(550), exact.progress(900)]).toEqual([0.5, 1]);
});

test('a training whose time is over ends after the iteration', () => {
  const span = new TrainingSpan(100, 900, true);
  span.endAfter(149);
  expect(span.end).toBe(150);
});
