import { expect, test } from 'vitest';
import { groupJoints, mirrored, splitSide, twinOf } from '../../../../web/src/features/robots/shared/joint-groups.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('the side of a joint is found in every common spelling, but only as a separate word', () => {
  expect(splitSide('left_hip_pitch_joint')).toEqual({ side: 'left', rest: 'hip_pitch' });
  expect(splitSide('knee_R')).toEqual({ side: 'right', rest: 'knee' });
  expect(splitSide('RightElbow')).toEqual({ side: 'right', rest: 'Elbow' });
  expect(splitSide('LHipYaw')).toEqual({ side: 'left', rest: 'Hip_Yaw' });
  expect(splitSide('waist_roll_joint')).toEqual({ side: null, rest: 'waist_roll' }); // contains the letters l and r
  expect(splitSide('leftover')).toEqual({ side: null, rest: 'leftover' });
});

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

test('mirroring keeps pitch and negates roll and yaw', () => {
  const joints = named('left_hip_roll_joint', 'right_hip_roll_joint', 'waist_yaw_joint');
  expect(twinOf(joints[0]!, joints)).toBe(joints[1]);
  expect(twinOf(joints[2]!, joints)).toBeNull();
  expect(mirrored('left_hip_roll_joint', 0.3)).toBe(-0.3);
  expect(mirrored('left_hip_yaw_joint', 0)).toBe(0); // not −0, which would be shown with its sign
  expect(mirrored('left_hip_pitch_joint', 0.3)).toBe(0.3);
});
