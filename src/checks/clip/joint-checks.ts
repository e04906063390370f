import type { ClipRows } from '../../motion/clip-rows.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { type CheckSpec, clipCheck } from '../check-spec.ts';
import { threshold } from '../threshold.ts';
import type { CheckedClip } from './checked-clip.ts';
import { type ClipIssue, issuesOf, mergeRanges, type Range, rangesWhere, withUnit } from './issue.ts';
import { jointLimbs } from './limbs.ts';

/** Columns of a row before the joints. */
const ROOT = 7;
/** Maximum number of joints per issue whose curves are shown. */
const CHANNELS = 4;
/** If the robot does not state a joint's limit, a velocity above this multiple of the default limit is an error. */
const UNSTATED = 1.5;
/** A joint shakes if its acceleration changes sign from frame to frame in `times` successive frames, and exceeds this
 *  share of the acceleration limit in each of them. Largest shares in clean clips: 0.27, 0.31 */
const SHAKES = [
  { times: 4, share: 0.32 },
  { times: 3, share: 0.4 },
] as const;
/** Factor on the velocity limit for a single step between neighbouring frames. */
const SINGLE_STEP = 1.25;
/** Typical frame rate of sources, Hz. Resampled clips have kinks at the frames of their source. The acceleration at a
 *  kink grows with the frame rate of the clip. */
const SOURCE_RATE = 30;

/** The joints of a limb, with their clip. Slide joints are checked like hinges; their unit is m instead of rad. */
interface Limb {
  readonly facts: RobotFacts;
  readonly clip: ClipRows;
  readonly group: string;
  readonly joints: readonly number[];
}

function limbsOf({ robot: { facts }, clip }: CheckedClip): readonly Limb[] {
  const groups = jointLimbs(facts);
  return [...groups].map(([group, joints]) => ({ facts, clip, group, joints }));
}

const JOINT_LIMIT = clipCheck({
  kind: 'joint_limit',
  version: 2,
  thresholds: { margin: threshold(0.02, 'rad beyond the range') }, // largest value in clean clips: 0
  run: (clip, { margin }) => clip.shared(limbsOf).flatMap((limb) => beyondRange(limb, margin)),
});

const JOINT_VELOCITY = clipCheck({
  kind: 'joint_velocity',
  version: 2,
  // largest values in clean clips: 30 between the previous and the next frame, 33 between neighbouring frames
  thresholds: { limit: threshold(30, "rad/s, for joints without a limit in the robot's spec") },
  run: (clip, { limit }) => clip.shared(limbsOf).flatMap((limb) => tooFast(limb, limit)),
});

const JOINT_ACCELERATION = clipCheck({
  kind: 'joint_acceleration',
  version: 3,
  thresholds: { limit: threshold(1000, 'rad/s²') }, // largest value in clean clips: 954 at 30 Hz
  run: (clip, { limit }) =>
    clip.shared(limbsOf).flatMap((limb) => [...accelerations(limb, limit), ...shaking(limb, limit)]),
});

/** Checks of range, speed and acceleration of the joints, by limb. */
export const JOINT_CHECKS: readonly CheckSpec[] = [JOINT_LIMIT, JOINT_VELOCITY, JOINT_ACCELERATION];

function beyondRange({ facts, clip, joints }: Limb, margin: number): ClipIssue[] {
  const column = columnOf(facts, clip);
  const found = joints.flatMap((joint) => {
    const { lower, upper } = facts.joints[joint]!;
    const at = column(joint);
    const beyond = (frame: number) => Math.max((lower ?? -Infinity) - at(frame), at(frame) - (upper ?? Infinity));
    return rangesWhere(clip.frames, (frame) => beyond(frame) - margin, { which: joint });
  });
  return issuesOf('joint_limit', mergeRanges(found), (range) => {
    const { name, lower, upper, type } = facts.joints[range.which]!;
    const above = column(range.which)(range.at) > (upper ?? Infinity);
    const unit = unitOf(type);
    const limit = above ? `upper limit of ${withUnit(upper!, unit)}` : `lower limit of ${withUnit(lower!, unit)}`;
    return {
      severity: 'error',
      text: `${name} goes ${withUnit(range.peak + margin, unit)} beyond its ${limit} at frame ${range.at} (tolerated: ${withUnit(margin, unit)})${besides(found, range)}`,
      channels: channelsOf('joint', facts, found, range),
    };
  });
}

function tooFast({ facts, clip, group, joints }: Limb, standard: number): ClipIssue[] {
  const { frames, fps } = clip;
  const column = columnOf(facts, clip);
  const limitOf = (joint: number) => facts.joints[joint]!.velocityLimit ?? standard;
  const severe = new Set<Range>();
  const found = joints.flatMap((joint) => {
    const at = column(joint);
    const limit = limitOf(joint);
    const lasting = (frame: number) =>
      frame > 0 && frame < frames - 1 ? (Math.abs(at(frame + 1) - at(frame - 1)) * fps) / 2 : 0;
    const single = (frame: number) => (frame > 0 ? Math.abs(at(frame) - at(frame - 1)) * fps : 0);
    const over = (frame: number) =>
      Math.max(lasting(frame) > limit ? lasting(frame) : 0, single(frame) > SINGLE_STEP * limit ? single(frame) : 0);
    const ranges = rangesWhere(frames, over, { which: joint });
    const certain = facts.joints[joint]!.velocityLimit === null ? UNSTATED * limit : limit;
    for (const range of ranges)
      for (let frame = range.start; frame <= range.end; frame++) if (lasting(frame) > certain) severe.add(range);
    return ranges;
  });
  const isSevere = (range: Range) =>
    [...severe].some((part) => part.start >= range.start && part.end <= range.end && part.which === range.which);
  return issuesOf('joint_velocity', mergeRanges(found), (range) => {
    const { name, velocityLimit, type } = facts.joints[range.which]!;
    const unit = `${unitOf(type)}/s`;
    const whose = velocityLimit === null ? 'the limit for joints without a stated one' : 'its limit';
    return {
      severity: isSevere(range) ? 'error' : 'warning',
      text: `${name} (${group}) moves at ${withUnit(range.peak, unit, 1)} at frame ${range.at}, ${whose} is ${withUnit(limitOf(range.which), unit, 1)}${besides(found, range)}`,
      channels: channelsOf('vel', facts, found, range),
    };
  });
}

