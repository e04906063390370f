import type { ClipRobot } from '../../motion/clip-robot.ts';
import { qposOf } from '../../robots/robot-facts.ts';
import { clipCheck } from '../check-spec.ts';
import { threshold } from '../threshold.ts';
import type { CheckedClip } from './checked-clip.ts';
import { isFlight } from './ground-checks.ts';
import { type ClipIssue, framesText, issuesOf, mergeRanges, rangesWhere, withUnit } from './issue.ts';
import { measuresOf } from './measure-clip.ts';
import { isTurnJump, jumpsOf } from './step-checks.ts';

/** Heights of the lowest point between which a robot can lie, kneel or lean on the floor, m. Range in clips of falls:
 *  −0.11 to 0.073 */
const LYING = { lowest: -0.14, highest: 0.1 } as const;
/** The same range for a robot that leans on a hand or a foot, whose lowest point is closer to the floor, m. */
const LEANING = { lowest: -0.08, highest: 0.06 } as const;
/** Share of its standing height below which the centre of mass of a tilted robot means that it is lying or kneeling.
 *  Largest value in clips of falls: 0.67 */
const DOWN = 0.75;
/** Longest plausible headstand or handstand, s. */
const ACROBATICS = 0.75;
/** The robot is in the air if its lowest point is above this height, m. */
const AIRBORNE = 0.06;
/** The robot is upside down if z of the root's up axis is below this value. */
const OVERTURNED = -0.3;
/** A tilt is considered a mistake if it lasts at least `least`, s, and begins or ends within `near`, s, of a jump of
 *  the root's rotation. */
const TORN = { least: 0.15, near: 0.2 } as const;
/** Minimum duration of lying that is reported as info, s. */
const NOTED = 0.5;

/** Reports a root that is tilted by mistake: the robot neither lies nor falls. Reports lying as info. */
export const ROOT_TILT = clipCheck({
  kind: 'root_tilt',
  version: 1,
  thresholds: {
    angle: threshold(0.9, 'rad between the root and upright'), // largest value for robots on their feet: 0.76
    seconds: threshold(0.25, 's in a row without lying or falling'),
  },
  run: checkTilt,
});

function checkTilt(checked: CheckedClip, limits: { angle: number; seconds: number }): ClipIssue[] {
  const { frames, fps } = checked.clip;
  const measures = checked.shared(measuresOf);
  const standing = standingCom(checked.robot);
  // First and last frames of each jump of the root's rotation. When a robot really lies down, the rotation does not
  // jump.
  const turnJumps = checked
    .shared(jumpsOf)
    .filter(isTurnJump)
    .map((issue) => issue.frames);
  const { lowest, upright, comZ } = measures;
  if (!Number.isFinite(lowest[0]!)) return [];
  const least = Math.cos(limits.angle);
  const tilt = (frame: number) => Math.acos(Math.max(-1, Math.min(1, upright[frame]!)));
  const flying = new Uint8Array(frames);
  for (const { start, end } of rangesWhere(frames, (frame) => (lowest[frame]! > AIRBORNE ? 1 : 0), { gap: 0 }))
    if (isFlight(measures, fps, start, end)) flying.fill(1, start, end + 1);
  const within = (frame: number, span: typeof LYING | typeof LEANING) =>
    lowest[frame]! >= span.lowest && lowest[frame]! <= span.highest;
  const isDown = (frame: number) => within(frame, LYING) && comZ[frame]! < DOWN * standing;
  const tilted = (frame: number) => (upright[frame]! < least ? tilt(frame) : 0);
  const inFrames = (seconds: number) => Math.max(2, Math.round(seconds * fps));
  const impossible = rangesWhere(
    frames,
    (frame) => (isDown(frame) || flying[frame] === 1 || within(frame, LEANING) ? 0 : tilted(frame)),
    { least: inFrames(limits.seconds) },
  );
  const headstands = rangesWhere(frames, (frame) => (isDown(frame) || flying[frame] === 1 ? 0 : tilted(frame)), {
    least: inFrames(ACROBATICS),
  });
  const torn = rangesWhere(frames, tilted, { least: inFrames(TORN.least), gap: 0 }).filter((range) =>
    turnJumps.some((jump) => [range.start, range.end].some((edge) => isNear(jump, edge, inFrames(TORN.near)))),
  );
  const wrong = mergeRanges([...headstands, ...impossible, ...torn]);
  if (wrong.length > 0)
    return issuesOf('root_tilt', wrong, (range) => ({
      severity: upright[range.at]! < OVERTURNED ? 'error' : 'warning',
      text: `the root is tilted by ${withUnit(degrees(range.peak), '°', 0)} in ${framesText(range)}${upright[range.at]! < OVERTURNED ? ', upside down,' : ''} although the robot neither lies nor falls (tolerated: ${withUnit(degrees(limits.angle), '°', 0)})`,
      channels: CHANNELS,
    }));
  const down = rangesWhere(frames, (frame) => (isDown(frame) ? tilted(frame) : 0), { least: inFrames(NOTED) });
  const worst = down.reduce((best, range) => (best && best.peak >= range.peak ? best : range), down[0]);
  return issuesOf('root_tilt', worst ? [worst] : [], (range) => ({
    severity: 'info',
    text: `the robot lies or kneels in ${framesText(range)}, and its root is tilted by up to ${withUnit(degrees(range.peak), '°', 0)}${down.length > 1 ? `, and ${down.length - 1} more times` : ''}`,
    channels: CHANNELS,
  }));
}

function isNear(jump: readonly number[], edge: number, frames: number): boolean {
  return edge >= jump[0]! - frames && edge <= jump[1]! + frames;
}

const CHANNELS = ['root.rpy.roll', 'root.rpy.pitch', 'root.pos.z'] as const;

/** Returns the height, m, of the centre of mass in the default pose. */
function standingCom(robot: ClipRobot): number {
  const { mj, model, data, facts } = robot;
  robot.views.qpos.set(
    qposOf(
      facts.rootHeight,
      facts.joints.map((joint) => joint.default),
    ),
  );
  mj.mj_kinematics(model, data);
  mj.mj_comPos(model, data);
  return robot.views.subtreeCom[5]!;
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
