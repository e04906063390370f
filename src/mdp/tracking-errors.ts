import type { EnvState } from './env-state.ts';

/** Returns the mean distance of the keybodies from their targets (the reference moved to the robot's anchor), m.
 *  @param keybodies bodies without the world, in the order of `relBodyPosW` */
export function keybodyError(state: EnvState, keybodies: readonly number[], env: number): number {
  const { bodies, bodyPosW, relBodyPosW } = state;
  let sum = 0;
  for (let k = 0; k < keybodies.length; k++) {
    const p = 3 * (env * bodies + keybodies[k]!);
    const r = 3 * (env * keybodies.length + k);
    sum += Math.hypot(
      bodyPosW[p]! - relBodyPosW[r]!,
      bodyPosW[p + 1]! - relBodyPosW[r + 1]!,
      bodyPosW[p + 2]! - relBodyPosW[r + 2]!,
    );
  }
  return keybodies.length === 0 ? 0 : sum / keybodies.length;
}

/** Returns the root mean square difference of the joints from their reference, rad. */
export function jointRmse({ joints, jointPos, refJointPos }: EnvState, env: number): number {
  let sum = 0;
  for (let k = env * joints; k < (env + 1) * joints; k++) sum += (jointPos[k]! - refJointPos[k]!) ** 2;
  return joints === 0 ? 0 : Math.sqrt(sum / joints);
}

/** The physics has diverged if an error exceeds this value, m or rad: such robots are 100 m or 16 turns from their
 *  reference. */
const LARGEST_ERROR = 100;

/** Replaces an error of a diverged robot, m or rad, by 0. Its episode ends, and its error must not distort the mean of
 *  the others. */
export function bounded(error: number): number {
  return error < LARGEST_ERROR ? error : 0;
}
