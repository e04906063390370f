import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keepLightContacts, keepSoleContacts, solePoints } from '../../../src/mdp/env/light-contacts.ts';
import { PhysicsBatch } from '../../../src/mdp/env/physics-batch.ts';
import { findFeet, standingPose } from '../../../src/robots/kinematics/feet.ts';
import { PREPARED_FILES } from '../../../src/robots/prepared-robot.ts';
import { loadMujoco } from '../../../src/sim/mujoco.ts';
import { hasKit } from '../../support/kit.ts';
import { randomFrom } from '../../support/random.ts';
import { preparedG1, preparedHumanoid } from '../../support/robots.ts';

const ROBOTS = { 'the built-in robot': preparedHumanoid, ...(hasKit ? { 'the G1': preparedG1 } : {}) };

test.each(Object.entries(ROBOTS))(
  '%s stands on the ends of its soles, and no other shape touches the ground',
  async (_, prepare) => {
    const { folder, facts } = await prepare();
    const mj = await loadMujoco();
    const batch = new PhysicsBatch(mj, readFileSync(path.join(folder, PREPARED_FILES.physics)), 1);
    const { model, data } = batch;
    const feet = facts.wiring.feet.map((foot) => facts.bodies.findIndex(({ name }) => name === foot));
    const pose = standingPose(facts);
    const found = findFeet(mj, model, pose, feet);
    for (const { axes } of found) expect(axes[2]).toEqual([0, 0, -1]);
    keepSoleContacts(mj, model, found);

    /** names of the bodies that touch the ground, one per contact point */
    const touching = () =>
      Array.from({ length: data.ncon as number }, (_, contact) => {
        const { geom1, geom2 } = data.contact.get(contact)!;
        const bodies = [geom1, geom2].map((geom) => model.geom_bodyid[geom] as number).sort((a, b) => a - b);
        expect(bodies[0], 'one side is the ground').toBe(0);
        return facts.bodies[bodies[1]! - 1]!.name;
      });

    pose[2]! -= 0.005;
    batch.qpos.set(pose);
    batch.load(0);
    mj.mj_forward(model, data);
    const standing = touching();
    expect(new Set(standing)).toEqual(new Set(facts.wiring.feet));
    expect(standing.length).toBeGreaterThanOrEqual(4);
    expect(standing.length).toBeLessThanOrEqual(16);

    // In a heap on the floor, in random poses.
    const random = randomFrom(3);
    for (let round = 0; round < 50; round++) {
      pose[2] = 0.1;
      for (const [joint, { lower, upper }] of facts.joints.entries())
        pose[7 + joint] = (lower ?? -1) + random() * ((upper ?? 1) - (lower ?? -1));
      batch.qpos.set(pose);
      batch.load(0);
      mj.mj_forward(model, data);
      for (const body of touching()) expect(facts.wiring.feet).toContain(body);
    }
    batch.delete();
  },
);

test.skipIf(!hasKit)(
  'light contacts of the G1 keep those of its limbs, and stand on fewer points than all contacts',
  async () => {
    const { folder, facts } = await preparedG1();
    const mj = await loadMujoco();
    const physics = readFileSync(path.join(folder, PREPARED_FILES.physics));
    const feet = facts.wiring.feet.map((foot) => facts.bodies.findIndex(({ name }) => name === foot));
    const pose = standingPose(facts);
    /** number of contact points of the feet while it stands, and pairs of other bodies that touch in random poses */
    const contactsOf = (keep: ((batch: PhysicsBatch) => void) | null) => {
      const batch = new PhysicsBatch(mj, physics, 1);
      keep?.(batch);
      const { model, data } = batch;
      const pairs = () =>
        Array.from({ length: data.ncon as number }, (_, contact) => {
          const { geom1, geom2 } = data.contact.get(contact)!;
          return [geom1, geom2].map((geom) => (model.geom_bodyid[geom] as number) - 1).sort((a, b) => a - b);
        });
      batch.qpos.set(pose);
      batch.qpos[2]! -= 0.005;
      batch.load(0);
      mj.mj_forward(model, data);
      const standing = pairs().length;
      const random = randomFrom(3);
      const touching: string[] = [];
      for (let round = 0; round < 50; round++) {
        batch.qpos[2] = 0.1;
        for (const [joint, { lower, upper }] of facts.joints.entries())
          batch.qpos[7 + joint] = lower! + random() * (upper! - lower!);
        batch.load(0);
        mj.mj_forward(model, data);
        touching.push(
          ...pairs()
            .filter((pair) => !pair.some((body) => feet.includes(body)))
            .map(String),
        );
      }
      batch.delete();
      return { standing, touching };
    };
    const all = contactsOf(null);
    const light = contactsOf(({ model }) => keepLightContacts(mj, model, findFeet(mj, model, pose, feet)));
    expect(light.touching).toEqual(all.touching);
    expect(light.touching.length).toBeGreaterThan(100);
    expect(light.standing).toBe(8);
    expect(all.standing).toBeGreaterThan(16);
  },
);

