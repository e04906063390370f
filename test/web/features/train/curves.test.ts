import { expect, test } from 'vitest';
import { type Curves, chartsOf, figure, lastOf } from '../../../../web/src/features/train/curve-charts.ts';
import { smoothed, weightAt } from '../../../../web/src/features/train/smoothing.ts';

function curvesOf(...tags: readonly string[]): Curves {
  const series = tags.map((tag) => ({
    tag,
    name: tag.slice(tag.lastIndexOf('/') + 1),
    group: 'train',
    x: [0, 1],
    y: [1, 2],
  }));
  return { run: 'e/r', job: null, group: 'all', x: 'iteration', series };
}

test('an average starts at the first value, keeps constants and leaves gaps', () => {
  expect(smoothed([4, 4, 4], 0.9)).toEqual([4, expect.closeTo(4), expect.closeTo(4)]);
  expect(smoothed([1, null, 3], 0.5)).toEqual([1, null, expect.closeTo((0.25 + 1.5) / 0.75)]);
  expect(smoothed([1, 5, Number.NaN], 0)).toEqual([1, 5, null]);
  expect(weightAt(0)).toBe(0);
  expect(weightAt(1)).toBeGreaterThan(0.99);
  expect(weightAt(1)).toBeLessThan(1);
});

test('zero action is drawn next to the curve that it is compared with', () => {
  const curves = curvesOf('Eval/tracking', 'Eval/zero_action_tracking', 'Eval/zero_action_alone');
  const charts = chartsOf([{ label: 'a', colour: 0, curves }], 'train');
  expect(charts.map(({ tag }) => tag)).toEqual(['Eval/tracking', 'Eval/zero_action_alone']);
  expect(charts[0]?.lines.map(({ label, baseline }) => [label, baseline])).toEqual([
    ['a', false],
    ['Zero action', true],
  ]);
});

test('compared runs share a chart; the main metrics are in a fixed order', () => {
  const a = curvesOf('Policy/mean_std', 'Train/mean_reward', 'Loss/kl');
  const b = curvesOf('Train/mean_reward');
  const charts = chartsOf(
    [
      { label: 'a', colour: 0, curves: a },
      { label: 'b', colour: 1, curves: b },
    ],
    'key',
  );
  expect(charts.map(({ title }) => title)).toEqual(['Mean reward', 'Action std']);
  expect(charts[0]?.lines.map(({ label, colour }) => [label, colour])).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
});

test('metrics keep their significant digits', () => {
  expect([488.2, 33.21, 0.0364, 0, 0.00001234, -2.5, 41234].map(figure)).toEqual([
    '488.2',
    '33.2',
    '0.0364',
    '0',
    '1.2e\u22125',
    '\u22122.5',
    '41,234',
  ]);
  expect(figure(null)).toBe('–');
  expect(lastOf([1, 2, null])).toBe(2);
});
