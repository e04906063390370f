import { expect, test } from 'vitest';
import { mostSteps, secondsLeft } from '../../src/jobs/longest-course.ts';

test('an automatic training may make half of its plan more steps; an exact one makes its steps', () => {
  const params = { automatic: true, max_iterations: 900 };
  expect(mostSteps({ steps: 900, params })).toBe(1350);
  expect(mostSteps({ steps: 2000, params })).toBe(2000);
  expect(mostSteps({ steps: 900, params: { ...params, resume_run: 'a/b' } })).toBe(1350);
  expect(mostSteps({ steps: 900, params: { max_iterations: 900 } })).toBe(900);
  expect(mostSteps({ steps: null, params })).toBeNull();
});

test('an automatic training ends at its time limit', () => {
  const started = '2026-01-01T00:00:00.000Z';
  expect(secondsLeft({ started, params: { max_minutes: 240 } }, '2026-01-01T03:59:00.000Z')).toBe(60);
  expect(secondsLeft({ started, params: { max_minutes: 240 } }, '2026-01-01T05:00:00.000Z')).toBe(0);
  expect(secondsLeft({ started, params: {} }, started)).toBe(Number.POSITIVE_INFINITY);
  expect(secondsLeft({ started: null, params: { max_minutes: 240 } }, started)).toBe(Number.POSITIVE_INFINITY);
});
