import { describe, expect, test } from 'vitest';
import { humanoidMjcf, humanoidSpec } from '../../src/robots/humanoid/humanoid.ts';
import { inspected } from '../support/inspected.ts';
import { armMjcf, dogMjcf, WALKER_MJCF } from '../support/models.ts';

const HUMANOID = humanoidMjcf();

describe('wiring', () => {
  test('the suggested wiring of the built-in humanoid equals its hand-written wiring', () => {
    const { wiring, endEffectors } = { ...inspected(HUMANOID), endEffectors: inspected(HUMANOID).spec.end_effectors };
    expect(wiring).toEqual(humanoidSpec().wiring);
    expect(endEffectors).toEqual(humanoidSpec().end_effectors);
  });

  test('wiring states its reasons: arms that branch off, share of mass, height of the feet', () => {
    const { reasons } = inspected(HUMANOID);
    // 9.8 of 35 kg
    expect(reasons.anchor).toBe('torso_link: both arms attach here, its name says trunk, 28 % of the mass');
    expect(reasons.keybodies).toMatch(/2 legs and 2 arms/);
    // 5 % of a root height of 0.68 m
    expect(reasons.feet).toMatch(/within 3\.4 cm of the lowest point/);
  });

  test('wiring finds the left foot by its position if the names do not help', () => {
    const nameless = WALKER_MJCF.replaceAll('left_foot', 'sole_b').replaceAll('right_foot', 'sole_a');
    expect(inspected(nameless).wiring).toEqual({
      anchor: 'trunk',
      keybodies: ['trunk', 'sole_b', 'sole_a'],
      feet: ['sole_b', 'sole_a'], // at y 0.1 and -0.1
    });
  });

  test('an arm ends at the hand, not at a finger', () => {
    const finger = (side: string, name: string, y: number) =>
      `<body name="${side}_${name}" pos="0 ${y} -0.08"><joint name="${side}_${name}_joint" axis="0 1 0" range="0 1"/>` +
      '<geom type="capsule" size="0.005" fromto="0 0 0 0 0 -0.04" mass="0.02"/></body>';
    const fingers = HUMANOID.replaceAll(
      /<body name="(left|right)_hand_link"[^>]*>/g,
      (tag, side: string) => tag + finger(side, 'thumb', -0.02) + finger(side, 'index', 0.02),
    );
    expect(fingers).toContain('left_thumb_joint');
    expect(inspected(fingers).wiring).toEqual(humanoidSpec().wiring);
  });

  test.each([
    ['hand', 'left_hand_link'],
    ['a hand fixed to a wrist of another name', 'left_tip_link'],
  ])('a thumb that is much lighter than the other fingers is not a gear: %s', (_, branch) => {
    const fingers =
      '<body name="left_thumb"><joint name="left_thumb_joint" axis="0 1 0" range="0 1"/><geom size="0.005" mass="0.01"/></body>' +
      '<body name="left_fingers"><joint name="left_fingers_joint" axis="0 1 0" range="0 1"/><geom size="0.01" mass="0.2"/></body>' +
      (branch === 'left_tip_link' ? '<body name="left_palm"><geom size="0.01" mass="0.01"/></body>' : '');
    const handed = HUMANOID.replace(/<body name="left_hand_link"[^>]*>/, (tag) => tag + fingers).replaceAll(
      'left_hand_link',
      branch,
    );
    expect(
      inspected(handed).wiring.keybodies.filter((name) => /left_(hand|tip|palm|thumb|fingers)/.test(name)),
    ).toEqual([branch === 'left_tip_link' ? 'left_palm' : branch]);
  });

  test('an arm continues past the gear of a drive, which is a body of its own', () => {
    const gear = (side: string, name: string) =>
      `<body name="${side}_${name}"><joint name="${side}_${name}_drive" axis="0 0 1"/><geom size="0.01" mass="0.02"/></body>`;
    const geared = HUMANOID.replaceAll(
      /<body name="(left|right)_(shoulder_\w+|upper_arm)_link"[^>]*>/g,
      (tag, side: string, part: string) => tag + gear(side, `${part}_gear`),
    );
    expect(geared).toContain('gear_drive');
    expect(inspected(geared).wiring).toEqual(humanoidSpec().wiring);
  });

  test('an arm of two joints is accepted if it ends in a hand with fingers', () => {
    const arm = (side: string, y: number, fingers: readonly string[]) => `
      <body name="${side}_upper" pos="0 ${y} 0.1"><joint name="${side}_shoulder" axis="0 1 0" range="-1 1"/>
        <geom type="capsule" size="0.02" fromto="0 0 -0.05 0 0 -0.1" mass="0.5"/>
        <body name="${side}_fore" pos="0 0 -0.12"><joint name="${side}_bend" axis="0 1 0" range="-1 1"/>
          <geom type="capsule" size="0.02" fromto="0 0 -0.03 0 0 -0.08" mass="0.3"/>
          ${fingers.map((name, k) => `<body name="${side}_${name}" pos="${0.03 * k} 0 -0.1"><joint name="${side}_${name}_joint"/><geom size="0.01" mass="0.02"/></body>`).join('')}
        </body></body>`;
    const walker = (fingers: readonly string[]) =>
      inspected(
        WALKER_MJCF.replace(
          '<body name="left_thigh"',
          `${arm('left', 0.3, fingers)}${arm('right', -0.3, fingers)}<body name="left_thigh"`,
        ),
      ).wiring.keybodies;
    expect(walker(['thumb', 'index'])).toEqual(expect.arrayContaining(['left_fore', 'right_fore']));
    expect(walker([]).join()).not.toMatch(/fore/);
  });

  test('a foot fixed to the last moving body of a leg is accepted, unless that body is an ankle', () => {
    const feet = dogMjcf().replaceAll(
      /(<geom type="sphere" size="0.02" pos="0 0 -0.2" mass="0.05"\/>)/g,
      '<body name="$1" pos="0 0 -0.2"><geom type="sphere" size="0.02" mass="0.05"/></body>',
    );
    let k = 0;
    const named = feet.replaceAll(
      /<body name="<geom[^>]*>"/g,
      () => `<body name="${['rr', 'fl', 'rl', 'fr'][k++]}_foot"`,
    );
    const { wiring, spec } = inspected(named);
    expect(wiring.feet).toEqual(['fl_foot', 'fr_foot', 'rl_foot', 'rr_foot']);
    expect(spec.foot_sole_z).toBeCloseTo(0.02, 6);
    const shoe = HUMANOID.replaceAll(
      /<body name="(left|right)_ankle_roll_link"[^>]*>/g,
      (tag, side: string) => `${tag}<body name="${side}_foot_frame"/>`,
    );
    expect(inspected(shoe).wiring).toEqual(humanoidSpec().wiring);
  });

  test('the feet are the bodies with the shapes: not a frame of the sole, and not an ankle without shapes', () => {
    const frames = WALKER_MJCF.replaceAll(
      /<body name="(left|right)_foot"([^>]*)>/g,
      '<body name="leg_$1_2_link"$2><body name="$1_sole_link" pos="0 0 -0.02"/>',
    );
    expect(inspected(frames).wiring.feet).toEqual(['leg_left_2_link', 'leg_right_2_link']);
    expect(inspected(frames).spec.foot_sole_z).toBeCloseTo(0.02, 6);
    const ankles = WALKER_MJCF.replaceAll(
      /<body name="(left|right)_foot"([^>]*)>(\s*)(<joint[^>]*>)(\s*)(<geom[^>]*>)/g,
      '<body name="$1_ankle_link"$2>$4<inertial mass="0.1" pos="0 0 0" diaginertia="1e-4 1e-4 1e-4"/>' +
        '<body name="$1_foot_link" pos="0 0 -0.01">$6</body>',
    );
    const { wiring, spec } = inspected(ankles);
    expect(wiring.feet).toEqual(['left_foot_link', 'right_foot_link']);
    expect(spec.foot_sole_z).toBeCloseTo(0.02, 6);
    // A foot with shapes of its own stays the foot, also if a body fixed to it reaches lower.
    const pads = WALKER_MJCF.replaceAll(
      /<body name="(left|right)_foot"[^>]*>/g,
      '$&<body name="$1_pad"><geom type="box" size="0.02 0.02 0.03" mass="0.1"/></body>',
    );
    expect(inspected(pads).wiring.feet).toEqual(['left_foot', 'right_foot']);
  });

  describe('of legs below a waist, next to arms on the root', () => {
    const { wiring, spec, reasons } = inspected(belowWaist());

    test('below a waist, both legs with knees and feet are found, left first, and the waist above them', () => {
      expect(wiring.anchor).toBe('trunk');
      expect(wiring.feet).toEqual(['left_foot', 'right_foot']);
      const leg = (side: string) => [`${side}_shin`, `${side}_foot`];
      const arm = (side: string) => [`${side}_fore`, `${side}_palm`];
      expect(wiring.keybodies).toEqual([
        'trunk',
        'waist_pitch',
        ...leg('left'),
        ...leg('right'),
        ...arm('left'),
        ...arm('right'),
      ]);
    });

    test('legs below a waist bend at knees, hips and ankles, not at the waist', () => {
      const at = (joint: string) => spec.joints[joint]!.default;
      expect(at('left_knee')).toBe(0.3);
      expect(at('right_knee')).toBe(0.3);
      expect(at('left_hip') + at('left_knee') + at('left_ankle')).toBeCloseTo(0, 6);
      expect([at('waist_yaw_joint'), at('waist_pitch_joint')]).toEqual([0, 0]);
      expect(reasons.pose).toMatch(/knees bent by 0\.3 rad/);
    });

    test('toes that branch off a foot stay part of their leg', () => {
      const toe = (name: string, y: number) =>
        `<body name="${name}" pos="0.1 ${y} -0.01"><joint name="${name}_joint" axis="0 1 0" range="-1 1"/>` +
        '<geom type="box" size="0.03 0.01 0.01" mass="0.05"/></body>';
      const toes = belowWaist().replaceAll(
        /<body name="(left|right)_foot"[^>]*>/g,
        (tag, side: string) => tag + toe(`${side}_inner`, -0.02) + toe(`${side}_outer`, 0.02),
      );
      expect(inspected(toes).wiring).toEqual(wiring);
    });
  });

  test('wiring of a robot that faces away from the x axis of its root is the same, with a note', () => {
    const turned = (quarters: number) =>
      belowWaist()
        .replace('<freejoint/>', `<freejoint/><frame euler="0 0 ${(quarters * Math.PI) / 2}">`)
        .replace('</body></worldbody>', '</frame></body></worldbody>');
    const straight = inspected(turned(0));
    expect(straight.warnings.join()).not.toMatch(/faces/);
    for (const [quarters, way] of [
      [1, 'y'],
      [2, '−x'],
      [3, '−y'],
    ] as const) {
      const { wiring, spec, warnings } = inspected(turned(quarters));
      expect(warnings.join()).toMatch(new RegExp(`faces ${way} of its root body trunk, not x`));
      expect(wiring).toEqual(straight.wiring);
      for (const [name, { default: value }] of Object.entries(straight.spec.joints))
        expect(spec.joints[name]!.default).toBeCloseTo(value, 4);
    }
  });

  test('the other leg of a pair is found, although no shape of its foot reaches the floor', () => {
    const short = WALKER_MJCF.replace(
      /<geom name="right_foot_collision"[^>]*>/,
      '<geom name="right_foot_collision" type="box" size="0.1 0.04 0.02" pos="0 0 0.1" mass="1"/>',
    );
    expect(inspected(short).wiring.feet).toEqual(['left_foot', 'right_foot']);
  });

  test('a leg ends at its last body with a collision shape, so that the pair of feet is complete', () => {
    const bare = belowWaist().replace('size="0.1 0.04 0.02"', 'size="0.1 0.04 0.02" contype="0" conaffinity="0"');
    const { wiring } = inspected(bare);
    expect(wiring.feet).toEqual(['left_shin', 'right_foot']);
    expect(wiring.keybodies.slice(0, 2)).toEqual(['trunk', 'waist_pitch']);
  });

  test('all other legs of a robot are found, although only one foot reaches the floor', () => {
    const uneven = dogMjcf().replace('pos="0 0 -0.2" mass="0.05"', 'pos="0 0 -0.3" mass="0.05"');
    expect(inspected(uneven).wiring.feet).toEqual(['fl_calf', 'fr_calf', 'rl_calf', 'rr_calf']);
  });

  test('a leg ends at the shape that hides a wheel', () => {
    const hidden = WALKER_MJCF.replaceAll(
      /<geom name="(left|right)_foot_collision"[^>]*>/g,
      (geom, side: string) =>
        `${geom}<body name="${side}_wheel"><joint name="${side}_wheel_joint" axis="0 1 0"/><geom type="cylinder" size="0.015 0.02" euler="1.5708 0 0" mass="0.2"/></body>`,
    );
    expect(inspected(hidden).wiring.feet).toEqual(['left_foot', 'right_foot']);
  });

  test('a leg ends at the foot, not at its only toe', () => {
    const toed = WALKER_MJCF.replaceAll(
      /(<geom name="(left|right)_foot_collision"[^>]*>)/g,
      (geom, _, side: string) =>
        `${geom}<body name="${side}_toes" pos="0.1 0 0"><joint name="${side}_toe_joint" axis="0 1 0" range="-1 1"/><geom type="box" size="0.03 0.04 0.02" pos="0.03 0 0" mass="0.1"/></body>`,
    );
    expect(inspected(toed).wiring.feet).toEqual(['left_foot', 'right_foot']);
  });

  test('without a pair of feet, the message names the lowest bodies', () => {
    const legless = WALKER_MJCF.replaceAll(
      /<geom (type="capsule"|name="\w+_foot_collision")/g,
      '$& contype="0" conaffinity="0"',
    );
    expect(inspected(legless).warnings.join()).toMatch(
      /0 feet found, the lowest bodies are (left_foot, right_foot|right_foot, left_foot): name/,
    );
  });

  test('a robot without legs stands on its base: the body with the lowest shape, which is named in a warning', () => {
    const { wiring, spec, reasons, warnings } = inspected(armMjcf());
    expect(wiring.feet).toEqual(['plate']);
    expect(wiring.keybodies).toEqual(expect.arrayContaining(['base', 'plate']));
    expect(spec.root_height).toBe(0);
    expect(reasons.feet).toMatch(/so it stands on its base$/);
    expect(warnings.join()).toMatch(/no legs found: the robot stands on plate, which is wired as its foot/);
  });

  test('the anchor of a robot without legs is its base, although a link of the arm is heavier', () => {
    const { wiring, reasons } = inspected(armMjcf().replace('mass="3"', 'mass="0.2"'));
    expect(wiring.anchor).toBe('base');
    expect(reasons.anchor).toMatch(/it is the root/);
  });

  test('wiring omits the head and says so', () => {
    const head =
      '<body name="head_link" pos="0 0 0.5"><joint name="neck_joint" axis="0 0 1" range="-1 1"/>' +
      '<geom type="sphere" size="0.05" mass="1" contype="0" conaffinity="0"/></body>';
    const { wiring, reasons } = inspected(HUMANOID.replace(/<body name="torso_link"[^>]*>/, (tag) => tag + head));
    expect(wiring).toEqual(humanoidSpec().wiring);
    expect(reasons.keybodies).toMatch(/not tracked: head_link/);
  });

  test('four legs are listed from front to back in pairs, and knees that cannot stretch are bent', () => {
    const { wiring, spec, reasons } = inspected(dogMjcf());
    expect(wiring.anchor).toBe('base_link');
    expect(wiring.feet).toEqual(['fl_calf', 'fr_calf', 'rl_calf', 'rr_calf']);
    expect(spec.joints['fl_calf_joint']!.default).toBe(-1.5);
    expect(spec.joints['fl_thigh_joint']!.default).toBe(0.75); // keeps the foot below the hip
    expect(reasons.pose).toMatch(/feet stay below the hips/);
    // Both links are 0.2 m long and lean by 0.75 rad. The foot's radius is added.
    expect(spec.root_height).toBeCloseTo(0.4 * Math.cos(0.75) + 0.02, 4);
  });
});

