import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { humanoidMjcf } from '../../src/robots/humanoid/humanoid.ts';
import { inspected } from '../support/inspected.ts';
import { g1Spec, hasKit, KIT } from '../support/kit.ts';
import { dogMjcf, WALKER_MJCF } from '../support/models.ts';

const OMEGA = 2 * Math.PI * 10;
const HIP = '<joint name="left_hip_joint" axis="0 1 0" range="-1 1"';

/** Returns the walker with an actuator, and with other attributes of its left hip joint. */
function leftHip(attributes: string, actuator = '') {
  const mjcf = WALKER_MJCF.replace(HIP, `${HIP} ${attributes}`).replace(
    '</mujoco>',
    `<actuator>${actuator}</actuator></mujoco>`,
  );
  const { gains, warnings, spec } = inspected(mjcf);
  return { gains: gains['left_hip_joint']!, warnings, spec: spec.joints['left_hip_joint']! };
}

test('stiffness and damping make the rotor swing at 10 Hz with damping ratio 2; the action scale is 0.25 effort / kp', () => {
  const { gains, spec } = leftHip('armature="0.02" actuatorfrcrange="-60 60"');
  expect(gains.armature).toBe(0.02);
  expect(gains.stiffness).toBeCloseTo(0.02 * OMEGA ** 2, 3);
  expect(gains.damping).toBeCloseTo(4 * 0.02 * OMEGA, 3);
  expect(spec.action_scale).toBeCloseTo((0.25 * 60) / gains.stiffness, 5);
  expect(gains.source).toMatch(/armature of the model/);
});

describe('effort', () => {
  test.each([
    ['of the force range of its actuator', '', '<motor joint="left_hip_joint" forcerange="-70 70"/>', 70],
    ['of a motor: control range × gear', '', '<motor joint="left_hip_joint" ctrlrange="-1 1" gear="80"/>', 80],
    ['of the joint', 'actuatorfrcrange="-33 33"', '', 33],
  ])('the effort limit is that %s', (_, attributes, actuator, effort) => {
    const { gains } = leftHip(attributes, actuator);
    expect(gains.effort_limit).toBe(effort);
    expect(gains.source).not.toMatch(/effort assumed/);
    // This is the usual armature for this effort limit.
    expect(gains.armature).toBeCloseTo(2e-4 * effort, 8);
  });

  test('the effort is estimated from weight and height if the model states none, with a note', () => {
    const { gains, warnings } = leftHip('');
    // half of 16 kg × 9.81 m/s² × 0.62 m
    expect(gains.effort_limit).toBe(49);
    expect(gains.source).toMatch(/effort assumed/);
    expect(warnings.join()).toMatch(/effort limits: the model does not state them/);
  });

  test('the effort is estimated if the model states an impossible one, with a note', () => {
    const { gains, warnings } = leftHip('actuatorfrcrange="-6000 6000"');
    expect(gains.effort_limit).toBe(49);
    expect(warnings.join()).toMatch(/40 times the estimates .*left_hip_joint 6000 Nm instead of 49 Nm/);
    expect(leftHip('actuatorfrcrange="-600 600"').gains.effort_limit).toBe(600);
  });

  test('the estimated effort is equal for all joints from shoulder to elbow', () => {
    const { gains } = inspected(humanoidMjcf());
    const arm = ['shoulder_pitch', 'shoulder_roll', 'shoulder_yaw', 'elbow'];
    const efforts = arm.map((part) => gains[`left_${part}_joint`]!.effort_limit);
    expect(new Set(efforts).size).toBe(1);
    expect(gains['left_knee_joint']!.effort_limit).toBeGreaterThan(5 * efforts[0]!);
  });
});

