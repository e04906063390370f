import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Actuators, jointGains, MotorLaw } from '../../../src/mdp/env/actuators.ts';
import { GroundContacts } from '../../../src/mdp/env/ground-contacts.ts';
import { PhysicsBatch } from '../../../src/mdp/env/physics-batch.ts';
import { createState } from '../../../src/mdp/env/state-arrays.ts';
import { PREPARED_FILES } from '../../../src/robots/prepared-robot.ts';
import { qposOf, type RobotFacts } from '../../../src/robots/robot-facts.ts';
import { loadMujoco, type MjData } from '../../../src/sim/mujoco.ts';
import { hasKit } from '../../support/kit.ts';
import { randomFrom } from '../../support/random.ts';
import { preparedG1, preparedHumanoid } from '../../support/robots.ts';

async function batchOf(n: number, prepared = preparedHumanoid()) {
  const { folder, facts } = await prepared;
  const mj = await loadMujoco();
  const batch = new PhysicsBatch(mj, readFileSync(path.join(folder, PREPARED_FILES.physics)), n);
  const pose = qposOf(
    facts.rootHeight,
    facts.joints.map((joint) => joint.default),
  );
  for (let env = 0; env < n; env++) batch.qpos.set(pose, env * batch.nq);
  return { mj, batch, facts, pose };
}

const ROBOTS = { 'the built-in robot': preparedHumanoid, ...(hasKit ? { 'the G1': preparedG1 } : {}) };

describe.each(Object.entries(ROBOTS))('%s', (_, prepare) => {
  test('a robot moves bit for bit the same in shared MuJoCo data as in its own', async () => {
    const n = 3;
    const { mj, batch, pose } = await batchOf(n, prepare());
    const random = randomFrom(5);
    const own: MjData[] = Array.from({ length: n }, () => new mj.MjData(batch.model));
    for (let env = 0; env < n; env++) {
      pose[2] = 0.6 + 0.2 * env; // some robots start above the floor and fall onto it
      own[env]!.qpos.set(pose);
      batch.qpos.set(pose, env * batch.nq);
    }
    for (let step = 0; step < 300; step++)
      for (let env = 0; env < n; env++) {
        const ctrl = Float64Array.from({ length: batch.nu }, () => random() - 0.5);
        own[env]!.ctrl.set(ctrl);
        mj.mj_step(batch.model, own[env]!);
        const views = batch.load(env);
        views.ctrl.set(ctrl);
        expect(batch.step()).toBe(true);
        expect(batch.save(env)).toBe(true);
      }
    for (let env = 0; env < n; env++) {
      expect(batch.qpos.slice(env * batch.nq, (env + 1) * batch.nq)).toEqual(Float64Array.from(own[env]!.qpos));
      expect(batch.qvel.slice(env * batch.nv, (env + 1) * batch.nv)).toEqual(Float64Array.from(own[env]!.qvel));
    }
    for (const data of own) data.delete();
    batch.delete();
  });

  test.each([
    ['pyramidal', 0],
    ['elliptic', 1],
  ])('the ground forces with %s cones equal those of MuJoCo', async (_cone, cone) => {
    const { mj, batch, facts } = await batchOf(1, prepare());
    batch.model.opt.cone = cone;
    const bodies = facts.bodies.map((_, body) => body);
    const feet = facts.wiring.feet.map((name) => facts.bodies.findIndex((body) => body.name === name));
    const contacts = new GroundContacts(batch.model, bodies, feet);
    const state = createState({
      n: 1,
      joints: facts.joints.length,
      bodies: bodies.length,
      keybodies: bodies.length,
      feet: feet.length,
    });
    const views = batch.load(0);
    for (const [actuator, joint] of facts.joints.entries()) views.ctrl[actuator] = joint.default;
    for (let step = 0; step < 60; step++) batch.step();
    contacts.read(state, 0, batch.data, batch.views.arena);
    const wanted = forcesByHandles(mj, batch, bodies.length);
    expect(batch.data.ncon).toBeGreaterThan(3);
    for (const [k, value] of wanted.entries()) expect(state.contactForce[k]).toBeCloseTo(value, 8);
    const total = wanted.reduce((sum, value, k) => (k % 3 === 2 ? sum + value : sum), 0);
    expect(total).toBeLessThan(-0.3 * 9.81 * facts.mass);
    expect([...state.footContact]).toEqual(feet.map(() => 1));
    batch.delete();
  });
});

/** Slow reference implementation with MuJoCo's accessors, which also decodes contact forces. */
function forcesByHandles(mj: Awaited<ReturnType<typeof loadMujoco>>, batch: PhysicsBatch, bodies: number) {
  const out = new Float64Array(3 * bodies);
  const { model, data } = batch;
  const list = data.contact;
  const force = new mj.DoubleBuffer(6);
  for (let k = 0; k < data.ncon; k++) {
    const contact = list.get(k)!;
    const [one, two] = [model.geom_bodyid[contact.geom1] as number, model.geom_bodyid[contact.geom2] as number];
    if ((one === 0) !== (two === 0)) {
      mj.mj_contactForce(model, data, k, force);
      const local = force.GetView() as Float64Array;
      const body = Math.max(one, two) - 1;
      for (let axis = 0; axis < 3; axis++)
        for (let row = 0; row < 3; row++)
          out[3 * body + axis] =
            out[3 * body + axis]! + (one === 0 ? -1 : 1) * local[row]! * (contact.frame[3 * row + axis] as number);
    }
    contact.delete();
  }
  list.delete();
  force.delete();
  return out;
}

