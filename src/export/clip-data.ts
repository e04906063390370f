import { type ClipRobotSource, openClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import { convertClip } from '../motion/convert/convert-clip.ts';
import { standIn, standOut } from '../motion/edit/stand.ts';
import { stackMotions } from '../motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';

/** Returns the clip of a library with a single clip as arrays of its own frames. */
export function framesOf(library: MotionLibrary): MotionLibrary {
  const [clip] = library.clips as [MotionLibrary['clips'][number]];
  const { first, frames } = clip;
  const part = (values: Float32Array, width: number) => values.subarray(first * width, (first + frames) * width);
  const { joints, bodies } = library;
  return {
    ...library,
    clips: [{ name: clip.name, first: 0, frames }],
    frames,
    jointPos: part(library.jointPos, joints),
    jointVel: part(library.jointVel, joints),
    bodyPosW: part(library.bodyPosW, 3 * bodies),
    bodyQuatW: part(library.bodyQuatW, 4 * bodies),
    bodyLinVelW: part(library.bodyLinVelW, 3 * bodies),
    bodyAngVelW: part(library.bodyAngVelW, 3 * bodies),
  };
}

/** Adds standing before and after the clip of a library with a single clip. If both durations are 0, returns the
 *  library unchanged. @param inS,outS durations, s */
export async function withStanding(
  library: MotionLibrary,
  source: ClipRobotSource,
  inS: number,
  outS: number,
): Promise<MotionLibrary> {
  const own = framesOf(library);
  if (inS === 0 && outS === 0) return own;
  const robot = await openClipRobot(source);
  let rows = rowsOf(own);
  if (inS > 0) rows = standIn(robot, rows, inS);
  if (outS > 0) rows = standOut(robot, rows, outS);
  const { motion } = convertClip(robot, { ...rows, ...everyFrame(rows) }, { outputFps: own.fps, debiasZ: false });
  return stackMotions([{ name: own.clips[0]!.name, motion }], source.facts);
}

/** Repeats the last frame, because the conversion drops the frame at the end time of a clip. */
function everyFrame({ frames, rows }: ClipRows): Pick<ClipRows, 'frames' | 'rows'> {
  const width = rows.length / frames;
  const longer = new Float64Array(rows.length + width);
  longer.set(rows);
  longer.set(rows.subarray(rows.length - width), rows.length);
  return { frames: frames + 1, rows: longer };
}

function rowsOf({ fps, frames, joints, bodies, jointPos, bodyPosW, bodyQuatW }: MotionLibrary): ClipRows {
  const width = 7 + joints;
  const rows = new Float64Array(frames * width);
  for (let frame = 0; frame < frames; frame += 1) {
    rows.set(bodyPosW.subarray(3 * frame * bodies, 3 * frame * bodies + 3), frame * width);
    rows.set(bodyQuatW.subarray(4 * frame * bodies, 4 * frame * bodies + 4), frame * width + 3);
    rows.set(jointPos.subarray(frame * joints, (frame + 1) * joints), frame * width + 7);
  }
  return { fps, frames, rows };
}