describe('gains of the knees of a crouching dog', () => {
  const dog = (attributes: string) => {
    const actuators = [...dogMjcf().matchAll(/joint name="(\w+)"/g)].map(
      ([, name]) => `<${attributes} joint="${name}"/>`,
    );
    return inspected(dogMjcf().replace('</mujoco>', `<actuator>${actuators.join('')}</actuator></mujoco>`));
  };
  // About a quarter of 13 kg at the end of a link of 0.2 m that leans by 0.75 rad.
  const load = { least: 3.4, most: 4.5 };

  test('gains of the knees of a crouching dog are stiff enough for the weight, although the motors are small', () => {
    const { gains } = dog('motor forcerange="-12 12"');
    const knee = gains['fl_calf_joint']!;
    expect(knee.stiffness).toBeGreaterThan(load.least / 0.12);
    expect(knee.stiffness).toBeLessThan(load.most / 0.12);
    expect(knee.damping).toBeCloseTo((4 * knee.stiffness) / OMEGA, 3);
    expect(knee.source).toMatch(/at most 0\.12 rad under 3\.\d Nm of weight/);
    // A stronger motor has a larger rotor, whose stiffness suffices.
    expect(dog('motor forcerange="-60 60"').gains['fl_calf_joint']!.source).toMatch(/armature at 10 Hz/);
  });

  test('gains of the knees are stiffer where more of the weight rests', () => {
    const behind = dogMjcf().replace(
      '<geom type="box" size="0.2 0.1 0.05"',
      '<geom type="box" size="0.1 0.1 0.05" pos="-0.1 0 0"',
    );
    const { gains } = inspected(
      behind.replace(
        '</mujoco>',
        `<actuator>${['fl', 'fr', 'rl', 'rr'].map((leg) => `<motor joint="${leg}_calf_joint" forcerange="-12 12"/>`).join('')}</actuator></mujoco>`,
      ),
    );
    const stiffness = (leg: string) => gains[`${leg}_calf_joint`]!.stiffness;
    expect(stiffness('rr')).toBeCloseTo(stiffness('rl'), 1);
    expect(stiffness('rr')).toBeGreaterThan(2 * stiffness('fl'));
  });

  test.each(['with motors of 12 Nm', 'without motors'])(
    'both sides get equal gains %s, although one of them carries more weight',
    (kind) => {
      const left = dogMjcf().replace('<geom type="box" size="0.2 0.1 0.05"', '$& pos="0 0.02 0"');
      const motors = ['fl', 'fr', 'rl', 'rr'].flatMap((leg) =>
        ['hip', 'thigh', 'calf'].map((part) => `<motor joint="${leg}_${part}_joint" forcerange="-12 12"/>`),
      );
      const given = kind === 'without motors' ? [] : motors;
      const { gains } = inspected(left.replace('</mujoco>', `<actuator>${given.join('')}</actuator></mujoco>`));
      for (const end of ['f', 'r'])
        for (const part of ['hip', 'thigh', 'calf'])
          expect(gains[`${end}r_${part}_joint`]).toEqual({
            ...gains[`${end}l_${part}_joint`],
            source: expect.any(String),
          });
    },
  );

  test('suggested gains replace those of a servo that the weight bends', () => {
    const { gains, warnings } = dog('position kp="6" kv="0.4" forcerange="-20 20"');
    expect(gains['fl_calf_joint']!.stiffness).toBeGreaterThan(load.least / 0.3);
    expect(warnings.join()).toMatch(
      /too low for the weight of the robot.*fl_calf_joint \(actuator \w+ has 6 Nm\/rad, would sag by 0\.\d+ rad\)/,
    );
    expect(dog('position kp="20" kv="1" forcerange="-20 20"').gains['fl_calf_joint']!.stiffness).toBe(20);
  });
});

test('gains of a position servo are kept', () => {
  const { gains } = leftHip('', '<position joint="left_hip_joint" kp="120" kv="3" forcerange="-50 50"/>');
  expect(gains).toMatchObject({ stiffness: 120, damping: 3, effort_limit: 50 });
  expect(gains.source).toMatch(/gains of actuator/);
});

test('a servo without any damping gets damping', () => {
  const { gains } = leftHip('', '<position joint="left_hip_joint" kp="120" forcerange="-50 50"/>');
  expect(gains.stiffness).toBe(120);
  expect(gains.damping).toBeCloseTo((4 * 120) / OMEGA, 3);
  expect(gains.source).toMatch(/missing damping added/);
});

