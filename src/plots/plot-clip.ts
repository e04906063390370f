import { toRpy } from '../core/math/quaternion.ts';
import type { ClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import { clipVelocities } from '../motion/convert/velocities.ts';
import { GroundSupport } from '../motion/dynamics/ground-support.ts';
import { inverseDynamics } from '../motion/dynamics/inverse-dynamics.ts';
import { smoothingReach, smoothMotion } from '../motion/dynamics/smooth-motion.ts';
import { poseAt, positionAt } from '../motion/pose-at.ts';
import { lowestOf, robotShape } from '../motion/robot-shape.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import { type ClipColumns, clipColumns } from './clip-channels.ts';
import { SoleSpeeds } from './sole-speeds.ts';

const ROOT_COLUMNS = 7;
/** Minimum number of frames for computing velocities. */
const LEAST_FRAMES = 3;
/** Number of neighbouring frames on either side of a range that influence its velocities. With two, even a range of
 *  one frame gets LEAST_FRAMES. */
const VELOCITY_REACH = 2;

/** Values of a clip's channels. */
export interface ClipPlots {
  /** (frames, channels) in the order of `clipChannels` */
  readonly data: Float32Array;
  /** values of the raw source in the same layout, sampled at the clip's times; NaN for torques; null if the clip has
   *  no source */
  readonly ref: Float32Array | null;
}

/** A clip, and its raw source for comparison. The source is null if the clip does not have one. */
export interface PlottedClip {
  readonly clip: ClipRows;
  readonly raw: ClipRows | null;
}

/** Groups of channels that are computed together: all channels except torques; the same channels of the raw source;
 *  torques. */
export const PLOT_PASSES = ['poses', 'source', 'torques'] as const;
export type PlotPass = (typeof PLOT_PASSES)[number];

/** The frames `from` to `to` − 1 of a clip. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/** Allocates memory for the values of a clip's channels, (frames, channels). It is shared memory, so that any thread
 *  can fill it. */
export function allocatePlots(robot: RobotFacts, frames: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(Float32Array.BYTES_PER_ELEMENT * frames * clipColumns(robot).count));
}

/** Plots a whole clip: its rows, their velocities, sole heights from forward kinematics, and torques. Torques are
 *  computed by inverse dynamics of the smoothed motion, with the robot supported by the floor (`GroundSupport`).
 *  @param robot must have the same columns as the clip and its source */
export function plotClip(robot: ClipRobot, clip: ClipRows, raw: ClipRows | null = null): ClipPlots {
  const plotted = { clip, raw };
  const open = () => allocatePlots(robot.facts, clip.frames);
  const plots = { data: open(), ref: raw && open() };
  for (const pass of PLOT_PASSES) plotRange(plots, robot, plotted, pass, { from: 0, to: clip.frames });
  return plots;
}

/** Computes one pass over one range of a clip. The result is bit-identical for any division of the clip into ranges.
 *  @param out arrays of the whole clip; only the frames of the range and the columns of the pass are written */
export function plotRange(
  out: ClipPlots,
  robot: ClipRobot,
  { clip, raw }: PlottedClip,
  pass: PlotPass,
  range: FrameRange,
): void {
  const { nq, facts } = robot;
  const columns = clipColumns(facts);
  if (pass === 'poses') fillPoses(out.data, columns, robot, cut(clip, nq, range, VELOCITY_REACH));
  else if (pass === 'torques')
    fillTorques(out.data, columns, robot, cut(clip, nq, range, smoothingReach(clip.fps) + 1));
  else if (raw && out.ref) fillSource(out.ref, columns, robot, cutSource(clip, raw, nq, range));
}

function fillSource(out: Float32Array, columns: ClipColumns, robot: ClipRobot, source: Cut): void {
  fillPoses(out, columns, robot, source);
  for (let frame = source.from; frame < source.to; frame += 1) {
    const at = frame * columns.count + columns.torque;
    out.fill(Number.NaN, at, at + robot.nq - ROOT_COLUMNS);
  }
}

/** A range, together with the neighbouring frames that influence it. */
interface Cut extends FrameRange {
  readonly clip: ClipRows;
  /** index of the first frame of `clip` in the whole clip */
  readonly first: number;
}