/** Returns a humanoid whose root carries the arms. A waist with two joints below the root carries both legs. */
function belowWaist(): string {
  const segment = (
    name: string,
    joint: string,
    pos: string,
    [length, axis, range]: readonly [number, string, string],
    inner: string,
  ) => `
    <body name="${name}" pos="${pos}"><joint name="${joint}" axis="${axis}" range="${range}"/>
      <geom type="capsule" size="0.03" fromto="0 0 -0.04 0 0 ${0.04 - length}" mass="1"/>${inner}</body>`;
  const sideOf = (side: string) => (side === 'left' ? 1 : -1);
  const leg = (side: string) =>
    segment(
      `${side}_thigh`,
      `${side}_hip`,
      `0 ${0.1 * sideOf(side)} -0.1`,
      [0.35, '0 1 0', '-1.5 1.5'],
      segment(
        `${side}_shin`,
        `${side}_knee`,
        '0 0 -0.35',
        [0.35, '0 1 0', '0 2'],
        `
        <body name="${side}_foot" pos="0 0 -0.35"><joint name="${side}_ankle" axis="0 1 0" range="-1 1"/>
          <geom type="box" size="0.1 0.04 0.02" pos="0.02 0 -0.03" mass="0.5"/></body>`,
      ),
    );
  const arm = (side: string) =>
    segment(
      `${side}_upper`,
      `${side}_shoulder`,
      `0 ${0.25 * sideOf(side)} 0.25`,
      [0.25, '0 1 0', '-2 2'],
      segment(
        `${side}_fore`,
        `${side}_elbow`,
        '0 0 -0.25',
        [0.2, '0 1 0', '-2 0'],
        `
        <body name="${side}_palm" pos="0 0 -0.2"><joint name="${side}_wrist" axis="1 0 0" range="-1 1"/>
          <geom type="sphere" size="0.03" mass="0.2"/></body>`,
      ),
    );
  return `<mujoco><compiler angle="radian"/><worldbody><body name="trunk" pos="0 0 1"><freejoint/>
    <geom type="box" size="0.08 0.12 0.2" pos="0 0 0.15" mass="12"/>${arm('left')}${arm('right')}
    <body name="waist_yaw" pos="0 0 -0.1"><joint name="waist_yaw_joint" axis="0 0 1" range="-1 1"/>
      <geom type="sphere" size="0.04" mass="1" contype="0" conaffinity="0"/>
      <body name="waist_pitch"><joint name="waist_pitch_joint" axis="0 1 0" range="-1 1"/>
        <geom type="box" size="0.06 0.05 0.03" pos="0 0 -0.08" mass="2"/>${leg('left')}${leg('right')}</body></body>
  </body></worldbody></mujoco>`;
}

