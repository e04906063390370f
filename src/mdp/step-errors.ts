import type { EnvState, TermIndices } from './env-state.ts';

/** The errors of a step, in the order in which {@link writeStepErrors} writes them. */
export const STEP_ERRORS = [
  'body_pos',
  'body_pos_local',
  'body_rot',
  'joint_pos',
  'joint_vel',
  'anchor_pos',
  'anchor_rot',
] as const;
export type StepError = (typeof STEP_ERRORS)[number];

/** Errors whose mean over steps is a root mean square. {@link writeStepErrors} writes their squares. */
const SQUARED: ReadonlySet<StepError> = new Set(['joint_pos', 'joint_vel']);

/** Measures how far the robot is from its reference after a control step. Writes one value per {@link STEP_ERRORS}:
 *  mean distance of the keybodies in the world, m; the same after the reference is moved to the x and y of the robot's
 *  anchor and turned by the yaw difference of the anchors, m; mean angle of the keybodies, rad; mean square over the
 *  joints of position, rad², and velocity, (rad/s)²; distance, m, and angle, rad, of the anchors. All values depend
 *  only on poses and velocities, so that policies of tasks with different key bodies can be compared.
 *  @param out starting at `out[at]` */
export function writeStepErrors(
  state: EnvState,
  env: number,
  { anchor, keybodies }: Pick<TermIndices, 'anchor' | 'keybodies'>,
  out: Float64Array,
  at: number,
): void {
  const { bodies, bodyPosW, refBodyPosW } = state;
  const root = env * bodies;
  const a = 3 * (root + anchor);
  const yaw = yawDifference(state, 4 * (root + anchor));
  const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
  let [world, local, rotation] = [0, 0, 0];
  for (let k = 0; k < keybodies.length; k++) {
    const p = 3 * (root + keybodies[k]!);
    const z = bodyPosW[p + 2]! - refBodyPosW[p + 2]!;
    world += Math.hypot(bodyPosW[p]! - refBodyPosW[p]!, bodyPosW[p + 1]! - refBodyPosW[p + 1]!, z);
    const dx = refBodyPosW[p]! - refBodyPosW[a]!;
    const dy = refBodyPosW[p + 1]! - refBodyPosW[a + 1]!;
    local += Math.hypot(
      bodyPosW[p]! - bodyPosW[a]! - (cos * dx - sin * dy),
      bodyPosW[p + 1]! - bodyPosW[a + 1]! - (sin * dx + cos * dy),
      z,
    );
    rotation += angle(state, 4 * (root + keybodies[k]!));
  }
  const count = Math.max(1, keybodies.length);
  out[at] = world / count;
  out[at + 1] = local / count;
  out[at + 2] = rotation / count;
  out[at + 3] = meanSquare(state.jointPos, state.refJointPos, env, state.joints);
  out[at + 4] = meanSquare(state.jointVel, state.refJointVel, env, state.joints);
  out[at + 5] = Math.hypot(
    bodyPosW[a]! - refBodyPosW[a]!,
    bodyPosW[a + 1]! - refBodyPosW[a + 1]!,
    bodyPosW[a + 2]! - refBodyPosW[a + 2]!,
  );
  out[at + 6] = angle(state, 4 * (root + anchor));
}

/** Returns the means over steps by name, with the root of the squared ones.
 *  @param sums (7,) sums of what {@link writeStepErrors} wrote  @param steps number of steps, at least 1 */
export function meanErrors(sums: Float64Array, steps: number): Record<StepError, number> {
  const mean = (name: StepError) => {
    const value = sums[STEP_ERRORS.indexOf(name)]! / steps;
    return SQUARED.has(name) ? Math.sqrt(value) : value;
  };
  return {
    body_pos: mean('body_pos'),
    body_pos_local: mean('body_pos_local'),
    body_rot: mean('body_rot'),
    joint_pos: mean('joint_pos'),
    joint_vel: mean('joint_vel'),
    anchor_pos: mean('anchor_pos'),
    anchor_rot: mean('anchor_rot'),
  };
}

/** Returns the yaw of q · q_ref⁻¹ of the body at `q`, rad. */
function yawDifference({ bodyQuatW, refBodyQuatW }: EnvState, q: number): number {
  const [aw, ax, ay, az] = [bodyQuatW[q]!, bodyQuatW[q + 1]!, bodyQuatW[q + 2]!, bodyQuatW[q + 3]!];
  const [bw, bx, by, bz] = [refBodyQuatW[q]!, -refBodyQuatW[q + 1]!, -refBodyQuatW[q + 2]!, -refBodyQuatW[q + 3]!];
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** Returns the angle between a body and its reference, rad, from the quaternions at `q`. */
function angle({ bodyQuatW: a, refBodyQuatW: b }: EnvState, q: number): number {
  const [aw, ax, ay, az] = [a[q]!, -a[q + 1]!, -a[q + 2]!, -a[q + 3]!];
  const [bw, bx, by, bz] = [b[q]!, b[q + 1]!, b[q + 2]!, b[q + 3]!];
  const sine = Math.hypot(
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  );
  return 2 * Math.atan2(sine, Math.abs(aw * bw - ax * bx - ay * by - az * bz));
}

function meanSquare(values: Float64Array, references: Float64Array, env: number, count: number): number {
  let sum = 0;
  for (let k = env * count; k < (env + 1) * count; k++) sum += (values[k]! - references[k]!) ** 2;
  return count === 0 ? 0 : sum / count;
}
