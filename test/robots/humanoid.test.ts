import { beforeAll, describe, expect, test } from 'vitest';
import { humanoidMjcf, humanoidSpec } from '../../src/robots/humanoid/humanoid.ts';
import { soleMesh } from '../../src/robots/humanoid/shape/limb-shells.ts';
import { buildRobotModel, type RobotModel } from '../../src/robots/robot-model.ts';
import { loadMujoco, type MainModule, type MjData, type MjModel, nameAt } from '../../src/sim/mujoco.ts';

const spec = humanoidSpec();
let mj: MainModule;
let built: RobotModel;
let model: MjModel;
let data: MjData;

beforeAll(async () => {
  mj = await loadMujoco();
  built = buildRobotModel(mj, new Map([[spec.model, new TextEncoder().encode(humanoidMjcf())]]), spec);
  mj.FS.writeFile('/humanoid.mjb', built.physics);
  model = mj.MjModel.from_binary_path('/humanoid.mjb', new mj.MjVFS());
  data = new mj.MjData(model);
});

const defaults = () => built.facts.joints.map((joint) => joint.default);

function place(rootHeight: number, joints: readonly number[]): void {
  mj.mj_resetData(model, data);
  data.qpos.set([0, 0, rootHeight, 1, 0, 0, 0, ...joints]);
  mj.mj_forward(model, data);
}

/** Pairs of touching bodies; in contacts with the floor, 'floor' comes first. */
function contacts(): { readonly bodies: string; readonly depth: number }[] {
  const bodyOf = (geom: number) => {
    const body: number = model.geom_bodyid[geom];
    return body === 0 ? 'floor' : nameAt(model, model.name_bodyadr[body]);
  };
  const list = data.contact;
  const found = Array.from({ length: data.ncon }, (_, k) => {
    const contact = list.get(k)!;
    const pair = { bodies: `${bodyOf(contact.geom1)} ${bodyOf(contact.geom2)}`, depth: -contact.dist };
    contact.delete();
    return pair;
  });
  list.delete();
  return found;
}

describe('figures', () => {
  test('the humanoid weighs 35 kg, is 1.31 m tall and has 21 actuated joints, left leg first', () => {
    expect(built.facts.mass).toBeCloseTo(35, 6);
    expect(built.facts.height).toBeGreaterThan(1.25);
    expect(built.facts.height).toBeLessThan(1.35);
    expect(built.facts.actuators).toBe(21);
    const names = built.facts.joints.map((joint) => joint.name.replace('_joint', ''));
    expect(names.slice(0, 6)).toEqual(
      ['hip_pitch', 'hip_roll', 'hip_yaw', 'knee', 'ankle_pitch', 'ankle_roll'].map((part) => `left_${part}`),
    );
    expect(names.slice(12, 17)).toEqual([
      'waist_yaw',
      ...['shoulder_pitch', 'shoulder_roll', 'shoulder_yaw', 'elbow'].map((part) => `left_${part}`),
    ]);
    expect(Object.keys(spec.joints)).toEqual(built.facts.joints.map((joint) => joint.name));
  });

  test('the geometry of the humanoid for the page is smaller than 600 kB', () => {
    expect(built.geometry.binary.byteLength).toBeLessThan(600_000);
  });

  test('the outer shells of the humanoid are only drawn; collision shapes are primitives', () => {
    const { geoms } = built.geometry.description;
    const solid = geoms.filter((geom) => geom.collision);
    expect(solid.every((geom) => geom.type === 'capsule' && geom.group === 3 && geom.name.endsWith('_collision'))).toBe(
      true,
    );
    expect(geoms.filter((geom) => geom.type === 'mesh').every((geom) => !geom.collision && geom.group === 2)).toBe(
      true,
    );
    expect(model.ngeom).toBe(solid.length + 1); // plus the floor
  });

  test('limits and gains are the same on both sides, roll and yaw mirrored', () => {
    for (const left of built.facts.joints.filter((joint) => joint.name.startsWith('left_'))) {
      const right = built.facts.joints.find((joint) => joint.name === left.name.replace('left', 'right'))!;
      const sign = /roll|yaw/.test(left.name) ? -1 : 1;
      expect([right.lower, right.upper].map((x) => sign * x!).sort()).toEqual([left.lower, left.upper].sort());
      expect(right.default).toBeCloseTo(sign * left.default, 12);
      expect([right.stiffness, right.damping, right.effortLimit]).toEqual([
        left.stiffness,
        left.damping,
        left.effortLimit,
      ]);
    }
  });

  test('tracking bodies, feet and ends of the humanoid exist', () => {
    const bodies = built.facts.bodies.map((body) => body.name);
    expect(spec.wiring.keybodies).toHaveLength(14);
    expect(bodies).toEqual(expect.arrayContaining([...spec.wiring.keybodies, spec.wiring.anchor, ...spec.wiring.feet]));
  });
});