function cut({ fps, frames, rows }: ClipRows, nq: number, { from, to }: FrameRange, reach: number): Cut {
  const first = Math.max(0, from - reach);
  const end = Math.min(frames, to + reach);
  return { from, to, first, clip: { fps, frames: end - first, rows: rows.subarray(first * nq, end * nq) } };
}

/** Samples the raw clip at the times of another clip. After the end of the raw clip, its last frame is repeated. */
function cutSource({ frames, fps }: ClipRows, raw: ClipRows, nq: number, { from, to }: FrameRange): Cut {
  const first = Math.max(0, from - VELOCITY_REACH);
  const end = Math.min(frames, to + VELOCITY_REACH);
  const rows = new Float64Array((end - first) * nq);
  const pose = new Float64Array(nq);
  for (let frame = first; frame < end; frame += 1) {
    poseAt(pose, raw, nq, positionAt(raw, frame / fps));
    rows.set(pose, (frame - first) * nq);
  }
  return { from, to, first, clip: { fps, frames: end - first, rows } };
}

/** Fills all columns except torques. */
function fillPoses(out: Float32Array, columns: ClipColumns, robot: ClipRobot, { from, to, first, clip }: Cut): void {
  const { mj, model, data, nq, nv, facts } = robot;
  const { frames, rows } = clip;
  const velocities = frames < LEAST_FRAMES ? new Float64Array(frames * nv) : clipVelocities(clip);
  const { shapes, feet } = robotShape(robot);
  const soles = new SoleSpeeds(feet, clip.fps);
  const turn = new Float64Array(4);
  const rpy = new Float64Array(3);
  const joints = nq - ROOT_COLUMNS;
  const pose = (frame: number) => {
    const { qpos } = robot.views;
    for (let k = 0; k < nq; k += 1) qpos[k] = rows[(frame - first) * nq + k]!;
    mj.mj_kinematics(model, data);
    soles.move(robot.views);
  };
  if (from > first) pose(from - 1);
  for (let frame = from; frame < to; frame += 1) {
    const at = frame * columns.count;
    const row = (frame - first) * nq;
    const velocity = (frame - first) * nv;
    pose(frame);
    const { xpos, geomXpos, geomXmat } = robot.views;
    for (let k = 0; k < 4; k += 1) turn[k] = rows[row + 3 + k]!;
    toRpy(rpy, turn);
    for (let k = 0; k < 3; k += 1) {
      out[at + columns.pos + k] = rows[row + k]!;
      out[at + columns.rpy + k] = rpy[k]!;
      out[at + columns.rootVel + k] = velocities[velocity + k]!;
    }
    for (let k = 0; k < joints; k += 1) {
      out[at + columns.joint + k] = rows[row + ROOT_COLUMNS + k]!;
      out[at + columns.vel + k] = velocities[velocity + 6 + k]!;
    }
    for (let k = 0; k < feet.length; k += 1) {
      out[at + columns.height + k] = xpos[3 * (feet[k]!.body + 1) + 2]! - facts.footSoleZ;
      out[at + columns.speed + k] = frame === 0 ? 0 : soles.slowest(k);
    }
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < shapes.length; k += 1) lowest = Math.min(lowest, lowestOf(shapes[k]!, geomXpos, geomXmat));
    out[at + columns.lowest] = shapes.length === 0 ? Number.NaN : lowest;
  }
}

function fillTorques(out: Float32Array, columns: ClipColumns, robot: ClipRobot, { from, to, first, clip }: Cut): void {
  const { nq, nv } = robot;
  const { velocities, accelerations } = smoothMotion(clip, nq);
  const computeForces = inverseDynamics(robot);
  const support = new GroundSupport(robot);
  const torques = new Float64Array(nv);
  for (let frame = from; frame < to; frame += 1) {
    const row = (frame - first) * nq;
    const motion = (frame - first) * nv;
    const { qpos, qvel, qacc } = robot.views;
    for (let k = 0; k < nq; k += 1) qpos[k] = clip.rows[row + k]!;
    for (let k = 0; k < nv; k += 1) {
      qvel[k] = velocities[motion + k]!;
      qacc[k] = accelerations[motion + k]!;
    }
    computeForces();
    torques.set(robot.views.forces);
    support.relieve(torques);
    const at = frame * columns.count + columns.torque;
    for (let k = 6; k < nv; k += 1) out[at + k - 6] = torques[k]!;
  }
}