test('a diverging robot is detected and does not affect its neighbours', async () => {
  const { batch } = await batchOf(2);
  batch.qvel[0] = 1e9;
  const alone = await batchOf(1);
  for (let step = 0; step < 5; step++) {
    batch.load(0);
    const went = batch.step();
    expect(batch.save(0) && went).toBe(false);
    batch.load(1);
    batch.step();
    expect(batch.save(1)).toBe(true);
    alone.batch.load(0);
    alone.batch.step();
    alone.batch.save(0);
  }
  expect(batch.qpos.slice(batch.nq)).toEqual(alone.batch.qpos);
  batch.delete();
  alone.batch.delete();
});

test('each further environment adds only its state to memory, not another MuJoCo data', async () => {
  const { mj, batch } = await batchOf(1);
  const heap = () => new mj.DoubleBuffer(1).GetView().buffer.byteLength as number;
  const before = heap();
  const many = await batchOf(2000);
  expect(heap() - before).toBeLessThan(32 << 20);
  expect(many.batch.qpos.byteLength + many.batch.qvel.byteLength + many.batch.warmstart.byteLength).toBeLessThan(
    2000 * 2000,
  );
  many.batch.delete();
  batch.delete();
});

describe('actuators', () => {
  test('each actuator moves its own joint, whatever the order in the model', async () => {
    const { batch, facts } = await batchOf(1);
    const actuators = new Actuators(batch.model, facts, jointGains(facts));
    const target = Float64Array.from(facts.joints, (joint) => joint.default);
    const joint = facts.joints.findIndex(({ name }) => /elbow/.test(name));
    target[joint] = target[joint]! + 0.4;
    const views = batch.load(0);
    (batch.model.opt.gravity as Float64Array).fill(0);
    views.qpos[2] = 3;
    actuators.begin(views, target, 0);
    for (let step = 0; step < 200; step++) batch.step();
    for (const [j, { default: rest }] of facts.joints.entries())
      expect(views.qpos[7 + j]! - rest).toBeCloseTo(j === joint ? 0.4 : 0, 1);
    batch.delete();
  });

  test('actuators use gains and limits of the policy instead of those of the robot', async () => {
    const { batch, facts } = await batchOf(1);
    const ones = facts.joints.map(() => 1);
    const gains = jointGains(facts, { stiffness: ones, damping: ones.map(() => 0), effort_limit: ones.map(() => 0.5) });
    const actuators = new Actuators(batch.model, facts, gains);
    const views = batch.load(0);
    actuators.begin(
      views,
      Float64Array.from(facts.joints, (joint) => joint.default + 0.25),
      0,
    );
    batch.step();
    for (const [j] of facts.joints.entries()) expect(views.qfrcActuator[6 + j]).toBeCloseTo(0.25, 12);
    batch.load(0);
    actuators.begin(
      views,
      Float64Array.from(facts.joints, (joint) => joint.default - 2),
      0,
    );
    batch.step();
    for (const [j] of facts.joints.entries()) expect(views.qfrcActuator[6 + j]).toBe(-0.5);
    batch.delete();
  });

  test('actuators lose torque with speed and friction like the motor of the G1 knee', () => {
    const curve = { y1: 111, y2: 131, x1: 14.5, x2: 22.7 };
    const knee = new MotorLaw(curve, null, Number.POSITIVE_INFINITY);
    expect(knee.torque(90, 10)).toBe(90);
    expect(knee.torque(200, 10)).toBe(111); // driving
    expect(knee.torque(-200, 10)).toBe(-131); // braking
    expect(knee.torque(200, 18.6)).toBeCloseTo(111 * (1 - 4.1 / 8.2), 9);
    expect(knee.torque(-200, 18.6)).toBeCloseTo(-65.5, 9);
    expect(knee.torque(200, 30)).toBe(0);
    const rubbing = new MotorLaw(curve, { static: 2.4, viscous: 0.24 }, Number.POSITIVE_INFINITY);
    expect(rubbing.torque(50, 5)).toBeCloseTo(50 - 2.4 - 1.2, 9);
    expect(rubbing.torque(50, -0.01)).toBeCloseTo(50 + 2.4 * Math.tanh(1) + 0.0024, 9);
    expect(new MotorLaw(null, null, 25).torque(80, 100)).toBe(25);
  });

  test('actuators with a torque-speed curve apply its torque in every physics step', async () => {
    const { batch, facts } = await batchOf(1);
    const curve = { y1: 3, y2: 4, x1: 5, x2: 10 };
    const bent: RobotFacts = {
      ...facts,
      joints: facts.joints.map((joint, j) => (j === 0 ? { ...joint, torqueSpeed: curve } : joint)),
    };
    const gains = jointGains(bent);
    const actuators = new Actuators(batch.model, bent, gains);
    const target = Float64Array.from(facts.joints, (joint) => joint.default);
    target[0] = target[0]! + 1;
    const views = batch.load(0);
    actuators.begin(views, target, 0);
    for (let step = 0; step < 4; step++) {
      const q = views.qpos[7]!;
      const qd = views.qvel[6]!;
      actuators.beforeStep(views, target, 0);
      batch.step();
      const asked = gains.stiffness[0]! * (target[0]! - q) - gains.damping[0]! * qd;
      expect(views.qfrcActuator[6]).toBeCloseTo(new MotorLaw(curve, null, 0).torque(asked, qd), 9);
    }
    batch.delete();
  });
});
