import { describe, expect, test } from 'vitest';
import { breadthFirstJoints } from '../../../src/checks/layout/orders.ts';
import { hasKit } from '../../support/kit.ts';
import { g1ClipRobot, walkerClipRobot } from '../../support/robots.ts';

describe('the breadth-first order of joints', () => {
  test('the breadth-first order has both hips of the walker, then both knees', async () => {
    const robot = await walkerClipRobot();
    const names = breadthFirstJoints(robot).map((joint) => robot.facts.joints[joint]!.name);
    expect(names).toEqual(['left_hip_joint', 'right_hip_joint', 'left_knee_joint', 'right_knee_joint']);
  });

  // The expected permutation between MuJoCo and Isaac Lab is published with deployments of the G1.
  test.skipIf(!hasKit)('the breadth-first order of the G1 is that of Isaac Lab', async () => {
    const published = '0 6 12 1 7 13 2 8 14 3 9 15 22 4 10 16 23 5 11 17 24 18 25 19 26 20 27 21 28';
    expect(breadthFirstJoints(await g1ClipRobot()).join(' ')).toBe(published);
  });
});