test('a servo without damping gets the rest that the damper of the joint leaves, never zero', () => {
  const actuator = '<position joint="left_hip_joint" kp="120" forcerange="-50 50"/>';
  expect(leftHip('damping="2"', actuator).gains.damping).toBeCloseTo((4 * 120) / OMEGA - 2, 3);
  expect(leftHip('damping="30"', actuator).gains.damping).toBe(30);
});

test('an armature far too small is replaced, with a note', () => {
  const { gains, warnings } = leftHip('armature="1e-6" actuatorfrcrange="-60 60"');
  expect(gains.armature).toBeCloseTo(0.012, 8);
  expect(warnings.join()).toMatch(/left_hip_joint: armature 0\.000001 .*0\.012 is suggested/);
});

test('an armature far too large for the motor is replaced, with a note', () => {
  const { gains, warnings } = leftHip('armature="0.2" actuatorfrcrange="-1.5 1.5"');
  expect(gains.armature).toBeCloseTo(3e-4, 8);
  expect(gains.effort_limit / gains.stiffness).toBeGreaterThan(0.1);
  expect(warnings.join()).toMatch(/left_hip_joint: armature 0\.2 of the model is too large for 1\.5 Nm/);
});

test('a rotor with a high gear ratio keeps its armature, with gains for full effort at 0.1 rad', () => {
  const { gains, warnings } = leftHip('armature="0.045" actuatorfrcrange="-5 5"');
  expect(gains.armature).toBe(0.045);
  expect(gains.stiffness).toBeCloseTo(5 / 0.1, 6);
  expect(warnings.join()).not.toMatch(/armature/);
});

test('a light rotor keeps its armature, with gains for full effort within 3 rad', () => {
  const { gains } = leftHip('armature="0.0012" actuatorfrcrange="-60 60"');
  expect(gains.armature).toBe(0.0012);
  expect(gains.stiffness).toBeCloseTo(60 / 3, 6);
  expect(gains.source).toMatch(/stiffness for full effort at 3 rad/);
});

test('a servo stiff enough to act as a switch gets less stiffness, with a note', () => {
  const { gains, warnings } = leftHip(
    '',
    '<position name="finger" joint="left_hip_joint" kp="500" kv="9" forcerange="-1.4 1.4"/>',
  );
  expect(gains.stiffness).toBe(14);
  expect(gains.damping).toBeCloseTo((4 * 14) / OMEGA, 3);
  expect(warnings.join()).toMatch(
    /stiffness too high.*left_hip_joint \(actuator finger has 500 Nm\/rad, so 1\.4 Nm are reached at an error of 0\.0028 rad\)/,
  );
});

test('a servo with MuJoCo’s default stiffness of 1 gets the usual stiffness, with a note', () => {
  const servo = (kp: number) => leftHip('', `<position joint="left_hip_joint" kp="${kp}" forcerange="-60 60"/>`);
  const { gains, warnings } = servo(1);
  expect(gains.stiffness).toBeCloseTo(2e-4 * 60 * OMEGA ** 2, 3);
  expect(warnings.join()).toMatch(
    /stiffness too low to use the effort limit.*left_hip_joint \(actuator \w+ has 1 Nm\/rad, so 60 Nm are reached at an error of 60 rad\)/,
  );
  expect(servo(20).gains.stiffness).toBe(20); // 3 rad
});

test('one armature for motors of all strengths is treated as a placeholder', () => {
  const stated = (left: number, right: number) =>
    WALKER_MJCF.replaceAll(
      /<joint name="(left|right)_(hip|knee)_joint"/g,
      (tag, side: string) => `${tag} armature="0.01" actuatorfrcrange="0 ${side === 'left' ? left : right}"`,
    );
  const { gains, warnings } = inspected(stated(300, 40));
  expect(gains['left_knee_joint']!.armature).toBeCloseTo(0.06, 8);
  expect(gains['right_knee_joint']!.armature).toBeCloseTo(0.008, 8);
  expect(warnings.join()).toMatch(/all joints of the model have 0\.01, .* from 40 to 300 Nm/);
  expect(inspected(stated(60, 40)).gains['left_knee_joint']!.armature).toBe(0.01);
});

