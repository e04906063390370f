import { describe, expect, test } from 'vitest';
import { matchJoints } from '../../../src/robot-import/gains/match-joints.ts';

const JOINTS = ['left_hip_pitch_joint', 'left_knee_joint', 'right_hip_pitch_joint', 'right_knee_joint'];

/** Returns the stiffness by joint, and the names that do not match. */
function matched(stated: Readonly<Record<string, number>>, joints: readonly string[] = JOINTS) {
  const gains = new Map(Object.entries(stated).map(([name, stiffness]) => [name, { stiffness }]));
  const found = matchJoints(gains, joints);
  return {
    kp: Object.fromEntries([...found.gains].map(([name, gain]) => [name, gain.stiffness])),
    unmatched: found.unmatched,
  };
}

describe('joints are found', () => {
  test('joints are found by name, with or without the suffix _joint', () => {
    expect(matched({ left_hip_pitch: 1, left_knee_joint: 2 }).kp).toEqual({
      left_hip_pitch_joint: 1,
      left_knee_joint: 2,
    });
    expect(matched({ hip_joint: 3 }, ['hip'])).toEqual({ kp: { hip: 3 }, unmatched: [] });
  });

  test('joints are found by patterns of whole names; a name overrides a pattern, and a pattern overrides .*', () => {
    const { kp, unmatched } = matched({ left_knee: 4, '.*_knee_joint': 3, '(left|right)_hip_.*': 2, '.*': 1 });
    expect(kp).toEqual({
      left_hip_pitch_joint: 2,
      left_knee_joint: 4,
      right_hip_pitch_joint: 2,
      right_knee_joint: 3,
    });
    expect(unmatched).toEqual([]);
    expect(matched({ 'joint_[12]': 7 }, ['joint_1', 'joint_2', 'joint_10']).unmatched).toEqual(['joint_10']);
  });

  test('joints that no whole name matches are found by parts of their names; the longest part is used', () => {
    expect(matched({ knee: 5, hip: 1, hip_pitch: 2, waist: 9 })).toEqual({
      kp: { left_hip_pitch_joint: 2, left_knee_joint: 5, right_hip_pitch_joint: 2, right_knee_joint: 5 },
      unmatched: ['waist'],
    });
    expect(matched({ left_knee: 5, hip: 1 })).toEqual({
      kp: { left_hip_pitch_joint: 1, left_knee_joint: 5, right_hip_pitch_joint: 1 },
      unmatched: ['right_knee_joint'],
    });
    expect(matched({ nee: 5 }).kp).toEqual({});
    // `torso` is the name of a joint without its suffix, as `waist_yaw` of a G1.
    expect(matched({ hip_pitch: 1, knee: 2, torso: 3, ankle: 4 }, [...JOINTS, 'torso_joint'])).toEqual({
      kp: {
        left_hip_pitch_joint: 1,
        left_knee_joint: 2,
        right_hip_pitch_joint: 1,
        right_knee_joint: 2,
        torso_joint: 3,
      },
      unmatched: ['ankle'],
    });
    expect(matched({ left_knee: 1, knee: 2, '.*hip.*': 3 }).kp).toEqual({
      left_hip_pitch_joint: 3,
      left_knee_joint: 1,
      right_hip_pitch_joint: 3,
      right_knee_joint: 2,
    });
    expect(matched({ '.*': 1, knee: 2 }).kp).toEqual({
      left_hip_pitch_joint: 1,
      left_knee_joint: 2,
      right_hip_pitch_joint: 1,
      right_knee_joint: 2,
    });
  });
});

test('"unmatched" lists joints that keep their gains, then unknown names; a stiffness of 0 is ignored', () => {
  expect(matched({ left_hip_pitch: 1, left_knee: 0, head: 3, right_hip_pitch: 1 }).unmatched).toEqual([
    'left_knee_joint',
    'right_knee_joint',
    'head',
  ]);
});

test.each([
  '(a+)+b',
  '(.*a){20}',
  '(?=a)b.*',
  'a**',
  '.*.*.*.*.*b',
  '(',
  'x{1,900}',
  '\\1(a)',
  `${')?'.repeat(120)}!`,
  `${'(?:'.repeat(80)}!`,
  `[${'a'.repeat(300)}]`,
])('the pattern %s is refused', (pattern) => {
  expect(() => matched({ [pattern]: 1 })).toThrow(/the joint pattern .* is not supported/);
});

test('a pattern with many repetitions is matched quickly', () => {
  const joint = 'a'.repeat(128);
  expect(matched({ '.*a.*a.*a.*b': 1, [joint]: 2 }, [joint]).unmatched).toEqual(['.*a.*a.*a.*b']);
});