describe('default pose', () => {
  test('the default pose of wheeled legs bends the knees and does not turn the wheels', () => {
    let wheeled = dogMjcf();
    for (const name of ['fl', 'fr', 'rl', 'rr'])
      wheeled = wheeled.replace(
        new RegExp(
          `(<joint name="${name}_calf_joint"[\\s\\S]*?)<geom type="sphere" size="0.02" pos="0 0 -0.2" mass="0.05"/>`,
        ),
        `$1<body name="${name}_wheel" pos="0 0 -0.2"><joint name="${name}_wheel_joint" axis="0 1 0"/><geom type="cylinder" size="0.05 0.02" euler="1.5708 0 0" mass="0.3"/></body>`,
      );
    const { wiring, spec } = inspected(wheeled);
    expect(wiring.feet).toEqual(['fl_wheel', 'fr_wheel', 'rl_wheel', 'rr_wheel']);
    expect(spec.joints['fl_calf_joint']!.default).toBe(-1.5);
    expect(spec.joints['fl_wheel_joint']!.default).toBe(0);
  });

  test('the default pose bends the knees of a biped so that the soles stay flat and it keeps its balance', () => {
    const { spec, reasons } = inspected(HUMANOID);
    const at = (joint: string) => spec.joints[`left_${joint}_joint`]!.default;
    expect(at('knee')).toBe(0.3);
    expect(at('hip_pitch') + at('knee') + at('ankle_pitch')).toBeCloseTo(0, 6);
    expect(spec.joints['right_knee_joint']!.default).toBe(0.3);
    const [, mm] = /centre of mass (\d+) mm/.exec(reasons.pose)!;
    expect(Number(mm)).toBeLessThan(10);
  });

  test('the default pose is a keyframe if the model has one within the joint ranges', () => {
    const key = (knee: number) =>
      WALKER_MJCF.replace(
        '</mujoco>',
        `<keyframe><key name="folded" qpos="0 0 0.5 1 0 0 0 0.9 0.4 0.9 0.4"/>
          <key name="home" qpos="0 0 0.6 1 0 0 0 -0.2 ${knee} -0.2 ${knee}"/></keyframe></mujoco>`,
      );
    const home = inspected(key(0.4));
    expect(home.spec.joints['left_knee_joint']!.default).toBe(0.4);
    expect(home.spec.joints['left_hip_joint']!.default).toBe(-0.2);
    expect(home.reasons.pose).toBe('keyframe home');
    // The knee's range ends at 2 rad, so the keyframe does not fit.
    expect(inspected(key(2.4)).reasons.pose).toBe('keyframe folded');
  });

  test('a keyframe that puts fewer feet on the floor is not used as the default pose', () => {
    const dog = dogMjcf().replaceAll('range="-2.7 -0.8"', 'range="-2.7 2.7"');
    const keyed = (front: string) =>
      inspected(
        dog.replace(
          '</mujoco>',
          `<keyframe><key name="home" qpos="0 0 0.4 1 0 0 0 0 0.8 -1.6 ${front} 0 0.8 -1.6 ${front}"/></keyframe></mujoco>`,
        ),
      );
    const folded = keyed('0 2.2 -2.6');
    expect(folded.reasons.pose).not.toMatch(/keyframe/);
    expect(folded.warnings.join()).toMatch(
      /keyframe home is not used as the default pose, because it puts only 2 of 4 feet/,
    );
    expect(folded.wiring.feet).toHaveLength(4);
    expect(keyed('0 0.8 -1.6').reasons.pose).toBe('keyframe home');
  });

  describe('of a robot that lies flat at zero', () => {
    const flat = (count: number, thickness = 0.02) => {
      const legs = Array.from({ length: count }, (_, k) => {
        const yaw = (2 * Math.PI * (k + 0.5)) / count;
        return `<body name="coxa_${k}" pos="${0.1 * Math.cos(yaw)} ${0.1 * Math.sin(yaw)} 0" euler="0 0 ${yaw}">
          <joint name="coxa_${k}_joint" axis="0 0 1" range="-0.6 0.6"/><geom size="0.02" mass="0.05"/>
          <body name="femur_${k}" pos="0.03 0 0"><joint name="femur_${k}_joint" axis="0 1 0" range="-1.8 1.8"/>
            <geom type="capsule" size="0.01" fromto="0.02 0 0 0.08 0 0" mass="0.1"/>
            <body name="tibia_${k}" pos="0.1 0 0"><joint name="tibia_${k}_joint" axis="0 1 0" range="-2.2 2.2"/>
              <geom type="capsule" size="0.01" fromto="0.02 0 0 0.14 0 0" mass="0.1"/></body></body></body>`;
      });
      return `<mujoco><compiler angle="radian"/><worldbody><body name="hull"><freejoint/>
        <geom type="cylinder" size="0.1 ${thickness}" mass="2"/>${legs.join('')}</body></worldbody></mujoco>`;
    };

    test('the default pose bends the legs also if the robot lies on a thick trunk, with its feet just above the floor', () => {
      expect(inspected(flat(4, 0.035)).spec.root_height).toBeGreaterThan(0.1);
    });

    test.each([4, 6])(
      'the default pose bends the %i legs of a robot that lies flat at zero, so that it stands',
      (count) => {
        const { spec, reasons, wiring } = inspected(flat(count));
        expect(wiring.feet).toHaveLength(count);
        expect(spec.root_height).toBeGreaterThan(0.1);
        expect(reasons.pose).toMatch(
          new RegExp(`${count} limbs bent to stand with the root 0\\.\\d+ m above the floor`),
        );
        const at = (part: string) => wiring.feet.map((_, k) => spec.joints[`${part}_${k}_joint`]!.default);
        for (const part of ['femur', 'tibia'])
          for (const angle of at(part)) expect(Math.abs(angle - at(part)[0]!)).toBeLessThan(0.02);
        expect(at('coxa').every((angle) => angle === 0)).toBe(true);
      },
    );
  });

  describe('of a robot with two arms', () => {
    const arm = (side: string, y: number, names: readonly string[]) => {
      const [upper, fore, grip] = names;
      const part = (name: string, joint: string, axis: string, z: number, inside: string) =>
        `<body name="${side}_${name}" pos="0 ${z > 0.1 ? 0 : y} ${z}"><joint name="${side}_${joint}" axis="${axis}" range="-2 2"/>
          <geom type="box" size="0.025 0.025 0.12" pos="0 0 0.15" mass="1"/>${inside}</body>`;
      return part(
        'turn',
        'pan',
        '0 0 1',
        0.06,
        part(upper!, 'lift', '0 1 0', 0.3, part(fore!, 'elbow', '0 1 0', 0.3, part(grip!, 'twist', '0 1 0', 0.3, ''))),
      );
    };
    const base = (inside: string, names: readonly string[] = ['upper_arm', 'forearm', 'gripper']) =>
      `<mujoco><compiler angle="radian"/><worldbody><body name="base"><geom type="box" size="0.2 0.4 0.05" mass="9"/>
        ${arm('left', 0.3, names)}${arm('right', -0.3, names)}${inside}</body></worldbody></mujoco>`;
    const wheel = (side: string, y: number) =>
      `<body name="${side}_wheel" pos="0 ${y} -0.04"><joint name="${side}_roll" axis="0 1 0"/>
        <geom type="cylinder" size="0.08 0.02" quat="1 1 0 0" mass="1"/></body>`;
    const still = ({ spec }: ReturnType<typeof inspected>) =>
      Object.values(spec.joints).every((joint) => joint.default === 0);

    test('the default pose of a robot with two arms on its base is not a handstand', () => {
      const found = inspected(base(''));
      expect(still(found)).toBe(true);
      expect(found.spec.root_height).toBeCloseTo(0.05, 6);
      expect(found.wiring.feet).toEqual(['base']);
    });

    test('the default pose leaves the wheels of a robot with two limbs on the floor, whatever the names of the limbs', () => {
      const wheels = wheel('left', 0.43) + wheel('right', -0.43);
      for (const names of [undefined, ['link_2', 'link_3', 'link_4']]) {
        const found = inspected(base(wheels, names));
        expect(still(found)).toBe(true);
        expect(found.wiring.feet).toEqual(['left_wheel', 'right_wheel']);
      }
    });
  });

  test('a default pose from a keyframe that turns one leg or differs between the sides is reported', () => {
    const yawed = WALKER_MJCF.replaceAll(
      /<joint name="(left|right)_hip_joint"[^>]*>/g,
      (tag, side: string) => `<joint name="${side}_yaw_joint" axis="0 0 1" range="-1 1"/>${tag}`,
    );
    const keyed = (qpos: string) =>
      inspected(
        yawed.replace('</mujoco>', `<keyframe><key name="home" qpos="0 0 0.6 1 0 0 0 ${qpos}"/></keyframe></mujoco>`),
      ).warnings.join();
    expect(keyed('0.4 -0.2 0.4 -0.4 -0.2 0.4')).toMatch(
      /keyframe home turns legs about the vertical: left_yaw_joint 0\.40, right_yaw_joint -0\.40 rad/,
    );
    expect(keyed('0 -0.2 0.4 0 -0.2 0.8')).toMatch(
      /differs between left and right: left_knee_joint 0\.40, right_knee_joint 0\.80 rad/,
    );
    expect(keyed('0 -0.2 0.4 0 -0.2 0.4')).not.toMatch(/keyframe home/);
  });

  test('the default pose is at the nearer limit if zero is out of range', () => {
    const { spec, reasons } = inspected(WALKER_MJCF.replaceAll('range="0 2"', 'range="0.2 2"'));
    expect(spec.joints['left_knee_joint']!.default).toBe(0.2);
    expect(reasons.pose).toMatch(/nearest limit \(left_knee_joint, right_knee_joint\)/);
  });

  test('the default pose raises arms that hang into the body, and no others', () => {
    const { spec, reasons } = inspected(HUMANOID);
    expect(reasons.pose).not.toMatch(/arms/);
    const fat = HUMANOID.replace(
      /<body name="torso_link"[^>]*>/,
      (tag) => `${tag}<geom type="box" size="0.08 0.16 0.12" pos="0 0 0.02" mass="1"/>`,
    );
    const opened = inspected(fat);
    const [, angle] = /arms opened by ([\d.]+) rad/.exec(opened.reasons.pose)!;
    expect(Number(angle)).toBeGreaterThan(0);
    expect(opened.spec.joints['left_shoulder_roll_joint']!.default).toBeCloseTo(Number(angle), 6);
    expect(opened.spec.joints['right_shoulder_roll_joint']!.default).toBeCloseTo(-Number(angle), 6);
    expect(opened.warnings.join()).not.toMatch(/overlap/);
    expect(opened.spec.joints['left_knee_joint']).toEqual(spec.joints['left_knee_joint']);
    // A keyframe in which the arms overlap the body keeps its other joints.
    const joints = Object.keys(spec.joints);
    const values = joints.map((name) => (/knee/.test(name) ? 0.2 : 0)).join(' ');
    const key = `<keyframe><key name="home" qpos="0 0 1 1 0 0 0 ${values}"/></keyframe></mujoco>`;
    const keyed = inspected(fat.replace('</mujoco>', key));
    expect(keyed.reasons.pose).toMatch(/^keyframe home, but arms opened by [\d.]+ rad/);
    expect(keyed.spec.joints['left_knee_joint']!.default).toBeCloseTo(0.2, 6);
    expect(keyed.warnings.join()).not.toMatch(/overlap/);
  });

  test('arms that overlap at every angle keep their pose, and the overlaps are reported', () => {
    const vast = HUMANOID.replace(
      /<body name="torso_link"[^>]*>/,
      (tag) => `${tag}<geom type="box" size="0.08 0.4 0.4" pos="0 0 0.02" mass="1"/>`,
    );
    const { spec, reasons, warnings } = inspected(vast);
    expect(reasons.pose).not.toMatch(/arms/);
    expect(spec.joints['left_shoulder_roll_joint']!.default).toBe(0);
    // With the arms opened to the largest tried angle, the overlap would be 72 mm.
    expect(warnings.join()).toMatch(/left_elbow_link and torso_link 113 mm/);
  });

  test('the default pose puts the soles on the floor', () => {
    const { spec } = inspected(WALKER_MJCF);
    expect(spec.root_height).toBeCloseTo(0.62, 6); // 0.2 + 0.4 down to the ankle, and half the height of the sole
    expect(spec.foot_sole_z).toBeCloseTo(0.02, 6);
  });
});

