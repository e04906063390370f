import { expect, test } from 'vitest';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import { inverseDynamics } from '../../../src/motion/dynamics/inverse-dynamics.ts';
import { WALKER_MJCF } from '../../support/models.ts';
import { randomFrom } from '../../support/random.ts';
import { humanoidClipRobot, walkerClipRobot } from '../../support/robots.ts';

const SPRING = `<tendon><fixed name="spring" stiffness="30" damping="2" armature="0.4" springlength="0.2">
  <joint joint="left_hip_joint" coef="0.5"/><joint joint="right_hip_joint" coef="-1"/>
</fixed></tendon></mujoco>`;

const ROBOTS: readonly (readonly [name: string, tendons: number, () => Promise<ClipRobot>])[] = [
  ['the built-in robot', 0, humanoidClipRobot],
  ['a robot with a tendon', 1, () => walkerClipRobot(WALKER_MJCF.replace('</mujoco>', SPRING))],
];

test.each(ROBOTS)(
  'forces of %s in any state equal those of mj_inverse without constraints',
  async (_, tendons, open) => {
    const robot = await open();
    const { mj, model, data, nq, nv } = robot;
    expect(model.ntendon).toBe(tendons);
    const random = randomFrom(7);
    const { qpos, qvel, qacc, forces } = robot.views;
    const compute = inverseDynamics(robot);
    let largest = 0;
    for (let trial = 0; trial < 20; trial += 1) {
      for (let k = 0; k < nq; k += 1) qpos[k] = 2 * random() - 1;
      qpos[2] = 0.4 * random(); // inside the floor, where contacts would act
      const length = Math.hypot(...qpos.subarray(3, 7));
      for (let k = 3; k < 7; k += 1) qpos[k]! /= length;
      for (let k = 0; k < nv; k += 1) {
        qvel[k] = 6 * random() - 3;
        qacc[k] = 60 * random() - 30;
      }
      compute();
      const found = Float64Array.from(forces);
      const flags = model.opt.disableflags as number;
      model.opt.disableflags = flags | mj.mjtDisableBit.mjDSBL_CONSTRAINT.value;
      mj.mj_inverse(model, data);
      model.opt.disableflags = flags;
      for (let k = 0; k < nv; k += 1) {
        largest = Math.max(largest, Math.abs(found[k]!));
        expect(found[k]).toBeCloseTo(data.qfrc_inverse[k] as number, 9);
      }
    }
    expect(largest).toBeGreaterThan(100);
    expect(model.opt.disableflags & mj.mjtDisableBit.mjDSBL_CONSTRAINT.value).toBe(0);
  },
);
