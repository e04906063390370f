import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RobotSpec } from '../../src/protocol/schemas/robots.ts';
import { CHECK_NAMES, type CheckName } from '../../src/robot-import/check/check-report.ts';
import { checkRobot } from '../../src/robot-import/check/check-robot.ts';
import { compileHanging } from '../../src/robot-import/check/hang.ts';
import { humanoidMjcf, humanoidSpec } from '../../src/robots/humanoid/humanoid.ts';
import { prepareModel } from '../../src/robots/prepare/prepare-model.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { inspected } from '../support/inspected.ts';
import { g1Spec, hasKit, KIT } from '../support/kit.ts';
import { armMjcf, dogMjcf, WALKER_MJCF, walkerSpec } from '../support/models.ts';

const mj = await loadMujoco();

function check(mjcf: string, spec: RobotSpec, simulationMs?: number) {
  const report = checkRobot(
    mj,
    new Map([[spec.model, Buffer.from(mjcf)]]),
    spec,
    simulationMs === undefined ? {} : { simulationMs },
  );
  expect(report.checks.map(({ name }) => name)).toEqual(CHECK_NAMES);
  const failed = report.checks.filter(({ ok }) => !ok).map(({ name }) => name);
  expect(report.ok).toBe(failed.length === 0);
  return { failed, of: (name: CheckName) => report.checks.find((one) => one.name === name)! };
}

/** Returns the spec with changed settings of the joints that match `which`. */
function joints(spec: RobotSpec, change: Partial<RobotSpec['joints'][string]>, which = /./): RobotSpec {
  const changed = Object.entries(spec.joints).map(([name, joint]) => [
    name,
    which.test(name) ? { ...joint, ...change } : joint,
  ]);
  return { ...spec, joints: Object.fromEntries(changed) };
}

describe('good robots pass', () => {
  test('the built-in humanoid stands for two seconds by its servos alone', () => {
    const { failed, of } = check(humanoidMjcf(), humanoidSpec());
    expect(failed).toEqual([]);
    expect(of('mass').text).toMatch(/^35 kg/);
    expect(of('stands').text).toMatch(/all 2\.0 s/);
  });

  test('the walker passes with its own spec and with the suggested one', () => {
    expect(check(WALKER_MJCF, walkerSpec()).failed).toEqual([]);
    expect(check(WALKER_MJCF, inspected(WALKER_MJCF).spec).failed).toEqual([]);
  });

  test('an arm on its base passes as suggested, though the frame of its root is on the floor', () => {
    const { failed, of } = check(armMjcf(), inspected(armMjcf()).spec);
    expect(failed).toEqual([]);
    expect(of('ground').text).toMatch(/its root is -?0\.\d+ mm above the floor, at first 0\.0 mm/);
  });

  test('every text of a check has a measured value', () => {
    const { of } = check(WALKER_MJCF, walkerSpec());
    for (const name of CHECK_NAMES) expect(of(name).text, name).toMatch(/\d/);
  });
});