/** a box on one foot with geoms `<geom …/>`, in front of the ground */
const onFoot = (geoms: string) => `<mujoco>
  <worldbody>
    <geom name="ground" type="plane" size="5 5 1"/>
    <body name="base" pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1"/>
      <body name="foot" pos="0 0 -0.4"><joint axis="0 1 0"/>${geoms}</body>
    </body>
  </worldbody>
</mujoco>`;
const sphere = (x: number, y: number) => `<geom type="sphere" size="0.01" pos="${x} ${y} 0"/>`;
const capsule = (y: number) => `<geom type="capsule" size="0.01" fromto="-0.1 ${y} 0 0.1 ${y} 0"/>`;

test.each([
  ['four spheres at the corners', [sphere(-0.1, -0.05), sphere(-0.1, 0.05), sphere(0.1, -0.05), sphere(0.1, 0.05)], 4],
  ['five capsules side by side', [-0.05, -0.02, 0, 0.02, 0.05].map(capsule), 2],
])('a foot of %s keeps its corners', async (_, geoms, kept) => {
  const mj = await loadMujoco();
  const model = mj.MjModel.from_xml_string(onFoot(geoms.join('')));
  const [base, foot] = [0, 1];
  keepLightContacts(mj, model, findFeet(mj, model, model.qpos0, [foot]));
  const colliding = Array.from({ length: model.ngeom as number }, (_, geom) => geom).filter(
    (geom) => model.geom_contype[geom] !== 0,
  );
  const ofFoot = colliding.filter((geom) => model.geom_bodyid[geom] === foot + 1);
  expect(ofFoot).toHaveLength(kept);
  expect(colliding.filter((geom) => model.geom_bodyid[geom] === base + 1)).toHaveLength(1);
  const sides = ofFoot.map((geom) => model.geom_pos[3 * geom + 1] as number);
  expect([Math.min(...sides), Math.max(...sides)]).toEqual([-0.05, 0.05]);
  model.delete();
});

/** Returns the points of the sole of a foot, in mm in world axes from the origin of the foot, sorted. The foot is
 *  turned by `euler`, rad. @param geoms of the foot */
async function soleOf(geoms: string, euler = '0 0 0', asset = '') {
  const mj = await loadMujoco();
  const turned = onFoot(geoms).replace('pos="0 0 -0.4"', `pos="0 0 -0.4" euler="${euler}"`);
  const model = mj.MjModel.from_xml_string(
    turned.replace('<worldbody>', `<compiler angle="radian"/><asset>${asset}</asset><worldbody>`),
  );
  const data = new mj.MjData(model);
  mj.mj_kinematics(model, data);
  const turn = data.xmat.slice(18, 27) as Float64Array;
  const foot = findFeet(mj, model, model.qpos0, [1]);
  const points = solePoints(model, foot).map(({ at }) =>
    [0, 1, 2].map((row) => 0 + Math.round(1e3 * [0, 1, 2].reduce((sum, k) => sum + turn[3 * row + k]! * at[k]!, 0))),
  );
  const kept = () => {
    keepLightContacts(mj, model, foot);
    return Array.from(model.geom_contype as Int32Array).filter((type) => type !== 0).length - 2; // ground and base
  };
  const result = { points: points.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!), kept: kept() };
  data.delete();
  model.delete();
  return result;
}
const PLATE = [-0.07, 0.13].flatMap((x) =>
  [-0.04, 0.04].flatMap((y) => [-0.055, -0.025].map((z) => [x, y, z] as const)),
);
const CORNERS_OF_PLATE = [
  [-70, -40, -55],
  [-70, 40, -55],
  [130, -40, -55],
  [130, 40, -55],
];

test('the sole of a mesh is its lowest points, whatever the principal axes of the mesh are', async () => {
  const asset = (points: readonly (readonly number[])[]) => `<mesh name="plate" vertex="${points.flat().join(' ')}"/>`;
  const geom = '<geom type="mesh" mesh="plate"/>';
  expect((await soleOf(geom, '0 0 0', asset(PLATE))).points).toEqual(CORNERS_OF_PLATE);
  // the same plate in a frame whose y axis points up
  const turned = PLATE.map(([x, y, z]) => [x, z, -y]);
  expect((await soleOf(geom, `${Math.PI / 2} 0 0`, asset(turned))).points).toEqual(CORNERS_OF_PLATE);
});

test('the sole of a foot whose y axis points up is found along that axis', async () => {
  const ball = (x: number, z: number) => `<geom type="sphere" size="0.01" pos="${x} -0.05 ${z}"/>`;
  const five = [ball(-0.1, -0.05), ball(-0.1, 0.05), ball(0.1, -0.05), ball(0.1, 0.05), ball(0, 0)].join('');
  const { points, kept } = await soleOf(five, `${Math.PI / 2} 0 0`);
  expect(kept).toBe(2);
  // two spheres at opposite corners, which touch the floor 1 cm below their centres
  expect(points.map(([x, y, z]) => [Math.abs(x!), Math.abs(y!), z])).toEqual([
    [100, 50, -60],
    [100, 50, -60],
  ]);
  expect(points[0]![0]).toBe(-points[1]![0]!);
});

test('a robot without feet keeps its contacts, so that it does not fall through the floor', async () => {
  const mj = await loadMujoco();
  const model = mj.MjModel.from_xml_string(onFoot(sphere(0, 0)));
  keepSoleContacts(mj, model, []);
  const data = new mj.MjData(model);
  for (let step = 0; step < 500; step++) mj.mj_step(model, data); // 1 s, in which a free fall is 4.9 m
  expect(data.qpos[2]).toBeGreaterThan(0);
  data.delete();
  model.delete();
});
