import { CheckedClip } from '../../checks/clip/checked-clip.ts';
import { clipScore } from '../../checks/score/clip-score.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { LibraryClip, MotionLibrary } from '../../motion/library/motion-library.ts';

/** Longest part of a clip that is used to measure complexity, s. It is taken from the middle of the clip. */
const PART_S = 20;
/** Complexity assigned to a motion whose computed forces are not finite. */
const EXTREME = 1;

/** Returns the complexity of a motion library, 0..1: the mean over its clips, weighted by duration. @param robot its
 *  state is overwritten */
export function complexityOf(robot: ClipRobot, library: MotionLibrary): number {
  let [sum, frames] = [0, 0];
  for (const clip of library.clips) {
    const score = clipScore(new CheckedClip(robot, rowsOf(library, clip, robot.nq), {}));
    sum += clip.frames * (score?.complexity ?? EXTREME);
    frames += clip.frames;
  }
  return frames === 0 ? 0 : sum / frames;
}

function rowsOf(library: MotionLibrary, { first, frames }: LibraryClip, nq: number): ClipRows {
  const { fps, joints, bodies, bodyPosW, bodyQuatW, jointPos } = library;
  const count = Math.min(frames, Math.round(PART_S * fps));
  const from = first + Math.floor((frames - count) / 2);
  const rows = new Float64Array(count * nq);
  for (let k = 0; k < count; k += 1) {
    const row = from + k;
    rows.set(bodyPosW.subarray(3 * bodies * row, 3 * bodies * row + 3), k * nq);
    rows.set(bodyQuatW.subarray(4 * bodies * row, 4 * bodies * row + 4), k * nq + 3);
    rows.set(jointPos.subarray(joints * row, joints * (row + 1)), k * nq + 7);
  }
  return { fps, frames: count, rows };
}