describe('a walker with', () => {
  const spec = walkerSpec({ foot_sole_z: 0.02 });
  const wiring = (change: Partial<RobotSpec['wiring']>) => ({ ...spec, wiring: { ...spec.wiring, ...change } });
  // the thighs are 0.2 m apart
  const thick = WALKER_MJCF.replaceAll('0 0 -0.35" size="0.05"', '0 0 -0.2" size="0.115"');

  test.each<[string, string, RobotSpec, CheckName[], CheckName, RegExp]>([
    ['an anchor that is not a body', WALKER_MJCF, wiring({ anchor: 'chest' }), ['wiring'], 'wiring', /anchor: chest/],
    [
      'a keybody named twice',
      WALKER_MJCF,
      wiring({ keybodies: ['trunk', 'trunk'] }),
      ['wiring'],
      'wiring',
      /trunk twice/,
    ],
    [
      'its feet swapped',
      WALKER_MJCF,
      wiring({ feet: ['right_foot', 'left_foot'] }),
      ['feet'],
      'feet',
      /left foot first/,
    ],
    [
      'thighs listed as feet',
      WALKER_MJCF,
      wiring({ feet: ['left_thigh', 'right_thigh'] }),
      ['feet'],
      'feet',
      /0 of 2 feet on the floor after 0\.5 s, and left_foot, right_foot/,
    ],
    ['no feet', WALKER_MJCF, wiring({ feet: [] }), ['feet'], 'feet', /wiring\.feet is empty/],
    [
      'a joint that the model does not have',
      WALKER_MJCF,
      { ...spec, joints: { ...spec.joints, tail: spec.joints['left_hip_joint']! } },
      ['joints'],
      'joints',
      /no joint tail/,
    ],
    [
      'a default out of range',
      WALKER_MJCF,
      joints(spec, { default: -0.5 }, /knee/),
      ['joints'],
      'joints',
      /left_knee_joint at -0\.5, range 0 to 2/,
    ],
    [
      'no gains at all',
      WALKER_MJCF,
      { ...spec, joints: {} },
      ['joints', 'gains', 'hangs'],
      'joints',
      /0 of 4 joints have gains/,
    ],
    [
      'a joint with a motor, but without gains',
      WALKER_MJCF,
      { ...spec, joints: Object.fromEntries(Object.entries(spec.joints).slice(1)) },
      ['joints'],
      'joints',
      /1 actuated joint has no gains: left_hip_joint/,
    ],
    [
      'gains that act as a switch',
      WALKER_MJCF,
      joints(spec, { effort_limit: 0.5 }, /left_knee/),
      ['gains'],
      'gains',
      /left_knee_joint 0\.0125 rad \(0\.5 Nm at 40 Nm\/rad\)/,
    ],
    ['thighs that overlap', thick, spec, ['self_contact'], 'self_contact', /left_thigh and right_thigh by 30 mm/],
    [
      'a root height of another pose',
      WALKER_MJCF,
      { ...spec, root_height: 0.8 },
      ['ground'],
      'ground',
      /set root_height to 0\.62/,
    ],
    [
      'masses in grams',
      WALKER_MJCF.replaceAll(/mass="(\d+)"/g, 'mass="$1000"'),
      spec,
      ['mass'],
      'mass',
      /16000 kg.*units/,
    ],
    ['masses in tonnes', WALKER_MJCF.replaceAll(/mass="(\d+)"/g, 'mass="0.0$1"'), spec, ['mass'], 'mass', /0\.\d+ kg/],
  ])('the check of a walker fails with %s', (_, mjcf, changed, expected, name, text) => {
    const { failed, of } = check(mjcf, changed);
    expect(failed).toEqual(expect.arrayContaining(expected));
    expect(failed[0]).toBe(expected[0]);
    expect(of(name).text).toMatch(text);
  });

  test('a walker with bodies that overlap by design passes once the offered pair is excluded', () => {
    const { exclude } = check(thick, spec).of('self_contact');
    expect(exclude).toEqual([['left_thigh', 'right_thigh']]);
    const contacts = { exclude: exclude!.map(([a, b]): [string, string] => [a, b]) };
    expect(check(thick, { ...spec, contacts }).failed).toEqual([]);
    expect(check(thick, { ...spec, contacts: { self_collision: false } }).failed).toEqual([]);
  });

  test('trunk shapes that overlap the thighs never collide with them, also while the robot hangs', () => {
    const box = '<geom type="box" size="0.1 0.15 0.05" pos="0 0 -0.25" mass="0.1"/>';
    const broad = WALKER_MJCF.replace('<geom name="trunk_shell"', `${box}<body name="shell">${box}</body>$&`);
    const prepared = prepareModel(mj, new Map([[spec.model, Buffer.from(broad)]]), spec.model);
    const model = compileHanging(mj, prepared.spec);
    const data = new mj.MjData(model);
    mj.mj_forward(model, data);
    expect(data.ncon).toBe(0);
    for (const handle of [data, model, prepared.spec]) handle.delete();
    expect(check(broad, spec).failed).toEqual([]);
  });

  test('a joint that follows another passes without gains of its own, and fails with them', () => {
    const tied = WALKER_MJCF.replace(
      '</mujoco>',
      '<equality><joint joint1="right_knee_joint" joint2="left_knee_joint" polycoef="0 1 0 0 0"/></equality></mujoco>',
    );
    const suggested = inspected(tied).spec;
    expect(Object.keys(suggested.joints)).not.toContain('right_knee_joint');
    expect(check(tied, suggested).failed).toEqual([]);
    expect(check(tied, spec).of('joints')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/right_knee_joint follows left_knee_joint/),
    });
  });

  test('a joint without a motor passes without gains, if the model has motors elsewhere', () => {
    const driven = WALKER_MJCF.replace(
      '</mujoco>',
      `<actuator>${['left_hip', 'left_knee', 'right_hip'].map((name) => `<motor joint="${name}_joint"/>`).join('')}</actuator></mujoco>`,
    );
    const { right_knee_joint: _, ...others } = spec.joints;
    expect(check(driven, { ...spec, joints: others }).of('joints')).toMatchObject({ ok: true });
    const { left_knee_joint: __, ...fewer } = others;
    expect(check(driven, { ...spec, joints: fewer }).of('joints').text).toMatch(/no gains: left_knee_joint\./);
  });

  test('feet whose contacts the model makes soft sink into the floor, and the text names feet and value', () => {
    const soft = WALKER_MJCF.replaceAll('size="0.1 0.04 0.02"', '$& priority="1" solimp="0.001 0.9 0.4"');
    expect(check(soft, spec).of('ground')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/solimp 0\.001 0\.9 0\.4 of (left_foot, right_foot|right_foot, left_foot)\. Remove/),
    });
  });

  test('feet that are only frames fail, and the bodies with the shapes are named', () => {
    const frames = WALKER_MJCF.replaceAll(
      /<body name="(left|right)_foot"[^>]*>/g,
      '$&<body name="$1_sole" pos="0 0 -0.02"/>',
    );
    expect(check(frames, spec).failed).toEqual([]);
    const { failed, of } = check(frames, wiring({ feet: ['left_sole', 'right_sole'] }));
    expect(failed).toEqual(['collision']);
    expect(of('collision').text).toMatch(
      /^5 shapes .* no shape belongs to left_sole or right_sole,.*instead: left_foot, right_foot$/,
    );
  });

  test('a walker without anything to stand on fails for its collisions and on the floor', () => {
    const ghost = WALKER_MJCF.replaceAll('<geom type="capsule"', '<geom type="capsule" contype="0" conaffinity="0"')
      .replaceAll(/<geom name="(\w+)_collision"/g, '<geom name="$1_collision" contype="0" conaffinity="0"')
      .replace(' group="3"', '');
    const { failed, of } = check(ghost, spec);
    expect(failed).toEqual(['collision', 'ground', 'feet']);
    expect(of('collision').text).toMatch(/no shape collides.*at least to left_foot and right_foot/);
  });

  test.each([
    ['no model', new Map(), /no file walker\.xml/],
    ['no XML', new Map([['walker.xml', Buffer.from('<mujoco')]]), /walker\.xml/],
    [
      'a range that is inverted',
      new Map([['walker.xml', Buffer.from(WALKER_MJCF.replaceAll('range="0 2"', 'range="2 0"'))]]),
      /left_knee_joint|range/,
    ],
  ])(
    'a walker with %s does not compile, and its other checks are not reported as passed',
    (_, files: Map<string, Uint8Array>, text) => {
      const report = checkRobot(mj, files, spec);
      expect(report.ok).toBe(false);
      expect(report.checks[0]).toMatchObject({ name: 'compiles', ok: false, text: expect.stringMatching(text) });
      expect(report.checks.filter(({ ok }) => ok).map(({ name }) => name)).toEqual(['stands']);
    },
  );

  test('a walker with more contacts than the memory allows fails on the floor; the next check is not affected', () => {
    const many = Array.from(
      { length: 3000 },
      (_, k) => `<geom type="sphere" size="0.01" pos="${(k % 50) / 250 - 0.1} ${k / 60000 - 0.025} -0.01" mass="0"/>`,
    );
    const studded = WALKER_MJCF.replace(
      '<geom name="left_foot_collision"',
      `${many.join('')}<geom name="left_foot_collision"`,
    );
    expect(check(studded, spec).of('ground')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/out of memory/),
    });
    expect(check(WALKER_MJCF, spec).failed).toEqual([]);
  });

  test('a check that takes too long is stopped', () => {
    // The clock of processor time may advance in steps longer than this simulation: its time is over at the start.
    const { of } = check(WALKER_MJCF, spec, -1);
    expect(of('hangs')).toMatchObject({ ok: false, text: expect.stringMatching(/too long to simulate/) });
  });
});

