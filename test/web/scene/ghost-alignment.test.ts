import { expect, test } from 'vitest';
import type { Frame } from '../../../src/protocol/frame.ts';
import { alignGhosts } from '../../../web/src/scene/ghost-alignment.ts';

const pose = (x: number, y: number, z: number, yaw: number) => [x, y, z, Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)];

/** One robot of two bodies, and its ghost. */
function frameOf(robot: readonly number[][], ghost: readonly number[][]): Frame {
  const blob = Float32Array.from([...robot, ...ghost].flat());
  const half = blob.length / 2;
  const header = {
    n: 1,
    nbody: robot.length,
    focus: 0,
    poses: { offset: 0, count: half },
    ghost: { offset: half, count: half, n: 1 },
  };
  return { header: header as unknown as Frame['header'], blob };
}

test('a ghost is moved to the x, y and heading of its robot, and keeps its height', () => {
  const robot = [pose(2, 3, 0.8, Math.PI / 2), pose(2, 3.5, 0.8, Math.PI / 2)];
  const ghost = [pose(0, 0, 0.7, 0), pose(0.4, 0.1, 1, 0)];
  const moved = [...alignGhosts(frameOf(robot, ghost), 0, 0, new Float32Array())];
  const expected = [...pose(2, 3, 0.7, Math.PI / 2), ...pose(2 - 0.1, 3 + 0.4, 1, Math.PI / 2)];
  for (const [k, value] of expected.entries()) expect(moved[k]).toBeCloseTo(value, 5);
});

test('a ghost of a robot that follows its reference exactly lies on the robot', () => {
  const robot = [pose(1, 1, 0.8, 0.4), pose(1.2, 1, 1, 0.7)];
  const moved = alignGhosts(frameOf(robot, robot), 1, 0, new Float32Array());
  for (const [k, value] of robot.flat().entries()) expect(moved[k]).toBeCloseTo(value, 5);
});