describe('standing', () => {
  test('in the default pose the soles are on the floor and nothing else is in contact', () => {
    place(spec.root_height, defaults());
    const found = contacts();
    expect(new Set(found.map((contact) => contact.bodies))).toEqual(
      new Set(['floor left_ankle_roll_link', 'floor right_ankle_roll_link']),
    );
    expect(found).toHaveLength(8); // both ends of the two capsules of each foot
    expect(Math.max(...found.map((contact) => Math.abs(contact.depth)))).toBeLessThan(1e-6);
  });

  test('in the zero pose the humanoid does not touch itself', () => {
    place(
      spec.root_height + 0.1,
      defaults().map(() => 0),
    );
    expect(contacts()).toEqual([]);
  });

  test('the visible sole ends where the collision shape ends', () => {
    const heights = soleMesh().vertices.filter((_, k) => k % 3 === 2);
    expect(Math.min(...heights)).toBeCloseTo(-spec.foot_sole_z!, 6);
  });

  test('in open loop the humanoid is upright after 0.5 s and still standing after 2 s', () => {
    place(spec.root_height, defaults());
    for (let i = 0; i < model.nu; i++) data.ctrl[i] = defaults()[model.actuator_trnid[2 * i] - 1];
    const deepest = run(100, 0.02);
    const drift = Math.max(...defaults().map((angle, k) => Math.abs(data.qpos[7 + k] - angle)));
    expect(data.qpos[2] / spec.root_height).toBeGreaterThan(0.9);
    expect(drift).toBeLessThan(0.3); // half of the warning threshold of the settle check
    expect(deepest).toBeLessThan(0.02);
    expect(new Set(contacts().map((contact) => contact.bodies))).toEqual(
      new Set(['floor left_ankle_roll_link', 'floor right_ankle_roll_link']),
    );
    run(300, 0.02);
    expect(data.qpos[2] / spec.root_height).toBeGreaterThan(0.9);
  });
});

test('hanging from its pelvis the humanoid settles: no drift over 0.5 rad, no shaking, no saturated motor', () => {
  const fixed = mj.MjModel.from_xml_string(hangingMjcf());
  const hanging = new mj.MjData(fixed);
  hanging.qpos.set(defaults());
  hanging.ctrl.set(defaults());
  let fastest = 0;
  let late = 0;
  let saturated = 0;
  const limits = Object.values(spec.joints).map((joint) => joint.effort_limit);
  for (let step = 0; step < 300; step++) {
    mj.mj_step(fixed, hanging);
    const speed = Math.max(...Array.from(hanging.qvel as Float64Array, Math.abs));
    fastest = Math.max(fastest, speed);
    if (step >= 240) late = Math.max(late, speed);
    if (limits.some((limit, k) => Math.abs(hanging.actuator_force[k]) >= 0.999 * limit)) saturated++;
  }
  const drift = Math.max(...defaults().map((angle, k) => Math.abs(hanging.qpos[k] - angle)));
  hanging.delete();
  fixed.delete();
  expect(drift).toBeLessThan(0.5);
  expect(late).toBeLessThan(0.1);
  expect(fastest).toBeLessThan(20);
  expect(saturated).toBe(0);
});

/** Runs steps of 5 ms. @returns depth of the deepest contact with the floor or between bodies, m */
function run(steps: number, failAbove: number): number {
  let deepest = 0;
  for (let step = 0; step < steps; step++) {
    mj.mj_step(model, data);
    if (step % 10 === 0) deepest = Math.max(deepest, ...contacts().map((contact) => contact.depth));
    if (deepest > failAbove) break;
  }
  return deepest;
}

/** The model with a fixed pelvis and the motors of the spec. */
function hangingMjcf(): string {
  const motors = Object.entries(spec.joints).map(
    ([name, { stiffness: kp, damping: kd, effort_limit: limit }]) =>
      `<general joint="${name}" gainprm="${kp}" biastype="affine" biasprm="0 ${-kp} ${-kd}" forcerange="${-limit} ${limit}"/>`,
  );
  return humanoidMjcf()
    .replace('<freejoint name="floating_base_joint"/>', '')
    .replace(/<joint name="(\w+)"/g, (text, name: string) => `${text} armature="${spec.joints[name]!.armature}"`)
    .replace(
      '</mujoco>',
      `<option timestep="0.005" integrator="implicitfast"/><actuator>${motors.join('')}</actuator></mujoco>`,
    );
}
