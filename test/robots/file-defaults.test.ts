import { afterAll, describe, expect, test } from 'vitest';
import { prepareModel } from '../../src/robots/prepare/prepare-model.ts';
import { assembleModel, compilePhysics } from '../../src/robots/robot-model.ts';
import { loadMujoco, type MjModel, nameAt } from '../../src/sim/mujoco.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';

const mj = await loadMujoco();
const owned: { delete(): void }[] = [];

afterAll(() => {
  for (const handle of owned.reverse()) handle.delete();
});

/** Compiles the walker with `main` as the main default of its file. */
function walkerWith(main: string, change: (mjcf: string) => string = (mjcf) => mjcf) {
  const mjcf = change(WALKER_MJCF.replace('<asset>', `<default>${main}</default><asset>`));
  const spec = walkerSpec();
  const prepared = prepareModel(mj, new Map([[spec.model, Buffer.from(mjcf)]]), spec.model);
  owned.push(prepared.spec);
  const model = assembleModel(mj, prepared.spec, spec);
  owned.push(model);
  const physics = compilePhysics(mj, prepared.spec, model, spec.model);
  owned.push(physics);
  return { physics, warnings: prepared.warnings };
}

const geomNamed = (model: MjModel, name: string) =>
  Array.from({ length: model.ngeom }, (_, geom) => geom).find(
    (geom) => nameAt(model, model.name_geomadr[geom]) === name,
  )!;

describe('the main default of a model file', () => {
  test('the main default of a model file does not change the floor', () => {
    const { physics } = walkerWith(
      '<geom contype="0" conaffinity="0" condim="6" priority="4" friction="3 1 1" solmix="5" solref="0.2 2" ' +
        'solimp="0.1 0.2 0.3" margin="0.1" gap="0.05"/>',
    );
    const floor = geomNamed(physics, 'floor');
    const at = (view: ArrayLike<number>, width: number) =>
      Array.from({ length: width }, (_, k) => view[width * floor + k]!);
    expect([physics.geom_contype[floor], physics.geom_conaffinity[floor]]).toEqual([1, 1]);
    expect([physics.geom_condim[floor], physics.geom_priority[floor], physics.geom_solmix[floor]]).toEqual([3, 0, 1]);
    expect(at(physics.geom_friction, 3)).toEqual([1, 0.005, 0.0001]);
    expect(at(physics.geom_solref, 2)).toEqual([0.02, 1]);
    expect(at(physics.geom_solimp, 5)).toEqual([0.9, 0.95, 0.001, 0.5, 2]);
    expect([physics.geom_margin[floor], physics.geom_gap[floor]]).toEqual([0, 0]);
  });

  test('the main default of a model file does not change the servos of the spec: gear, activation dynamics, limits', () => {
    const { physics } = walkerWith(
      '<general gear="50" dyntype="filter" dynprm="0.5" ctrllimited="true" ctrlrange="-0.1 0.1" actlimited="true" actrange="-1 1"/>',
    );
    expect(physics.na).toBe(0);
    expect(Array.from({ length: physics.nu }, (_, k) => physics.actuator_gear[6 * k])).toEqual([1, 1, 1, 1]);
    const data = new mj.MjData(physics);
    owned.push(data);
    data.qpos[2] = 5;
    data.ctrl[0] = 0.5;
    mj.mj_step(physics, data);
    // stiffness 40 Nm/rad times deviation 0.5 rad
    expect(data.qfrc_actuator[6]).toBeCloseTo(20, 1);
  });

  test('the main default of a model file does not damp the free base, and a note says so', () => {
    const joint = '<joint damping="20" armature="0.5" frictionloss="3"/>';
    const held = (mjcf: string) => mjcf.replace('<freejoint name="floating_base_joint"/>', '<joint type="free"/>');
    const { physics, warnings } = walkerWith(joint, held);
    for (const view of [physics.dof_damping, physics.dof_armature, physics.dof_frictionloss])
      expect([...(view as Float64Array).subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(physics.dof_damping[6]).toBe(20);
    expect(warnings.join()).toMatch(/free joint floating_base_joint removed/);
    expect(walkerWith(joint).warnings.join()).not.toMatch(/free joint/);
  });
});
