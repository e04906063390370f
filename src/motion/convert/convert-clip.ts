import { badInput } from '../../core/errors.ts';
import type { MotionNpz } from '../../formats/motion-npz.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { bodyMotion, debiasZ } from './body-motion.ts';
import { ClipMemory } from './clip-memory.ts';
import { resample, resampledFrames } from './resample.ts';
import { clipVelocities } from './velocities.ts';

/** Minimum number of frames, because an angular velocity needs the previous and the next frame. */
const LEAST_FRAMES = 3;

/** Options of the conversion. */
export interface ConvertOptions {
  /** frame rate of the result, Hz */
  readonly outputFps: number;
  /** whether to shift the clip so that its lowest sole stands on the floor */
  readonly debiasZ: boolean;
}

/** The converted clip, and the distance that it was shifted down (m; 0 without `debiasZ`). */
export interface ConvertedClip {
  readonly motion: MotionNpz;
  readonly shiftZ: number;
}

/** Converts a clip to the format that training reads: resampled, float32, with velocities and the motion of all bodies
 *  by forward kinematics.
 *  @param clip finite rows that fit the robot, at the frame rate of the source
 *  @param memory holds the result, which is valid until `memory.reuse()`
 *  @throws bad_input for a clip that is too short */
export function convertClip(
  robot: ClipRobot,
  clip: ClipRows,
  options: ConvertOptions,
  memory = new ClipMemory(),
): ConvertedClip {
  const frames = resampledFrames(clip.frames, clip.fps, options.outputFps);
  if (frames < LEAST_FRAMES)
    throw badInput(
      `the clip is too short: ${clip.frames} frames at ${clip.fps} per second give ${frames} at ${options.outputFps} per second, expected at least ${LEAST_FRAMES}`,
    );
  const resampled = resample(clip, options.outputFps, memory);
  const velocities = clipVelocities(resampled, memory);
  const { posW, quatW, linVelW, angVelW } = bodyMotion(robot, resampled, velocities, memory);
  const feet = robot.facts.wiring.feet.map((name) => robot.facts.bodies.findIndex((body) => body.name === name));
  const shiftZ = options.debiasZ ? debiasZ(posW, robot.nbody, feet, robot.facts.footSoleZ) : 0;
  const joints = robot.nq - 7;
  return {
    motion: {
      fps: options.outputFps,
      frames,
      joints,
      bodies: robot.nbody,
      jointPos: lastColumns(memory.singles(frames * joints), resampled.rows, frames),
      jointVel: lastColumns(memory.singles(frames * joints), velocities, frames),
      bodyPosW: posW,
      bodyQuatW: quatW,
      bodyLinVelW: linVelW,
      bodyAngVelW: angVelW,
      jointNames: robot.facts.joints.map(({ name }) => name),
      robot: robot.facts.id,
      warnings: [],
    },
    shiftZ,
  };
}

/** Copies the last columns of `rows` to `out` (frames, joints). */
function lastColumns(out: Float32Array, rows: Float64Array, frames: number): Float32Array {
  const joints = out.length / frames;
  const columns = rows.length / frames;
  for (let frame = 0; frame < frames; frame += 1) {
    const to = frame * joints;
    const from = (frame + 1) * columns - joints;
    for (let joint = 0; joint < joints; joint += 1) out[to + joint] = rows[from + joint]!;
  }
  return out;
}