test('joints that the model leaves without an actuator get no gains and stay at zero, and a note names them', () => {
  const key = '<keyframe><key name="home" qpos="0 0 0.6 1 0 0 0 0.1 0.3 0.1 0.3"/></keyframe>';
  const motors = ['left_hip', 'left_knee', 'right_hip'].map((name) => `<motor joint="${name}_joint"/>`).join('');
  const { spec, joints, gains, warnings } = inspected(
    WALKER_MJCF.replace('</mujoco>', `${key}<actuator>${motors}</actuator></mujoco>`),
  );
  const driven = ['left_hip_joint', 'left_knee_joint', 'right_hip_joint'];
  expect([Object.keys(spec.joints), Object.keys(gains)]).toEqual([driven, driven]);
  expect(spec.joints['left_knee_joint']!.default).toBe(0.3);
  expect(joints.find(({ name }) => name === 'right_knee_joint')).toMatchObject({ default: 0, effort_limit: null });
  expect(warnings.join()).toMatch(/get no gains and stay passive: right_knee_joint\. Add actuators/);
});

describe.skipIf(!hasKit)("the kit's G1", () => {
  const mjcf = hasKit ? readFileSync(`${KIT}/robots/g1_nomesh/g1_nomesh.xml`, 'utf8') : '';
  const real = hasKit ? g1Spec() : null!;
  const stating = (attributes: (joint: string) => string) =>
    mjcf.replaceAll(/<joint name="(\w+)"/g, (tag, name: string) => `${tag} ${attributes(name)}`);
  const within = (ratio: number, value: number, expected: number) =>
    value <= ratio * expected && value >= expected / ratio;
  const effort = (name: string) => {
    const limit = real.joints[name]!.effort_limit;
    return `actuatorfrcrange="-${limit} ${limit}"`;
  };

  test('the G1 is wired like the policies trained for it', () => {
    const { wiring, spec } = inspected(mjcf);
    expect(wiring).toEqual(real.wiring);
    expect(spec.end_effectors).toEqual(real.end_effectors);
    expect(spec.foot_sole_z).toBeCloseTo(0.035, 6);
    expect(Math.abs(spec.root_height - real.root_height)).toBeLessThan(0.005);
  });

  test('the G1 has its published gains if the model states armature and effort', () => {
    const { gains, spec } = inspected(stating((name) => `armature="${real.joints[name]!.armature}" ${effort(name)}`));
    for (const [name, expected] of Object.entries(real.joints)) {
      const got = gains[name]!;
      expect(got.stiffness / expected.stiffness, name).toBeCloseTo(1, 4);
      expect(got.damping / expected.damping, name).toBeCloseTo(1, 4);
      expect(spec.joints[name]!.action_scale / expected.action_scale, name).toBeCloseTo(1, 4);
    }
  });

  test('the G1 has gains within a factor of two if the model states only efforts, except for the small wrists', () => {
    const { gains } = inspected(stating(effort));
    const far = Object.entries(real.joints).filter(
      ([name, { stiffness }]) => !within(2, gains[name]!.stiffness, stiffness),
    );
    expect(far.map(([name]) => name).sort()).toEqual(
      ['left', 'right'].flatMap((side) => ['pitch', 'yaw'].map((axis) => `${side}_wrist_${axis}_joint`)),
    );
  });

  test('the G1 has efforts within a factor of two if the model states none, except for the roll of its wrists', () => {
    const { gains } = inspected(mjcf);
    const far = Object.entries(real.joints).filter(
      ([name, joint]) => !within(2, gains[name]!.effort_limit, joint.effort_limit),
    );
    expect(far.map(([name]) => name)).toEqual(['left_wrist_roll_joint', 'right_wrist_roll_joint']);
  });
});