function accelerations({ facts, clip, group, joints }: Limb, limit: number): ClipIssue[] {
  const { frames, fps } = clip;
  const column = columnOf(facts, clip);
  // Measures the velocity between neighbouring frames, where kinks of resampling are tolerated, and over the time
  // between source frames.
  const span = Math.max(1, Math.round(fps / SOURCE_RATE));
  const kinks = Math.max(1, fps / SOURCE_RATE);
  const found = joints.flatMap((joint) => {
    const at = column(joint);
    const over = (width: number) => (frame: number) =>
      frame < width || frame >= frames - width
        ? 0
        : Math.abs(at(frame + width) - 2 * at(frame) + at(frame - width)) * (fps / width) ** 2;
    const near = over(1);
    const wide = over(span);
    const excess = (frame: number) => {
      const value = Math.max(near(frame) / kinks, wide(frame));
      return value > limit ? value : 0;
    };
    return rangesWhere(frames, excess, { which: joint });
  });
  return issuesOf('joint_acceleration', mergeRanges(found), (range) => {
    const { name, type } = facts.joints[range.which]!;
    const unit = `${unitOf(type)}/s²`;
    return {
      severity: 'warning',
      text: `${name} (${group}) accelerates with ${withUnit(range.peak, unit, 0)} at frame ${range.at}, more than ${withUnit(limit, unit, 0)}${besides(found, range)}`,
      channels: channelsOf('vel', facts, found, range),
    };
  });
}

/** Reports joints that shake from frame to frame. Motors and people do not move in this way at any amplitude. */
function shaking({ facts, clip, group, joints }: Limb, limit: number): ClipIssue[] {
  const { frames, fps } = clip;
  const column = columnOf(facts, clip);
  const found = joints.flatMap((joint) => {
    const at = column(joint);
    const second = Float64Array.from({ length: frames }, (_, frame) =>
      frame === 0 || frame === frames - 1 ? 0 : (at(frame + 1) - 2 * at(frame) + at(frame - 1)) * fps * fps,
    );
    const excess = (frame: number) =>
      SHAKES.reduce((most, { times, share }) => {
        const least = toAndFro(second, frame, times);
        return least > share * limit ? Math.max(most, least) : most;
      }, 0);
    return rangesWhere(frames, excess, { which: joint });
  });
  return issuesOf('joint_acceleration', mergeRanges(found), (range) => {
    const { name, type } = facts.joints[range.which]!;
    const unit = `${unitOf(type)}/s²`;
    return {
      severity: 'warning',
      text: `${name} (${group}) shakes with ${withUnit(range.peak, unit, 0)} to and fro from frame to frame at frame ${range.at} (tolerated: ${withUnit(SHAKES[0].share * limit, unit, 0)})${besides(found, range)}`,
      channels: channelsOf('vel', facts, found, range),
    };
  });
}

/** Returns the smallest magnitude of `times` second differences, starting at `frame`, if their signs alternate;
 *  otherwise 0. */
function toAndFro(second: Float64Array, frame: number, times: number): number {
  if (frame + times > second.length) return 0;
  let least = Infinity;
  const sign = Math.sign(second[frame]!);
  for (let k = 0; k < times; k++) least = Math.min(least, second[frame + k]! * (k % 2 === 0 ? sign : -sign));
  return Math.max(0, least);
}

/** Returns a function from a joint to its value by frame. */
function columnOf(facts: RobotFacts, { rows }: ClipRows) {
  const width = ROOT + facts.joints.length;
  return (joint: number) => (frame: number) => rows[frame * width + ROOT + joint]!;
}

/** Returns the unit of a joint's value. */
export function unitOf(type: 'hinge' | 'slide'): string {
  return type === 'hinge' ? 'rad' : 'm';
}

/** Returns the joints whose ranges overlap a merged range, the worst joint first. */
function involved(found: readonly Range[], range: Range): number[] {
  const inside = found.filter((part) => part.start <= range.end && part.end >= range.start);
  return [...new Set([range.which, ...inside.sort((a, b) => b.peak - a.peak).map((part) => part.which)])];
}

function besides(found: readonly Range[], range: Range): string {
  const others = involved(found, range).length - 1;
  return others === 0 ? '' : `; ${others} more of the limb ${others === 1 ? 'does' : 'do'} the same`;
}

function channelsOf(prefix: string, facts: RobotFacts, found: readonly Range[], range: Range): string[] {
  return involved(found, range)
    .slice(0, CHANNELS)
    .map((joint) => `${prefix}.${facts.joints[joint]!.name}`);
}
