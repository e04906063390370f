import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeModel } from '../../src/protocol/binaries.ts';
import type { RobotFiles } from '../../src/robots/prepare/model-files.ts';
import { leadFollowers } from '../../src/robots/robot-facts.ts';
import { buildRobotModel } from '../../src/robots/robot-model.ts';
import { loadMujoco, nameAt } from '../../src/sim/mujoco.ts';
import { g1Spec, hasKit, KIT } from '../support/kit.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';

const mj = await loadMujoco();

function walker(xml = WALKER_MJCF): RobotFiles {
  return new Map([['walker.xml', Buffer.from(xml)]]);
}

/** Builds a model. The service calls buildRobotModel in a new thread each time; this test calls it in one thread. */
function build(files: RobotFiles, spec = walkerSpec()) {
  mj.FS.chdir('/');
  if (mj.FS.analyzePath('/robot', false).exists) removeFolder('/robot');
  return buildRobotModel(mj, files, spec);
}

function removeFolder(folder: string): void {
  for (const name of mj.FS.readdir(folder) as string[]) {
    if (name === '.' || name === '..') continue;
    const path = `${folder}/${name}`;
    if (mj.FS.isDir(mj.FS.stat(path, false).mode)) removeFolder(path);
    else mj.FS.unlink(path);
  }
  mj.FS.rmdir(folder);
}

test('a mimic joint follows its leader, also in the default pose', () => {
  const tied = WALKER_MJCF.replace(
    '</mujoco>',
    '<equality><joint joint1="right_knee_joint" joint2="left_knee_joint" polycoef="0.1 2 0 0 0"/></equality></mujoco>',
  );
  const { right_knee_joint: _, ...joints } = walkerSpec().joints;
  const bent = { ...joints, left_knee_joint: { ...joints['left_knee_joint']!, default: 0.4 } };
  const { facts } = build(walker(tied), walkerSpec({ joints: bent }));
  expect(facts.joints[3]).toMatchObject({
    name: 'right_knee_joint',
    default: expect.closeTo(0.9, 9), // 0.1 + 2 · 0.4
    effortLimit: null,
    follows: { joint: 1, multiplier: 2, offset: 0.1 },
  });
  const values = [0, 1.5, 0, 0];
  leadFollowers(facts.joints, values);
  expect(values).toEqual([0, 1.5, 0, 2]); // 0.1 + 2 · 1.5 = 3.1 exceeds its range
  // A joint with a motor does not follow.
  expect(build(walker(tied)).facts.joints[3]!.follows).toBeNull();
});

function physicsOf(bytes: Uint8Array) {
  mj.FS.writeFile('/test.mjb', bytes);
  return mj.MjModel.from_binary_path('/test.mjb', new mj.MjVFS());
}

test('soles are measured on the collision shapes of the feet if the spec omits them', () => {
  expect(build(walker(), walkerSpec({ foot_sole_z: 0.03 })).facts.footSoleZ).toBe(0.03);
  expect(build(walker()).facts.footSoleZ).toBeCloseTo(0.02, 9);
  // In the default pose the feet are pitched by 0.5 rad, so the heel of a box of 0.2 m × 0.04 m is lower.
  const { joints } = walkerSpec();
  const [hip, knee] = [joints['left_hip_joint']!, joints['left_knee_joint']!];
  const pitched = walkerSpec({
    joints: {
      ...joints,
      left_knee_joint: { ...knee, default: 0.5 },
      right_knee_joint: { ...knee, default: 0.5 },
      left_hip_joint: hip,
    },
  });
  expect(build(walker(), pitched).facts.footSoleZ).toBeCloseTo(0.1 * Math.sin(0.5) + 0.02 * Math.cos(0.5), 9);
  const hollow = WALKER_MJCF.replaceAll(/<geom name="(left|right)_foot_collision"/g, '$& contype="0" conaffinity="0"');
  expect(build(walker(hollow)).facts.footSoleZ).toBe(0);
});

