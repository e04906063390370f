import { afterAll, expect, test } from 'vitest';
import { prepareModel } from '../../src/robots/prepare/prepare-model.ts';
import { assembleModel, buildRobotModel, compilePhysics } from '../../src/robots/robot-model.ts';
import { loadMujoco, type MjModel, nameAt } from '../../src/sim/mujoco.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';

const mj = await loadMujoco();
const owned: { delete(): void }[] = [];

afterAll(() => {
  for (const handle of owned.reverse()) handle.delete();
});

/** Compiles a model with its visual shapes, and its physics without them. */
function compiled(mjcf: string, spec = walkerSpec()) {
  const prepared = prepareModel(mj, new Map([[spec.model, Buffer.from(mjcf)]]), spec.model);
  owned.push(prepared.spec);
  const whole = assembleModel(mj, prepared.spec, spec);
  owned.push(whole);
  const physics = compilePhysics(mj, prepared.spec, whole, spec.model);
  owned.push(physics);
  return { whole, physics };
}

function massOf(model: MjModel, name: string): number {
  const body = Array.from({ length: model.nbody }, (_, k) => k).find(
    (k) => nameAt(model, model.name_bodyadr[k]) === name,
  );
  return model.body_mass[body!];
}

test('the simulated robot has the mass of its visual shapes, also if the file asks for inertias from shapes', () => {
  const shoe = '<geom type="box" size="0.1 0.1 0.1" density="1000" contype="0" conaffinity="0"/>'; // 8 kg
  const shod = WALKER_MJCF.replace(/<body name="left_foot"[^>]*>/, (tag) => tag + shoe).replace(
    '<asset>',
    '<compiler inertiafromgeom="true"/><asset>',
  );
  const { whole, physics } = compiled(shod);
  expect(massOf(physics, 'left_foot')).toBeCloseTo(massOf(physics, 'right_foot') + 8, 6);
  expect(Array.from(physics.body_mass)).toEqual(Array.from(whole.body_mass));
  expect(Array.from(physics.body_inertia)).toEqual(Array.from(whole.body_inertia));
});

test("the place of the robot's velocimeter is known if it is on the root and has the axes of the root", () => {
  const spec = walkerSpec();
  const placeOf = (site: string, sensor: string, body = 'trunk') => {
    const mjcf = WALKER_MJCF.replace(
      new RegExp(`<body name="${body}"[^>]*>`),
      (tag) => `${tag}<site name="imu" ${site}/>`,
    ).replace('</mujoco>', `<sensor><gyro name="imu_ang_vel" site="imu"/>${sensor}</sensor></mujoco>`);
    return buildRobotModel(mj, new Map([[spec.model, Buffer.from(mjcf)]]), spec).facts.velocimeter;
  };
  const sensor = '<velocimeter name="imu_lin_vel" site="imu"/>';
  expect(placeOf('pos="0.045 0 -0.083"', sensor)).toEqual([0.045, 0, -0.083]);
  expect(placeOf('pos="0.045 0 -0.083"', '<velocimeter name="other" site="imu"/>')).toBeUndefined();
  expect(placeOf('pos="0.045 0 -0.083" euler="0 0.2 0"', sensor)).toBeUndefined();
  expect(placeOf('pos="0.045 0 -0.083"', sensor, 'left_thigh')).toBeUndefined();
});
