import { describe, expect, test } from 'vitest';
import { groupJoints, mirrored, twinOf } from '../../../../web/src/features/robots/shared/joint-groups.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('left and right share a row, in groups from the legs upwards', () => {
  const joints = named(
    'waist_yaw_joint',
    'left_elbow_joint',
    'right_elbow_joint',
    'left_knee_joint',
    'right_knee_joint',
    'tail',
  );
  const groups = groupJoints(joints);
  expect(groups.map(({ title, paired }) => [title, paired])).toEqual([
    ['Legs', true],
    ['Waist', false],
    ['Arms', true],
    ['Other', false],
  ]);
  expect(groups[0]?.rows).toEqual([{ label: 'knee', left: joints[3], right: joints[4], single: null }]);
});

test('every joint has exactly one place, also a joint without a twin', () => {
  const joints = named('left_knee_joint', 'right_ankle_joint', 'left_ankle_joint', 'left_thumb', 'joint7');
  const placed = groupJoints(joints).flatMap(({ rows }) => rows.flatMap((row) => [row.left, row.right, row.single]));
  expect(
    placed
      .filter((joint) => joint !== null)
      .map((joint) => joint?.name)
      .sort(),
  ).toEqual(joints.map((joint) => joint.name).sort());
});

test('the legs of a quadruped are paired across its middle, front with front', () => {
  const legs = ['FL_hip', 'FR_hip', 'RL_hip', 'RR_hip'].map((name) => `${name}_joint`);
  const [group] = groupJoints(named(...legs));
  expect([group?.title, group?.paired]).toEqual(['Legs', true]);
  expect(group?.rows.map(({ label, left, right }) => [label, left?.name, right?.name])).toEqual([
    ['FL/FR_hip', 'FL_hip_joint', 'FR_hip_joint'],
    ['RL/RR_hip', 'RL_hip_joint', 'RR_hip_joint'],
  ]);
});

test('the joint on the other side is found', () => {
  const joints = named(
    'left_hip_roll_joint',
    'right_hip_roll_joint',
    'waist_yaw_joint',
    'leg_l1_joint',
    'leg_r1_joint',
  );
  expect(joints.map((joint) => twinOf(joint, joints)?.name)).toEqual([
    'right_hip_roll_joint',
    'left_hip_roll_joint',
    undefined,
    'leg_r1_joint',
    'leg_l1_joint',
  ]);
});

describe('mirroring', () => {
  const joint = (name: string, lower: number | null, upper: number | null) => ({ name, lower, upper });

  test('the sign follows from the ranges of both joints', () => {
    expect(mirrored(joint('l1', -0.2, 1), joint('r1', -1, 0.2), 0.3)).toBe(-0.3);
    expect(mirrored(joint('l1_yaw', -0.2, 1), joint('r1_yaw', -0.2, 1), 0.3)).toBe(0.3);
  });

  test.each([
    [-1, 1],
    [null, null],
  ])(
    'without a difference between the ranges, it keeps pitch and negates roll, yaw and abduction: %s to %s',
    (lower, upper) => {
      const both = (name: string) =>
        [joint(`left_${name}`, lower, upper), joint(`right_${name}`, lower, upper)] as const;
      expect(mirrored(...both('hip_roll_joint'), 0.3)).toBe(-0.3);
      expect(mirrored(...both('hip_yaw_joint'), 0)).toBe(0); // not −0, which would be shown with its sign
      expect(mirrored(...both('hip_pitch_joint'), 0.3)).toBe(0.3);
      expect(mirrored(joint('FL_hip_joint', lower, upper), joint('FR_hip_joint', lower, upper), 0.3)).toBe(-0.3);
      expect(mirrored(joint('LF_HAA', lower, upper), joint('RF_HAA', lower, upper), 0.3)).toBe(-0.3);
      expect(mirrored(joint('FL_thigh_joint', lower, upper), joint('FR_thigh_joint', lower, upper), 0.3)).toBe(0.3);
    },
  );
});
