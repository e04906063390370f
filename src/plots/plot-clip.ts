import { toRpy } from '../core/math/quaternion.ts';
import type { ClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import { clipVelocities } from '../motion/convert/velocities.ts';
import { poseAt, positionAt } from '../motion/pose-at.ts';
import { type ClipColumns, clipColumns } from './clip-channels.ts';
import { GroundSupport } from './ground-support.ts';
import { smoothMotion } from './smooth-motion.ts';

const ROOT_COLUMNS = 7;
/** Fewer have no velocity. */
const LEAST_FRAMES = 3;

/** Values of a clip's channels. */
export interface ClipPlots {
  /** (frames, channels) in the order of `clipChannels` */
  readonly data: Float32Array;
  /** the same of the raw source at the clip's own instants, NaN for torques; null without one */
  readonly ref: Float32Array | null;
}

export interface PlotOptions {
  /** the source of a converted clip */
  readonly raw?: ClipRows | null;
  /** whether torques are computed, which cost most; else they stay 0 */
  readonly torques?: boolean;
}

/** What is plotted of a clip: what its rows say, their velocities, heights of soles by forward kinematics, and torques by
 *  inverse dynamics of the smoothed motion with the floor's help (`GroundSupport`).
 *  @param robot whose columns the clips have */
export function plotClip(
  robot: ClipRobot,
  clip: ClipRows,
  { raw = null, torques = true }: PlotOptions = {},
): ClipPlots {
  const columns = clipColumns(robot.facts);
  const data = new Float32Array(clip.frames * columns.count);
  fillPoses(data, columns, robot, clip);
  if (torques) fillTorques(data, columns, robot, clip);
  if (!raw) return { data, ref: null };
  const ref = new Float32Array(data.length).fill(Number.NaN);
  fillPoses(ref, columns, robot, atInstantsOf(clip, raw, robot.nq));
  return { data, ref };
}

/** The raw clip as it is at the instants of another; past its end its last frame. */
function atInstantsOf({ frames, fps }: ClipRows, raw: ClipRows, nq: number): ClipRows {
  const rows = new Float64Array(frames * nq);
  for (let frame = 0; frame < frames; frame += 1)
    poseAt(rows.subarray(frame * nq, (frame + 1) * nq), raw, nq, positionAt(raw, frame / fps));
  return { fps, frames, rows };
}

/** Everything but torques. */
function fillPoses(out: Float32Array, columns: ClipColumns, robot: ClipRobot, clip: ClipRows): void {
  const { mj, model, data, nq, nv, facts } = robot;
  const { qpos, xpos } = robot.views;
  const { frames, rows } = clip;
  const velocities = frames < LEAST_FRAMES ? new Float64Array(frames * nv) : clipVelocities(clip);
  const feet = facts.wiring.feet.map((foot) => facts.bodies.findIndex(({ name }) => name === foot) + 1);
  const rpy = new Float64Array(3);
  const joints = nq - ROOT_COLUMNS;
  for (let frame = 0; frame < frames; frame += 1) {
    const at = frame * columns.count;
    const row = frame * nq;
    const velocity = frame * nv;
    for (let k = 0; k < nq; k += 1) qpos[k] = rows[row + k]!;
    mj.mj_kinematics(model, data);
    toRpy(rpy, rows.subarray(row + 3, row + ROOT_COLUMNS));
    for (let k = 0; k < 3; k += 1) {
      out[at + columns.pos + k] = rows[row + k]!;
      out[at + columns.rpy + k] = rpy[k]!;
      out[at + columns.rootVel + k] = velocities[velocity + k]!;
    }
    for (let k = 0; k < joints; k += 1) {
      out[at + columns.joint + k] = rows[row + ROOT_COLUMNS + k]!;
      out[at + columns.vel + k] = velocities[velocity + 6 + k]!;
    }
    for (const [k, foot] of feet.entries()) out[at + columns.height + k] = xpos[3 * foot + 2]! - facts.footSoleZ;
  }
}

function fillTorques(out: Float32Array, columns: ClipColumns, robot: ClipRobot, clip: ClipRows): void {
  const { mj, model, data, nq, nv } = robot;
  const { qpos, qvel, qacc, qfrcInverse } = robot.views;
  const { velocities, accelerations } = smoothMotion(clip, nq);
  const support = new GroundSupport(robot);
  const torques = new Float64Array(nv);
  const option = model.opt;
  const flags = option.disableflags;
  // Contacts and limits of a pose that only follows a recording push with forces that nobody felt.
  option.disableflags = flags | mj.mjtDisableBit.mjDSBL_CONSTRAINT.value;
  try {
    for (let frame = 0; frame < clip.frames; frame += 1) {
      const row = frame * nq;
      const motion = frame * nv;
      for (let k = 0; k < nq; k += 1) qpos[k] = clip.rows[row + k]!;
      for (let k = 0; k < nv; k += 1) {
        qvel[k] = velocities[motion + k]!;
        qacc[k] = accelerations[motion + k]!;
      }
      mj.mj_inverse(model, data);
      torques.set(qfrcInverse);
      support.relieve(torques);
      const at = frame * columns.count + columns.torque;
      for (let k = 6; k < nv; k += 1) out[at + k - 6] = torques[k]!;
    }
  } finally {
    option.disableflags = flags;
  }
}
