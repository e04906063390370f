import { CheckedClip } from '../../checks/clip/checked-clip.ts';
import { clipScore } from '../../checks/score/clip-score.ts';
import { offBalance } from '../../checks/score/off-balance.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { LibraryClip, MotionLibrary } from '../../motion/library/motion-library.ts';

/** Longest part of a clip that is measured, s. It is taken from the middle of the clip. */
const PART_S = 20;
/** Complexity assigned to a motion whose computed forces are not finite. */
const EXTREME = 1;

/** What makes a motion hard to learn. */
export interface MotionMeasures {
  /** 0..1: the mean over the clips, weighted by duration */
  readonly complexity: number;
  /** clips with stands that the robot cannot hold, the longest first */
  readonly offBalance: readonly ClipOffBalance[];
}

/** A clip with stands that the robot cannot hold; see {@link offBalance}. */
interface ClipOffBalance {
  readonly clip: string;
  /** duration of these stands, and start of the first one in the measured part, s */
  readonly seconds: number;
  readonly start: number;
  /** largest length of the mean vector from the soles to the zero moment point over a second, m */
  readonly distance: number;
  /** duration of the measured part, s, and whether it is the whole clip; otherwise it is its middle */
  readonly measuredS: number;
  readonly whole: boolean;
}

/** Measures the clips of a motion library. @param robot its state is overwritten */
export function measureMotion(robot: ClipRobot, library: MotionLibrary): MotionMeasures {
  const found: ClipOffBalance[] = [];
  let [sum, frames] = [0, 0];
  for (const clip of library.clips) {
    const rows = rowsOf(library, clip, robot.nq);
    const checked = new CheckedClip(robot, rows, {});
    const score = clipScore(checked);
    sum += clip.frames * (score?.complexity ?? EXTREME);
    frames += clip.frames;
    const { seconds, start, distance } = offBalance(checked);
    const [measuredS, whole] = [rows.frames / rows.fps, rows.frames === clip.frames];
    if (seconds > 0) found.push({ clip: clip.name, seconds, start, distance, measuredS, whole });
  }
  return {
    complexity: frames === 0 ? 0 : sum / frames,
    offBalance: found.sort((a, b) => b.seconds - a.seconds),
  };
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
