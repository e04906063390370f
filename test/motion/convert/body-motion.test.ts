import { expect, test } from 'vitest';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import { bodyMotion } from '../../../src/motion/convert/body-motion.ts';
import { hasKit } from '../../support/kit.ts';
import { WALKER_MJCF } from '../../support/models.ts';
import { randomFrom } from '../../support/random.ts';
import { g1ClipRobot, humanoidClipRobot, walkerClipRobot } from '../../support/robots.ts';

/** Left thigh: two joints with offset and tilted axes, one with a reference value. Left foot: no joint. Right foot: a
 *  slide joint. */
const ODD_WALKER = WALKER_MJCF.replace('<joint name="left_knee_joint" axis="0 1 0" range="0 2"/>', '')
  .replace(
    '<joint name="left_hip_joint" axis="0 1 0" range="-1 1"/>',
    `<joint name="left_hip_joint" pos="0.05 0 0.1" axis="0 1 0.4" ref="0.3" range="-1 1"/>
     <joint name="left_knee_joint" pos="0 0.03 -0.1" axis="1 0.2 0" range="-2 2"/>`,
  )
  .replace(
    '<joint name="right_knee_joint" axis="0 1 0" range="0 2"/>',
    '<joint name="right_knee_joint" type="slide" axis="0.3 0 1" range="-1 1"/>',
  );

const ROBOTS: readonly (readonly [string, boolean, () => Promise<ClipRobot>])[] = [
  ['the built-in humanoid', true, humanoidClipRobot],
  ['a robot with several joints on a body, none, and one that slides', true, () => walkerClipRobot(ODD_WALKER)],
  ["the kit's G1", hasKit, g1ClipRobot],
];

for (const [name, runs, open] of ROBOTS)
  test.runIf(runs)(`poses and velocities of all bodies equal MuJoCo's: ${name}`, async () => {
    const robot = await open();
    const { mj, model, data, nq, nv, nbody } = robot;
    if (name.startsWith('a robot with several'))
      expect([Array.from(model.body_jntnum as Int32Array), model.jnt_type.includes(2)]).toEqual([
        [0, 1, 2, 0, 1, 1],
        true,
      ]);
    const random = randomFrom(7);
    const amount = () => 2 * random() - 1;
    const frames = 40;
    const rows = Float64Array.from({ length: frames * nq }, amount);
    const velocities = Float64Array.from({ length: frames * nv }, () => 5 * amount());
    for (let frame = 0; frame < frames; frame += 1) {
      const quaternion = rows.subarray(frame * nq + 3, frame * nq + 7);
      const length = Math.hypot(...quaternion);
      for (let k = 0; k < 4; k += 1) quaternion[k] = quaternion[k]! / length;
    }
    const motion = bodyMotion(robot, { fps: 50, frames, rows }, velocities);
    const { qpos, qvel, xpos, xquat } = robot.views;
    const velocityBuffer = new mj.DoubleBuffer(6);
    for (let frame = 0; frame < frames; frame += 1) {
      qpos.set(rows.subarray(frame * nq, (frame + 1) * nq));
      qvel.set(velocities.subarray(frame * nv, (frame + 1) * nv));
      mj.mj_kinematics(model, data);
      mj.mj_comPos(model, data);
      mj.mj_comVel(model, data);
      for (let body = 1; body <= nbody; body += 1) {
        const at = frame * nbody + body - 1;
        // Angular, then linear velocity at the body's origin, in world axes.
        mj.mj_objectVelocity(model, data, mj.mjtObj.mjOBJ_XBODY.value, body, velocityBuffer, 0);
        const velocity: Float64Array = velocityBuffer.GetView();
        for (let axis = 0; axis < 3; axis += 1) {
          expect(motion.posW[3 * at + axis]).toBeCloseTo(xpos[3 * body + axis]!, 6);
          expect(motion.angVelW[3 * at + axis]).toBeCloseTo(velocity[axis]!, 4);
          expect(motion.linVelW[3 * at + axis]).toBeCloseTo(velocity[3 + axis]!, 4);
        }
        for (let k = 0; k < 4; k += 1) expect(motion.quatW[4 * at + k]).toBeCloseTo(xquat[4 * body + k]!, 6);
      }
    }
    velocityBuffer.delete();
    expect(Math.max(...motion.angVelW)).toBeGreaterThan(5);
  });
