import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadClip } from '../../src/data/clip/load-clip.ts';
import { createState } from '../../src/mdp/env/state-arrays.ts';
import { LIBRARY } from '../../src/mdp/library.ts';
import { bodyMotion } from '../../src/motion/convert/body-motion.ts';
import { resample } from '../../src/motion/convert/resample.ts';
import { clipVelocities } from '../../src/motion/convert/velocities.ts';
import { hasKit, KIT } from '../support/kit.ts';
import { g1ClipRobot } from '../support/robots.ts';
import { contextOf } from '../support/terms.ts';

interface GoldenStep {
  readonly policy_step: number;
  readonly ref_frame: number;
  readonly obs: readonly number[];
  readonly action: readonly number[];
  readonly qpos_after: readonly number[];
  readonly qvel_after: readonly number[];
}
interface Golden {
  readonly closed_loop: readonly { readonly start_frame: number; readonly steps: readonly GoldenStep[] }[];
}

/** Terms in the order of the policy's observations. */
const TERMS = [
  'motion_command',
  'motion_anchor_ori_b',
  'base_ang_vel',
  'joint_pos_rel',
  'joint_vel_rel',
  'last_action',
] as const;
const JOINTS = 29;

describe.skipIf(!hasKit)('observations of a deployed policy', () => {
  test('the observations of a deployed policy equal the measured ones on the start frame and after the first step', async () => {
    const robot = await g1ClipRobot();
    const clip = await loadClip(`${KIT}/clips/dance1_subject2.csv`, 'csv', {
      columns: 36,
      jointNames: robot.facts.joints.map(({ name }) => name),
      fps: 30,
    });
    const whole = resample(clip, 50);
    const velocities = clipVelocities(whole);
    const row = (from: Float64Array, width: number, frame: number) => from.slice(frame * width, (frame + 1) * width);
    const golden = JSON.parse(readFileSync(`${KIT}/policies/dance1_subject2/golden.json`, 'utf8')) as Golden;

    for (const { start_frame, steps } of golden.closed_loop) {
      const [first, second] = steps as [GoldenStep, GoldenStep];
      const start = { qpos: row(whole.rows, 36, start_frame), qvel: row(velocities, 35, start_frame) };
      const after = { qpos: Float64Array.from(first.qpos_after), qvel: Float64Array.from(first.qvel_after) };
      for (const [step, { qpos, qvel }, action] of [
        [first, start, new Array<number>(JOINTS).fill(0)],
        [second, after, first.action],
      ] as const) {
        const reference = { qpos: row(whole.rows, 36, step.ref_frame), qvel: row(velocities, 35, step.ref_frame) };
        const bodies = robot.nbody;
        const state = createState({ n: 1, joints: JOINTS, bodies, keybodies: 14, feet: 2 });
        const own = bodyMotion(robot, { fps: 50, frames: 1, rows: qpos }, qvel);
        const wanted = bodyMotion(robot, { fps: 50, frames: 1, rows: reference.qpos }, reference.qvel);
        state.jointPos.set(qpos.subarray(7));
        state.jointVel.set(qvel.subarray(6));
        state.actions.set(action);
        state.bodyQuatW.set(own.quatW);
        state.bodyAngVelW.set(own.angVelW);
        state.refJointPos.set(reference.qpos.subarray(7));
        state.refJointVel.set(reference.qvel.subarray(6));
        state.refBodyQuatW.set(wanted.quatW);

        const context = contextOf(robot.facts, robot.facts.wiring.keybodies, state);
        const out = new Float32Array(154);
        let at = 0;
        for (const name of TERMS) {
          const { dim, compute } = LIBRARY.observations[name]!.make(context, {});
          compute(0, out, at);
          at += dim;
        }
        expect(at).toBe(154);
        for (const [i, value] of step.obs.entries())
          expect(Math.abs(out[i]! - value), `start ${start_frame}, step ${step.policy_step}, value ${i}`).toBeLessThan(
            2e-5,
          );
      }
    }
  });
});
