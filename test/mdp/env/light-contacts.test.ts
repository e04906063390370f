import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keepLightContacts, keepSoleContacts } from '../../../src/mdp/env/light-contacts.ts';
import { PhysicsBatch } from '../../../src/mdp/env/physics-batch.ts';
import { PREPARED_FILES } from '../../../src/robots/prepared-robot.ts';
import { qposOf } from '../../../src/robots/robot-facts.ts';
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
    keepSoleContacts(mj, model, feet);
    const pose = qposOf(
      facts.rootHeight,
      facts.joints.map((joint) => joint.default),
    );

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
    const pose = qposOf(
      facts.rootHeight,
      facts.joints.map((joint) => joint.default),
    );
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
    const light = contactsOf(({ model }) => keepLightContacts(mj, model, feet));
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
  keepLightContacts(mj, model, [foot]);
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
