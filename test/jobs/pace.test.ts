import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pace } from '../../src/jobs/pace.ts';

test('no rate is given before one second and one step', () => {
  const pace = new Pace(100);
  expect(pace.rate(105)).toBeNull();
  expect(pace.eta(10, 105)).toBeNull();
  const quick = new Pace(0);
  quick.report(5, 0.5);
  expect(quick.rate(0.5)).toBeNull();
  expect(quick.rate(1.1)).not.toBeNull();
});

test('steady steps give rate and remaining time, which decreases between steps', () => {
  const pace = new Pace(0);
  for (let k = 1; k <= 50; k++) pace.report(k, k / 2);
  expect(pace.rate(25)).toBeCloseTo(2, 6);
  expect(pace.eta(100, 25)).toBeCloseTo(25, 6);
  expect(pace.eta(100, 25.4)).toBeCloseTo(24.6, 6);
  expect(pace.mean(25)).toBe(2);
});

test('the rate follows within its window when the work becomes slower', () => {
  const pace = new Pace(0);
  for (let k = 1; k <= 1000; k++) pace.report(k, k / 10);
  for (let k = 1; k <= 40; k++) pace.report(1000 + k, 100 + k);
  expect(pace.rate(140)).toBeCloseTo(1, 1);
  expect(pace.mean(140)).toBeCloseTo(1040 / 140, 6);
});

test('the rate of slow steps is averaged over several', () => {
  const pace = new Pace(0);
  [60, 180, 240, 360].forEach((at, k) => {
    pace.report(k + 1, at);
  });
  expect(pace.rate(360)).toBeCloseTo(4 / 360, 6);
});

test('the rate of stalled work falls and its remaining time grows', () => {
  const pace = new Pace(0);
  for (let k = 1; k <= 10; k++) pace.report(k, k);
  const [soon, late] = [pace.rate(11)!, pace.rate(100)!];
  expect(soon).toBeCloseTo(1, 6);
  expect(late).toBeLessThan(0.11);
  expect(pace.eta(20, 100)!).toBeGreaterThan(pace.eta(20, 11)!);
});

test('rates and remaining times are never negative or infinite, whatever is reported', () => {
  const reports = fc.array(fc.tuple(fc.nat(1000), fc.double({ min: 0, max: 50, noNaN: true })), { maxLength: 200 });
  fc.assert(
    fc.property(reports, fc.double({ min: 0, max: 1e5, noNaN: true }), (steps, rest) => {
      const pace = new Pace(0);
      let at = 0;
      for (const [step, gap] of steps) {
        at += gap;
        pace.report(step, at);
      }
      for (const value of [pace.rate(at + rest), pace.eta(2000, at + rest), pace.mean(at + rest)])
        if (value !== null) expect(value >= 0 && Number.isFinite(value)).toBe(true);
    }),
  );
});
