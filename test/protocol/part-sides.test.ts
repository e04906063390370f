import { expect, test } from 'vitest';
import { otherSide, sideOf, splitSide } from '../../src/protocol/part-sides.ts';

test.each([
  ['left_hip_pitch_joint', 'right_hip_pitch_joint'],
  ['leftHipYaw', 'rightHipYaw'],
  ['lefthip', 'righthip'],
  ['hipPitch_Left', 'hipPitch_Right'],
  ['l_knee', 'r_knee'],
  ['L_HIP_P', 'R_HIP_P'],
  ['arm_l_wrist', 'arm_r_wrist'],
  // legs by two letters: front left, left hind, left leg
  ['FL_calf', 'FR_calf'],
  ['LF_HFE', 'RF_HFE'],
  ['LL_KFE', 'LR_KFE'],
  ['ll_faa', 'lr_faa'],
  ['AL2', 'AR2'],
  ['leg_l1_joint', 'leg_r1_joint'],
  ['thigh.L', 'thigh.R'],
  ['LA1', 'RA1'],
  ['LL_1', 'RL_1'],
  ['fl.hx', 'fr.hx'],
  ['Link1_L', 'Link1_R'],
  ['L_HIP_R', 'R_HIP_R'],
  ['LHipPitch', 'RHipPitch'],
  ['lHipYaw', 'rHipYaw'],
  ['LHR', 'RHR'],
  ['LAR', 'RAR'],
  ['HIPL', 'HIPR'],
  ['LLEG_JOINT0', 'RLEG_JOINT0'],
  ['kneeL_joint', 'kneeR_joint'],
])('%s and %s are the same part on both sides', (left, right) => {
  const names = ['head', 'waist_yaw_joint', left, right];
  expect(otherSide(left, names)).toBe(right);
  expect(otherSide(right, names)).toBe(left);
  expect([left, right].map((name) => sideOf(name, names))).toEqual(['left', 'right']);
});

test('front and hind legs are not taken for sides', () => {
  for (const legs of [
    ['FL', 'FR', 'RL', 'RR'],
    ['LF', 'RF', 'LR', 'RR'],
    ['LF', 'RF', 'LH', 'RH'],
    ['fl', 'fr', 'hl', 'hr'],
  ]) {
    const joints = legs.map((leg) => `${leg}_knee`);
    expect(joints.map((joint) => otherSide(joint, joints))).toEqual([joints[1], joints[0], joints[3], joints[2]]);
    expect(joints.map((joint) => sideOf(joint, joints))).toEqual(['left', 'right', 'left', 'right']);
  }
});

test('a part with a word for a side has a partner, even if no part has this name', () => {
  expect(otherSide('left_knee', ['left_knee'])).toBe('right_knee');
  expect(otherSide('l_knee', ['l_knee'])).toBe('r_knee');
  expect(otherSide('leftHip', ['leftHip'])).toBe('rightHip');
});

test('a letter names a side only if a part has the name with the other letter', () => {
  for (const name of ['head', 'waist', 'LL_KFE', 'leg_l1_joint', 'LHipPitch', 'Roll', 'l1', 'LIDAR', 'panelL'])
    expect([otherSide(name, [name, 'torso']), sideOf(name, [name, 'torso'])]).toEqual([null, null]);
  expect(otherSide('upright_joint', ['upright_joint'])).toBeNull();
});

test('a name is split into the side and the rest, which both sides share', () => {
  const names = ['arm_l_wrist', 'arm_r_wrist', 'FL_hip', 'FR_hip', 'leg_l1', 'leg_r1'];
  expect(
    ['left_hip_pitch', 'knee_R', 'RightElbow', 'Hand.left', ...names].map((name) => splitSide(name, names)),
  ).toEqual([
    { side: 'left', rest: 'hip_pitch' },
    { side: 'right', rest: 'knee' },
    { side: 'right', rest: 'Elbow' },
    { side: 'left', rest: 'Hand' },
    { side: 'left', rest: 'arm_wrist' },
    { side: 'right', rest: 'arm_wrist' },
    { side: 'left', rest: 'FL/FR_hip' },
    { side: 'right', rest: 'FL/FR_hip' },
    { side: 'left', rest: 'leg_l1/r1' },
    { side: 'right', rest: 'leg_l1/r1' },
  ]);
  for (const name of ['waist_roll', 'leftover', 'upright'])
    expect(splitSide(name, [name])).toEqual({ side: null, rest: name });
});
