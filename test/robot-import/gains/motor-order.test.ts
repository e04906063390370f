import { describe, expect, test } from 'vitest';
import { orderOfMotors } from '../../../src/robot-import/gains/motor-order.ts';
import type { RobotFacts } from '../../../src/robots/robot-facts.ts';
import { TINY_ROBOT } from '../../support/terms.ts';

/** Returns a trunk with legs of three joints. A bracket holds each hip. */
function robot(legs: readonly string[]): Pick<RobotFacts, 'joints' | 'bodies'> {
  const [joint] = TINY_ROBOT.joints;
  const bodies: { name: string; parent: number }[] = [{ name: 'trunk', parent: -1 }];
  const joints: RobotFacts['joints'][number][] = [];
  for (const leg of legs) {
    bodies.push({ name: `${leg}_bracket`, parent: 0 });
    for (const part of ['hip', 'thigh', 'calf']) {
      bodies.push({ name: `${leg}_${part}`, parent: bodies.length - 1 });
      joints.push({ ...joint!, name: `${leg}_${part}`, body: bodies.length - 1, follows: null });
    }
  }
  return { joints, bodies };
}

describe('joints of a policy without names', () => {
  const legs = ['FL', 'FR', 'RL', 'RR'];
  const ofLegs = (order: readonly string[]) =>
    order.flatMap((leg) => ['hip', 'thigh', 'calf'].map((part) => `${leg}_${part}`));

  test('unnamed joints of a MuJoCo policy have the order of the model, even if the motors are numbered from the right', () => {
    const order = orderOfMotors([3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8], robot(legs));
    expect(order?.names).toEqual(ofLegs(legs));
  });

  test('unnamed joints of an Isaac policy have breadth-first order', () => {
    const order = orderOfMotors([3, 0, 9, 6, 4, 1, 10, 7, 5, 2, 11, 8], robot(legs));
    expect(order?.names).toEqual(['hip', 'thigh', 'calf'].flatMap((part) => legs.map((leg) => `${leg}_${part}`)));
    expect(order?.text).toMatch(/breadth-first/);
  });

  test('joints cannot be assigned if the robot has another number of joints', () => {
    expect(orderOfMotors([0, 1, 2], robot(legs))).toBeNull();
  });
});