describe.skipIf(!hasKit)("the kit's G1", () => {
  const mjcf = hasKit ? readFileSync(`${KIT}/robots/g1_nomesh/g1_nomesh.xml`, 'utf8') : '';
  const spec = hasKit ? g1Spec('g1.xml') : null!;
  const scaledMass = (factor: number) =>
    mjcf.replaceAll(/ mass="([^"]+)" diaginertia="([^"]+)"/g, (_, mass: string, inertia: string) => {
      const times = (text: string) =>
        text
          .split(' ')
          .map((one) => Number(one) * factor)
          .join(' ');
      return ` mass="${times(mass)}" diaginertia="${times(inertia)}"`;
    });

  test('the G1 passes with its published gains, with the values measured for it', () => {
    const { failed, of } = check(mjcf, spec);
    expect(failed).toEqual([]);
    const hangs = /waist_pitch_joint by ([\d.]+) rad.* ([\d.]+) rad\/s at the end, 0 % /.exec(of('hangs').text)!;
    expect(Number(hangs[1])).toBeCloseTo(0.158, 2);
    expect(Number(hangs[2])).toBeCloseTo(0.06, 1);
    const ground = /at ([\d.]+) % of .*waist_pitch_joint by ([\d.]+) rad/.exec(of('ground').text)!;
    expect(Number(ground[1])).toBeCloseTo(97.7, 0);
    expect(Number(ground[2])).toBeCloseTo(0.37, 2);
    // Even a good robot falls without a policy, so falling is not a failure.
    expect(of('stands').text).toMatch(/stands 1\.\d+ s without a policy/);
  });

  test('the G1 passes with suggested wiring and gains', () => {
    expect(check(mjcf, inspected(mjcf, 'g1').spec).failed).toEqual([]);
  });

  const scaled = (text: string, factor: number) =>
    text
      .trim()
      .split(/\s+/)
      .map((one) => factor * Number(one))
      .join(' ');

  test.skipIf(!hasKit).each<[string, () => [string, RobotSpec], CheckName, RegExp]>([
    [
      'no gains',
      () => [mjcf, joints(spec, { stiffness: 0, damping: 0 })],
      'gains',
      /stiffness of left_hip_pitch_joint.*25 more/,
    ],
    ['gains of the wrong sign', () => [mjcf, joints(spec, { stiffness: -40 })], 'gains', /stiffness/],
    ['gains of the wrong sign', () => [mjcf, joints(spec, { stiffness: -40 })], 'hangs', /moves too fast/],
    ['100 times its mass', () => [scaledMass(100), spec], 'mass', /3330 kg/],
    ['100 times its mass', () => [scaledMass(100), spec], 'ground', /it falls/],
    ['a thousandth of its mass', () => [scaledMass(1e-3), spec], 'mass', /0\.0333 kg/],
    [
      'overlapping thighs',
      () => [mjcf.replaceAll(/(thigh_collision" class="collision" size=")0\.055/g, '$10.14'), spec],
      'self_contact',
      /left_hip_yaw_link and right_hip_yaw_link by 47 mm/,
    ],
    [
      'rotors without inertia at a stiffness of 5000',
      () => [mjcf, joints(spec, { armature: 1e-6, damping: 1e-9, stiffness: 5000 })],
      'hangs',
      /diverges|moves too fast/,
    ],
    [
      'one rotor without inertia at a stiffness of 5000',
      () => [mjcf, joints(spec, { armature: 1e-6, damping: 1e-9, stiffness: 5000 }, /left_wrist_yaw/)],
      'hangs',
      /left_wrist_yaw_joint moves too fast/,
    ],
    [
      'ten times its size',
      () => [
        mjcf.replaceAll(
          / (pos|fromto|size)="([^"]+)"/g,
          (_, key: string, value: string) => ` ${key}="${scaled(value, 10)}"`,
        ),
        spec,
      ],
      'ground',
      /root is 7\.84 m above the floor.*unit of lengths/,
    ],
    [
      'a thousandth of its size',
      () => [
        mjcf.replaceAll(
          / (pos|fromto|size)="([^"]+)"/g,
          (_, key: string, value: string) => ` ${key}="${scaled(value, 1e-3)}"`,
        ),
        { ...spec, root_height: 0 },
      ],
      'ground',
      /it is 0\.00\d+ m high, expected at least 0\.03 m: check the unit of lengths/,
    ],
    [
      'hands listed as feet',
      () => [mjcf, { ...spec, wiring: { ...spec.wiring, feet: ['left_wrist_yaw_link', 'right_wrist_yaw_link'] } }],
      'feet',
      /left_wrist_yaw_link ends 0\.55\d? m above the floor/,
    ],
  ])('the G1 with %s fails', (_, make, name, text) => {
    const [changed, changedSpec] = make();
    const { of } = check(changed, changedSpec);
    expect(of(name)).toMatchObject({ ok: false, text: expect.stringMatching(text) });
  });
});

