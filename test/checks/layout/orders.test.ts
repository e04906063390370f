import { describe, expect, test } from 'vitest';
import { breadthFirstJoints, jointOrders } from '../../../src/checks/layout/orders.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
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

/** A robot whose limbs come in pairs, two joints each, all on one body. */
function robotWithPairs(pairs: number): ClipRobot {
  const limbs = Array.from({ length: 2 * pairs }, (_, k) => `${k % 2 === 0 ? 'left' : 'right'}_limb${k >> 1}`);
  const moved = limbs.flatMap((limb, k) => [
    { name: `${limb}_upper`, parent: 0 },
    { name: `${limb}_lower`, parent: 1 + 2 * k },
  ]);
  const facts = { bodies: [{ name: 'trunk', parent: -1 }, ...moved], joints: moved };
  return { facts, model: { jnt_bodyid: Int32Array.from([1, ...moved.map((_, k) => k + 2)]) } } as unknown as ClipRobot;
}

describe('the orders in which the joints of a file are searched', () => {
  test('two legs and two arms are arranged independently', () => {
    const orders = jointOrders(robotWithPairs(2)).map(({ order }) => order.join(' '));
    expect(orders).toContain('0 1 2 3 6 7 4 5'); // left leg, right leg, right arm, left arm
    expect(orders).toContain('2 0 3 1 4 5 6 7'); // legs in turn, arms not
  });

  test('hands with five fingers do not multiply the orders', () => {
    const orders = jointOrders(robotWithPairs(7));
    expect(orders.length).toBeLessThan(40);
    for (const { order } of orders) expect([...order].sort((a, b) => a - b)).toEqual(order.map((_, k) => k));
  });
});