describe('contacts', () => {
  test('contacts of meshes with overlapping hulls are excluded, with a note', () => {
    const box = (y: number) =>
      `<mesh name="side_${y > 0 ? 'left' : 'right'}" vertex="${[-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-1, 1].map((c) => `${0.05 * a} ${0.12 * b} ${-0.2 + 0.1 * c}`))).join('  ')}"/>`;
    const wide = WALKER_MJCF.replace('<asset>', `<asset>${box(1)}${box(-1)}`).replaceAll(
      /<body name="(left|right)_thigh"[^>]*>/g,
      (tag, side: string) => `${tag}<geom type="mesh" mesh="side_${side}" mass="0.1"/>`,
    );
    const { spec, warnings } = inspected(wide);
    expect(spec.contacts!.exclude).toEqual([['left_thigh', 'right_thigh']]);
    expect(warnings.join()).toMatch(/hulls of meshes overlap in the default pose.*left_thigh and right_thigh 40 mm/);
  });

  test('contacts of neighbours that overlap by design are excluded', () => {
    // The thighs overlap the pelvis. The model excludes these contacts itself.
    const bare = HUMANOID.replace(/<contact>[\s\S]*<\/contact>/, '').replaceAll('size="0.056"', 'size="0.075"');
    const { spec, reasons } = inspected(bare);
    expect(spec.contacts!.exclude).toEqual(
      expect.arrayContaining([
        ['pelvis', 'left_hip_yaw_link'],
        ['pelvis', 'right_hip_yaw_link'],
      ]),
    );
    expect(reasons.contacts).toMatch(/pelvis and left_hip_yaw_link [\d.]+ mm/);
    expect(inspected(HUMANOID).spec.contacts!.exclude).toBeUndefined();
  });

  test('contacts of distant bodies are kept and reported', () => {
    const wide = WALKER_MJCF.replaceAll('size="0.05"', 'size="0.13"'); // the thighs are 0.2 m apart
    const { spec, warnings } = inspected(wide);
    expect(spec.contacts!.exclude).toBeUndefined();
    expect(warnings.join()).toMatch(/bodies overlap .*left_thigh and right_thigh 60 mm/);
  });

  test('overlaps of shapes that only receive contacts are found, because the spec enables their collisions', () => {
    const passive = WALKER_MJCF.replaceAll('size="0.05"', 'size="0.13" contype="0" conaffinity="1"');
    expect(inspected(passive).warnings.join()).toMatch(/bodies overlap .*left_thigh and right_thigh 60 mm/);
  });

  test("contacts have the friction of the model's soles", () => {
    expect(inspected(HUMANOID).spec.contacts!.feet!.friction).toBe(0.8);
    expect(inspected(WALKER_MJCF).spec.contacts!.feet!.friction).toBe(0.6);
  });

  test('impossible contacts give a warning', () => {
    const ghost = WALKER_MJCF.replaceAll(' mass="', ' contype="0" conaffinity="0" mass="').replace(
      ' contype="0" conaffinity="0" contype="0" conaffinity="0"',
      ' contype="0" conaffinity="0"',
    );
    expect(inspected(ghost.replace(' group="3"', '')).warnings.join()).toMatch(/no shape of the model collides/);
  });
});

describe('a model with many shapes in one place', () => {
  /** Returns the walker with `bodies` bodies in its trunk, each with ten shapes. */
  const crowded = (bodies: number) => {
    const shapes = '<geom type="sphere" size="0.03" mass="0.001"/>'.repeat(10);
    const clump = (k: number) =>
      `<body name="clump_${k}"><joint name="clump_${k}_joint" axis="0 1 0" range="-1 1"/>${shapes}</body>`;
    const clumps = Array.from({ length: bodies }, (_, k) => clump(k)).join('');
    return WALKER_MJCF.replace(/<freejoint[^>]*\/>/, (root) => root + clumps);
  };

  test('a model with 15,000 overlaps is inspected, though MuJoCo’s heap grows meanwhile', () => {
    const { wiring, joints } = inspected(crowded(18));
    expect(wiring.anchor).toBe('trunk');
    expect(joints).toHaveLength(22);
  });

  test('a model with more overlaps than MuJoCo can store is refused', () => {
    expect(() => inspected(crowded(60))).toThrow(
      expect.objectContaining({
        code: 'bad_input',
        message: expect.stringMatching(/touch at more than \d+ points.*Remove shapes that overlap/),
      }),
    );
  });
});
