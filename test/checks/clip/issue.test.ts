import { describe, expect, test } from 'vitest';
import { CLIP_CHECKS } from '../../../src/checks/check-list.ts';
import { issuesOf, mergeRanges, rangesWhere } from '../../../src/checks/clip/issue.ts';
import { limitsOf } from '../../../src/checks/threshold.ts';

const from = (values: readonly number[]) => (frame: number) => values[frame]!;

describe('ranges of frames', () => {
  test('frames up to five apart form one range with the highest peak', () => {
    const values = [0, 1, 3, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 5];
    expect(rangesWhere(values.length, from(values))).toEqual([
      { start: 1, end: 8, peak: 3, at: 2, which: 0 },
      { start: 15, end: 15, peak: 5, at: 15, which: 0 },
    ]);
  });

  test('stretches that are too short are ignored and do not join others', () => {
    const values = [1, 1, 0, 1, 0, 1, 1];
    expect(rangesWhere(7, from(values), { least: 2, gap: 0 }).map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [5, 6],
    ]);
  });

  test('NaN does not exceed a threshold', () => {
    expect(rangesWhere(3, from([Number.NaN, Number.NaN, Number.NaN]))).toEqual([]);
  });

  test('overlapping ranges of several joints become one, named after the worst', () => {
    const one = { start: 0, end: 9, peak: 1, at: 4, which: 3 };
    const other = { start: 5, end: 7, peak: 2, at: 6, which: 8 };
    expect(mergeRanges([other, one])).toEqual([{ start: 0, end: 9, peak: 2, at: 6, which: 8 }]);
  });

  test('the worst 25 of many ranges are listed; the first one states how many more there are', () => {
    const ranges = Array.from({ length: 28 }, (_, k) => ({
      start: 20 * k,
      end: 20 * k,
      peak: k,
      at: 20 * k,
      which: 0,
    }));
    const issues = issuesOf('jump', ranges, ({ peak }) => ({
      severity: 'warning',
      text: `by ${peak}`,
      channels: ['a'],
    }));
    expect(issues).toHaveLength(25);
    expect(issues.slice(0, 2).map(({ text }) => text)).toEqual(['by 27; 3 more such places.', 'by 26.']);
    expect(issues[0]!.plot).toEqual({ channels: ['a'], frame: 540 });
  });
});

test('settings override the default thresholds', () => {
  const settings = { foot_sliding: { speed: 0.3 } };
  const limits = (kind: string) => limitsOf(CLIP_CHECKS.find((check) => check.kind === kind)!, settings);
  expect(limits('foot_sliding')).toEqual({ height: 0.02, speed: 0.3, frames: 5 });
  expect(limits('frozen')).toEqual({ seconds: 0.3 });
});