test.skipIf(!hasKit)('the soles of the kit’s G1 are measured where its spec states them', () => {
  const { foot_sole_z: stated, ...spec } = g1Spec();
  const files = new Map<string, Uint8Array>();
  for (const entry of readdirSync(`${KIT}/robots/g1`, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = `${entry.parentPath}/${entry.name}`;
    files.set(file.slice(`${KIT}/robots/g1/`.length), readFileSync(file));
  }
  expect(build(files, spec).facts.footSoleZ).toBeCloseTo(stated!, 3);
});

test('the facts of a robot follow from its model and its spec', () => {
  const { facts } = build(walker());
  expect(facts.bodies.map((body) => body.name)).toEqual([
    'trunk',
    'left_thigh',
    'left_foot',
    'right_thigh',
    'right_foot',
  ]);
  expect(facts.bodies.map((body) => body.parent)).toEqual([-1, 0, 1, 0, 3]);
  expect(facts.mass).toBeCloseTo(16, 9); // 10 + 2 (2 + 1)
  expect(facts.joints[1]).toEqual({
    name: 'left_knee_joint',
    type: 'hinge',
    body: 2,
    lower: 0,
    upper: 2,
    default: 0,
    effortLimit: 50,
    velocityLimit: null,
    stiffness: 40,
    damping: 2,
    armature: 0.01,
    actionScale: 0.3,
    torqueSpeed: null,
    friction: null,
    follows: null,
  });
  // The top of the trunk's box is 0.2 m above the root; the sole is 0.2 + 0.4 + 0.02 m below the root.
  expect(facts.height).toBeCloseTo(0.82, 6);
});

test('actuators are position servos with the gains of the spec, clamped to the effort limit', () => {
  const { physics } = build(walker());
  const model = physicsOf(physics);
  expect(model.nu).toBe(4);
  expect([...model.actuator_gainprm.slice(0, 1)]).toEqual([40]);
  expect([...model.actuator_biasprm.slice(0, 3)]).toEqual([0, -40, -2]);
  expect([...model.actuator_forcerange.slice(0, 2)]).toEqual([-50, 50]);
  expect(model.dof_armature[6]).toBeCloseTo(0.01, 12);
  expect(model.opt.timestep).toBe(0.005);
});

test('the physics model omits visuals, keeps the masses and has one floor', () => {
  const { physics, geometry } = build(walker());
  const model = physicsOf(physics);
  const names = Array.from({ length: model.ngeom }, (_, k) => nameAt(model, model.name_geomadr[k]));
  expect(names).toContain('floor');
  expect(names).not.toContain('trunk_shell');
  expect(names).not.toContain('ground');
  expect(model.nmesh).toBe(0);
  expect(model.body_mass[1]).toBeCloseTo(10, 9);
  expect(geometry.description.geoms.find((geom) => geom.name === 'trunk_shell')).toMatchObject({
    type: 'mesh',
    mesh: 0,
    collision: false,
    rgba: [1, 0, 0, 1],
  });
  expect(geometry.description.geoms.map((geom) => geom.type)).not.toContain('plane');
});

test('model.bin contains the meshes that the description lists', () => {
  const { geometry } = build(walker());
  const { vertices, normals, faces } = decodeModel(Uint8Array.from(geometry.binary).buffer);
  const [mesh] = geometry.description.meshes;
  expect(mesh?.face).toEqual([0, 4]); // a tetrahedron
  expect(vertices.length).toBe(3 * mesh!.vert[1]!);
  expect(Math.max(...faces)).toBeLessThan(mesh!.vert[1]!);
  for (let k = 0; k < normals.length; k += 3) expect(Math.hypot(...normals.subarray(k, k + 3))).toBeCloseTo(1, 4);
});

test('a model without free joint gets one', () => {
  const { physics } = build(walker(WALKER_MJCF.replace('<freejoint name="floating_base_joint"/>', '')));
  expect(physicsOf(physics).nq).toBe(7 + 4);
});

test('a URDF compiles like any model: actuators of the spec, mimic joints constrained, no clipping', () => {
  const link = (name: string, shapes = '') =>
    `<link name="${name}"><inertial><mass value="2"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>${shapes}</link>`;
  const joint = (name: string, parent: string, child: string, more = '') =>
    `<joint name="${name}" type="revolute"><origin xyz="0 0 -0.3"/><parent link="${parent}"/><child link="${child}"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="9"/>${more}</joint>`;
  const box = (kind: string) => `<${kind}><geometry><box size="0.1 0.1 0.1"/></geometry></${kind}>`;
  const urdf = `<robot name="bot">${link('trunk', box('visual'))}${link('leg')}${link('foot', box('visual') + box('collision'))}
    ${joint('hip', 'trunk', 'leg')}${joint('ankle', 'leg', 'foot', '<mimic joint="hip" multiplier="-1"/>')}</robot>`;
  const spec = walkerSpec({
    model: 'bot.urdf',
    wiring: { anchor: 'trunk', keybodies: ['trunk', 'foot'], feet: ['foot'] },
    joints: { hip: walkerSpec().joints['left_hip_joint']! },
  });
  const { facts, geometry, physics } = build(new Map([['bot.urdf', Buffer.from(urdf)]]), spec);
  expect([facts.mass, facts.actuators, facts.joints.map(({ name }) => name)]).toEqual([6, 1, ['hip', 'ankle']]);
  expect(geometry.description.geoms.map(({ collision }) => collision).sort()).toEqual([false, false, true]);
  const model = physicsOf(physics);
  expect([model.nq, model.nu, model.neq, model.ngeom]).toEqual([9, 1, 1, 2]); // the collision shape and the floor
  const data = new mj.MjData(model);
  data.qpos[2] = 5;
  data.ctrl[0] = 0.5;
  for (let k = 0; k < 100; k++) mj.mj_step(model, data);
  expect(data.qpos[8]).toBeCloseTo(-data.qpos[7], 2);
  mj.mj_resetData(model, data);
  data.ctrl[0] = 1;
  mj.mj_step(model, data);
  // 40 Nm/rad over 1 rad is 40 Nm. The spec's limit of 50 Nm replaces the URDF's limit of 5 Nm.
  expect(data.qfrc_actuator[6]).toBeCloseTo(40, 0);
});

test('includes are found next to the model', () => {
  const files = new Map([
    ['xml/walker.xml', Buffer.from(WALKER_MJCF.replace('<worldbody>', '<include file="more.xml"/><worldbody>'))],
    ['xml/more.xml', Buffer.from('<mujoco><asset><material name="steel"/></asset></mujoco>')],
  ]);
  expect(build(files, walkerSpec({ model: 'xml/walker.xml' })).facts.actuators).toBe(4);
});

test.each([
  ['a model file that is missing', walkerSpec({ model: 'other.xml' }), WALKER_MJCF, /model: .*no file other\.xml/],
  ['no XML', walkerSpec(), 'solid', /walker\.xml line 1: text outside of the root element/],
  [
    'an include from outside',
    walkerSpec(),
    WALKER_MJCF.replace('<worldbody>', '<include file="/etc/hosts"/><worldbody>'),
    /\/etc\/hosts/,
  ],
  [
    'two roots',
    walkerSpec(),
    WALKER_MJCF.replace('</worldbody>', '<body name="b"><freejoint/><body><joint name="j"/></body></body></worldbody>'),
    /one root body.*trunk, b/,
  ],
  [
    'a joint that the model does not have',
    walkerSpec({ joints: { ...walkerSpec().joints, tail_joint: walkerSpec().joints['left_hip_joint']! } }),
    WALKER_MJCF,
    /joints\.tail_joint/,
  ],
  [
    'a body that the model does not have',
    walkerSpec({ wiring: { ...walkerSpec().wiring, anchor: 'torso' } }),
    WALKER_MJCF,
    /wiring\.anchor.*torso/,
  ],
  [
    'a default pose outside the range',
    walkerSpec({
      joints: { ...walkerSpec().joints, left_knee_joint: { ...walkerSpec().joints['left_knee_joint']!, default: -1 } },
    }),
    WALKER_MJCF,
    /joints\.left_knee_joint\.default: -1 is outside/,
  ],
  ['a ball joint', walkerSpec(), WALKER_MJCF.replace('axis="0 1 0" range="0 2"', 'type="ball"'), /ball joint/],
])('a robot with %s is refused by name', (_, spec, xml, message) => {
  expect(() => build(walker(xml), spec)).toThrow(message);
});

test.skipIf(!hasKit)("the kit's G1 compiles with its published mass and counts", () => {
  const files = new Map<string, Uint8Array>([['g1.xml', readFileSync(`${KIT}/robots/g1/g1.xml`)]]);
  for (const name of readdirSync(`${KIT}/robots/g1/assets`)) {
    files.set(`assets/${name}`, readFileSync(`${KIT}/robots/g1/assets/${name}`));
  }
  const { facts, physics, geometry } = build(files, g1Spec());
  expect(facts.joints).toHaveLength(29);
  expect(facts.bodies).toHaveLength(30);
  expect(facts.mass).toBeCloseTo(33.341, 3);
  expect(geometry.description.meshes).toHaveLength(35);
  const model = physicsOf(physics);
  expect([model.nq, model.nv, model.nu]).toEqual([36, 35, 29]);
});
