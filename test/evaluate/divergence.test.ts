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

describe('the first cause of a failure', () => {
  test('the first cause of a failure is the joint whose error first stayed above 0.6 rad for 0.2 s, not a later larger one', () => {
    const found = diverged(200, (before) => [before < 80 ? 0.65 : 0.1, before < 60 ? 2 : 0, 1]);
    expect(found).toMatchObject({ kind: 'joint', index: 0, limit: 0.6 });
    expect(found!.value).toBeCloseTo(0.65, 6);
  });

  test('the first cause is not a joint that was off for a moment, or more than two seconds before', () => {
    expect(diverged(200, (before) => [before % 10 === 0 ? 0 : 0.7, before < 20 ? 0.7 : 0, 0])).toMatchObject({
      index: 1,
    });
    expect(diverged(200, (before) => (before >= 100 ? [3, 0, 0] : [0, 0, 0]))).toBeNull();
  });

  test('otherwise the first cause is the joint farthest off in the second before, not the joint that is off in the fall', () => {
    expect(diverged(200, (before) => (before < 9 ? [3, 0.5, 1] : [0.1, 0.5, 0.2]))).toMatchObject({
      kind: 'joint',
      index: 1,
      limit: 0.4,
    });
  });

  test('the error of the first cause is a mean: three quarters at 0.55 rad and one at 0.2 rad give 0.4625 rad', () => {
    const found = diverged(50, (before) => (before >= 20 ? [0.55, 0, 0] : [0.2, 0, 0]));
    expect(found!.value).toBeCloseTo(0.4625, 6);
  });

  test('the first cause is a key body if no joint is off', () => {
    expect(diverged(100, () => [0.3, 0.3, 0.25])).toMatchObject({ kind: 'body', index: 2, value: 0.25, limit: 0.15 });
  });

  test('the first cause of a failure in an episode of a few steps ignores only the last step', () => {
    expect(diverged(5, (before) => (before === 0 ? [0, 9, 0] : [0.7, 0, 0]))).toMatchObject({
      kind: 'joint',
      index: 0,
    });
    expect(diverged(1, () => [9, 9, 9])).toBeNull();
  });
});