describe('a dog that falls while it crouches', () => {
  const { spec } = inspected(dogMjcf());

  test('the check of a dog that falls names the motors that are too weak, with the torque needed to stand', () => {
    const { failed, of } = check(dogMjcf(), joints(spec, { effort_limit: 1, stiffness: 20 }, /calf/));
    expect(failed).toContain('ground');
    // A quarter of 13 kg at the end of a link of 0.2 m that leans by 0.75 rad.
    expect(of('ground').text).toMatch(
      /effort limits are too small: \w+_calf_joint 1 Nm, but standing needs 4\.\d+ Nm.*Correct them in the model file/,
    );
  });

  test('the check of a dog that falls names the servos that bend under the weight', () => {
    const { failed, of } = check(dogMjcf(), joints(spec, { stiffness: 6, damping: 0.4 }, /calf/));
    expect(failed).toContain('ground');
    expect(of('ground').text).toMatch(/servos yield to the weight: \w+_calf_joint 6 Nm\/rad under 4\.\d+ Nm/);
  });
});

describe('parts of a foot', () => {
  const jaw = (name: string, x: number) =>
    `<body name="${name}" pos="${x} 0 -0.02"><joint name="${name}_joint" axis="0 1 0" range="-1 1"/>` +
    '<geom type="box" size="0.04 0.04 0.02" mass="0.2"/></body>';
  const gripping = (names: readonly string[]) =>
    WALKER_MJCF.replaceAll(
      /<geom name="(left|right)_foot_collision"[^>]*>/g,
      (_, side: string) =>
        '<geom type="box" size="0.02 0.02 0.01" mass="0.5"/>' +
        names.map((name, k) => jaw(`${side}_${name}`, k === 0 ? 0.08 : -0.08)).join(''),
    );

  test.each([['jaw_a', 'jaw_b'], ['toe']])('parts of a foot represent it in the check: %s %s', (...names) => {
    const mjcf = gripping(names.filter((name) => name !== undefined));
    const { spec } = inspected(mjcf);
    expect(spec.wiring.feet).toEqual(['left_foot', 'right_foot']);
    expect(check(mjcf, spec).of('feet').text).toMatch(/2 of 2 feet on the floor/);
  });
});

test('the check of a model without joints says that it has none', () => {
  const stone =
    '<mujoco><worldbody><body name="stone"><freejoint/><geom size="0.1" mass="5"/></body></worldbody></mujoco>';
  expect(check(stone, inspected(stone).spec).of('joints').text).toMatch(/has no joints that can be driven, only stone/);
});

test('small robots and light parts pass with a warning', () => {
  const scaled = WALKER_MJCF.replaceAll(/mass="(\d+)"/g, (_, kg: string) => `mass="${Number(kg) * 0.05}"`);
  const light = scaled.replace(
    '<geom name="left_foot_collision"',
    '<body name="flag"><joint name="flag_joint" axis="1 0 0" range="-1 1"/><geom size="0.002" mass="0.0005"/></body>$&',
  );
  const { spec } = inspected(light);
  const mass = check(light, spec).of('mass');
  expect([mass.ok, mass.warning]).toEqual([true, true]);
  expect(mass.text).toMatch(/less than 1 kg.*lighter than 1 g: flag/);
});
