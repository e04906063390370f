import { expect, test } from 'vitest';
import { arrange, chooseLabels, type ScreenMarker } from '../../../web/src/scene/marks/label-layout.ts';

const marker = (body: number, kind: ScreenMarker['marker']['kind'], x: number, y: number): ScreenMarker => ({
  marker: { body, kind },
  x,
  y,
});
const NAMES = Array.from({ length: 20 }, (_, k) => `body_${k}`);

test('anchor and feet always have labels, then the key bodies farthest apart, six in total', () => {
  const points = [
    ...Array.from({ length: 10 }, (_, k) => marker(k, 'keybody', 100 + k, 100)), // a cluster
    marker(10, 'keybody', 400, 50),
    marker(11, 'anchor', 300, 300),
    marker(12, 'foot', 250, 600),
    marker(13, 'foot', 350, 600),
  ];
  const chosen = chooseLabels(points);
  expect(chosen).toHaveLength(6);
  expect(chosen).toEqual(expect.arrayContaining([10, 11, 12, 13])); // indices equal bodies in this test
});

test('labels are outside of the robot, do not overlap, and name each body once', () => {
  const points = [
    marker(0, 'keybody', 290, 300),
    marker(1, 'keybody', 292, 305),
    marker(2, 'foot', 310, 302),
    marker(2, 'foot', 310, 302),
  ];
  const placed = arrange(points, [0, 1, 2, 3], -1, NAMES);
  expect(placed.map((label) => label.name)).toEqual(['body_0', 'body_1', 'body_2']);
  expect(placed.map((label) => Math.sign(label.x - label.fromX))).toEqual([-1, -1, 1]);
  expect(Math.abs(placed[0]!.y - placed[1]!.y)).toBeGreaterThanOrEqual(22);
});

test('the marker under the pointer also gets a label, which is marked as hot', () => {
  const points = [marker(0, 'anchor', 300, 300), marker(1, 'keybody', 320, 350)];
  const placed = arrange(points, [0, 1], 1, NAMES);
  expect(placed.map((label) => label.hot)).toEqual([false, true]);
});
