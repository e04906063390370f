import { describe, expect, test } from 'vitest';
import { RecentErrors } from '../../src/evaluate/divergence.ts';
import { createState } from '../../src/mdp/env/state-arrays.ts';

const HZ = 50;
const [BODIES, JOINTS, ENV] = [3, 2, 1];

/** Plays errors of joint 0, joint 1 and the key body 2 of the second of two environments. @returns what diverged */
function diverged(steps: number, errorsAt: (stepsBeforeFailure: number) => readonly [number, number, number]) {
  const state = createState({ n: 2, joints: JOINTS, bodies: BODIES, keybodies: 2, feet: 0 });
  const errors = new RecentErrors(state, ENV, { keybodies: [0, 2] }, HZ);
  for (let step = 0; step < steps; step++) {
    const [one, two, body] = errorsAt(steps - 1 - step);
    state.jointPos.set([one, -two], JOINTS * ENV);
    state.bodyPosW.set([0, 0, body], 3 * (ENV * BODIES + 2));
    errors.add();
  }
  return errors.diverged();
}

describe('what diverged before a failure', () => {
  test('is the joint that was farthest off in the second before, not the one that is off in the fall', () => {
    expect(diverged(200, (before) => (before < 10 ? [3, 0.6, 1] : [0.1, 0.6, 0.2]))).toMatchObject({
      kind: 'joint',
      index: 1,
      limit: 0.4,
    });
  });

  test('does not count what was over a second ago', () => {
    expect(diverged(200, (before) => (before >= 50 ? [3, 0, 0] : [0, 0, 0]))).toBeNull();
  });

  test('is a mean: half of the time at 1 rad is 0.5 rad', () => {
    const found = diverged(50, (before) => (before >= 30 ? [1, 0, 0] : [0, 0, 0]));
    expect(found!.value).toBeCloseTo(0.5, 6);
  });

  test('is a key body if no joint is off', () => {
    expect(diverged(100, () => [0.3, 0.3, 0.25])).toMatchObject({ kind: 'body', index: 2, value: 0.25, limit: 0.15 });
  });

  test('in an episode of a few steps leaves out the last step only', () => {
    expect(diverged(5, (before) => (before === 0 ? [0, 9, 0] : [0.7, 0, 0]))).toMatchObject({
      kind: 'joint',
      index: 0,
    });
    expect(diverged(1, () => [9, 9, 9])).toBeNull();
  });
});
