import * as quaternion from '../../core/math/quaternion.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { type CheckSpec, clipCheck } from '../check-spec.ts';
import { type Limits, limitsOf, threshold } from '../threshold.ts';
import type { CheckedClip } from './checked-clip.ts';
import { type ClipIssue, framesText, issuesOf, mergeRanges, type Range, rangesWhere, withUnit } from './issue.ts';
import { unitOf } from './joint-checks.ts';
import { jointLimbs } from './limbs.ts';

const ROOT = 7;
/** Frame rates to which the thresholds between neighbouring frames refer, Hz. */
const TRAVEL_RATE = 50;
const BREAK_RATE = 30;
/** The limit of a break is increased by this multiple of the fastest nearby step, because fast motion is less smooth. A
 *  break is a change that differs from the changes around it. */
const ROUGHNESS = 1.2;
/** Offsets of the nearby steps on either side, in steps. The step directly next to the break is skipped. */
const NEARBY = [2, 3, 4, 5, 6] as const;
/** Minimum size of the step itself, as a share of the break. */
const OWN_SHARE = 0.45;
/** Maximum duration of a still pose at the start, such as a T-pose of a few frames, that is treated like a wrong first
 *  frame, s. */
const LEAD_IN = 0.35;
/** Jumps within this many frames from the start are reported as `first_frame`. */
const EARLY = 5;
/** Step below which the robot is considered to stand still, rad or m. */
const STILL = 2e-6;
/** If the motion before or after a pause is slower than this, rad/s or m/s, the pause does not indicate repeated
 *  frames. */
const SLOW = 0.03;
/** If the motion is faster than this directly before and directly after a pause, rad/s or m/s, the pause was not
 *  intended. Largest values in clean clips: 0.10, 0.07 */
const BRISK = 0.12;
/** An intended pause begins with slowing down and ends with speeding up. Each of the two lasts about this long, s. */
const SLOWING = 0.1;

const START_LIMITS = {
  position: threshold(0.05, 'm, difference between the first and the second step of the root, in 1/30 s'),
  rotation: threshold(0.25, 'rad'),
  joint: threshold(0.15, 'rad'),
};

const FIRST_FRAME = clipCheck({
  kind: 'first_frame',
  version: 2,
  thresholds: START_LIMITS,
  run(clip) {
    const { issues } = clip.shared(startOf);
    return issues.length > 0 ? issues : leadIn(clip.shared(jumpsOf));
  },
});

const JUMP_LIMITS = {
  position_warning: threshold(0.15, 'm of root travel in 1/50 s'), // largest value in a sprint: 0.11
  position_error: threshold(0.25, 'm'),
  // largest value in clean clips: 0.019
  position_break: threshold(0.05, 'm, difference between a step of the root in 1/30 s and the steps around it'),
  rotation_warning: threshold(0.35, 'rad of root rotation in 1/50 s'), // largest value in clean clips: 0.235
  rotation_error: threshold(0.6, 'rad'),
  // largest value in clean clips: 0.186
  rotation_break: threshold(0.35, 'rad, difference between a turn of the root in 1/30 s and the turns around it'),
  joint_warning: threshold(0.8, 'rad of a joint in 1/50 s'), // largest value in clean clips: 0.72
  joint_error: threshold(1.2, 'rad'),
  // largest value in clean clips: 0.92 of the limit, including the allowance for the motion around it
  joint_break: threshold(0.4, 'rad, difference between a step of a joint in 1/30 s and the steps around it'),
};

const JUMP = clipCheck({ kind: 'jump', version: 3, thresholds: JUMP_LIMITS, run: (clip) => clip.shared(jumpsOf) });

const FROZEN = clipCheck({
  kind: 'frozen',
  version: 1,
  thresholds: { seconds: threshold(0.3, 's without any change in the middle of a motion') },
  run: frozen,
});

/** Checks of the steps between neighbouring frames: a wrong first frame, jumps, and repeated frames. */
export const STEP_CHECKS: readonly CheckSpec[] = [FIRST_FRAME, JUMP, FROZEN];

function stepsOf({ robot, clip }: CheckedClip): Steps {
  return new Steps(robot.facts, clip);
}

/** The first frames of a clip that do not belong to its motion. */
interface ClipStart {
  readonly frames: number;
  readonly issues: readonly ClipIssue[];
}

function startOf(clip: CheckedClip): ClipStart {
  return firstFrame(clip, limitsOf({ kind: 'first_frame', thresholds: START_LIMITS }, clip.settings));
}

/** Returns the jumps of a clip; use with `CheckedClip.shared`, which caches them. */
export function jumpsOf(clip: CheckedClip): readonly ClipIssue[] {
  return findAllJumps(
    clip,
    limitsOf({ kind: 'jump', thresholds: JUMP_LIMITS }, clip.settings),
    clip.shared(startOf).frames,
  );
}

/** Returns true if the issue is a jump of the root's rotation. */
export function isTurnJump({ kind, plot }: ClipIssue): boolean {
  return kind === 'jump' && plot.channels[0] === 'root.rpy.roll';
}

/** Differences between neighbouring frames. Step k is the step from frame k to frame k + 1. */
class Steps {
  readonly count: number;
  /** (count, 3) m, translation of the root */
  readonly move: Float64Array;
  /** (count) rad, rotation angle of the root */
  readonly turn: Float64Array;
  /** (joints)(count) rad or m, change of each joint */
  readonly joints: readonly Float64Array[];

  constructor(facts: RobotFacts, { frames, rows }: ClipRows) {
    const width = ROOT + facts.joints.length;
    const count = Math.max(0, frames - 1);
    const difference = (column: number) => {
      const out = new Float64Array(count);
      for (let k = 0; k < count; k++) out[k] = rows[(k + 1) * width + column]! - rows[k * width + column]!;
      return out;
    };
    this.count = count;
    this.move = new Float64Array(3 * count);
    this.turn = new Float64Array(count);
    this.joints = facts.joints.map((_, joint) => difference(ROOT + joint));
    for (let k = 0; k < count; k++) {
      const at = k * width;
      for (let axis = 0; axis < 3; axis++) this.move[3 * k + axis] = rows[at + width + axis]! - rows[at + axis]!;
      this.turn[k] = quaternion.angleBetween(
        rows.subarray(at + 3, at + 7),
        rows.subarray(at + width + 3, at + width + 7),
      );
    }
  }

  /** Returns the distance, m, that the root moves in step k. */
  travel(k: number): number {
    return Math.hypot(this.move[3 * k]!, this.move[3 * k + 1]!, this.move[3 * k + 2]!);
  }

  /** Returns the difference, m, between the root's move over `width` frames from frame k on and the mean of the
   *  moves before and after it. */
  moveBreak(k: number, width: number): number {
    return Math.hypot(...[0, 1, 2].map((axis) => breakOf((j) => this.move[3 * j + axis]!, this.count, k, width)));
  }

  /** Returns the largest change of a joint in step k, rad or m. */
  fastestJoint(k: number): number {
    let most = 0;
    for (const joint of this.joints) most = Math.max(most, Math.abs(joint[k]!));
    return most;
  }

  /** Returns the axis along which the root moves most in step k. */
  axis(k: number): 'x' | 'y' | 'z' {
    const sizes = [0, 1, 2].map((axis) => Math.abs(this.move[3 * k + axis]!));
    return (['x', 'y', 'z'] as const)[sizes.indexOf(Math.max(...sizes))]!;
  }
}

/** Returns the difference between the change over `width` steps from step k on and the mean of the changes before
 *  and after it. Returns 0 near the ends of the clip. */
function breakOf(step: (k: number) => number, count: number, k: number, width: number): number {
  if (k < width || k + 2 * width > count) return k + width === count && k >= width ? step(k) - step(k - 1) : 0;
  let change = 0;
  for (let j = 0; j < width; j++) change += step(k + j) - (step(k + j - width) + step(k + j + width)) / 2;
  return change;
}

function nearbyMost(step: (k: number) => number, count: number, k: number, width: number): number {
  let most = 0;
  for (const offset of NEARBY)
    for (const at of [k - offset * width, k + offset * width])
      if (at >= 0 && at < count) most = Math.max(most, Math.abs(step(at)));
  return most * width;
}

/** Returns the widths, in frames, at which breaks are searched: resampling spreads a jump of the source over several
 *  frames. */
function widths(fps: number): number[] {
  const source = Math.round(fps / BREAK_RATE);
  return source > 1 ? [1, source] : [1];
}

/** Input of a search for jumps. */
interface JumpSearch {
  readonly steps: Steps;
  readonly fps: number;
  /** number of steps to skip at the start, because they belong to a `first_frame` issue */
  readonly skipped: number;
}

/** A quantity that is searched for jumps. */
interface Quantity {
  /** change in step k */
  size(k: number): number;
  /** change in 1/50 s above which a step is a jump */
  readonly warning: number;
  /** difference between the change over `width` steps from step k on and the changes right before and after it */
  difference(k: number, width: number): number;
  /** limit of `difference` at this step */
  allowed(k: number, width: number): number;
  /** the item that the quantity belongs to, such as the index of a joint */
  readonly which?: number;
}

/** Finds steps in which the quantity changes too much, or differs too much from the nearby steps. The peak of a
 *  range is the larger of the two values. */
function findJumps({ steps, fps, skipped }: JumpSearch, quantity: Quantity): Range[] {
  const perTravel = fps / TRAVEL_RATE;
  const excess = (k: number) => {
    if (k < skipped) return 0;
    const size = quantity.size(k);
    let over = size * perTravel > quantity.warning ? size : 0;
    for (const width of widths(fps)) {
      const change = quantity.difference(k, width);
      // Steps next to a jump also differ from their neighbours. Only a step that is large itself is part of the jump.
      const moved = Math.max(size, width > 1 && k + 1 < steps.count ? quantity.size(k + 1) : 0);
      if (change > quantity.allowed(k, width) && moved > OWN_SHARE * change) over = Math.max(over, size, change);
    }
    return over;
  };
  return rangesWhere(steps.count, excess, { which: quantity.which ?? 0 });
}

function findAllJumps(checked: CheckedClip, jump: Limits<typeof JUMP_LIMITS>, skipped: number): ClipIssue[] {
  const search = { steps: checked.shared(stepsOf), fps: checked.clip.fps, skipped };
  const issues = [...rootJumps(search, jump), ...jointJumps(checked.robot.facts, search, jump)];
  // Include the frame after the last step: the step leads to this frame.
  return issues.map((issue) => ({ ...issue, frames: [issue.frames[0]!, issue.frames[1]! + 1] }));
}

/** Converts a threshold for 1/30 s to the limit of a break over `width` steps. */
function breakLimit(threshold: number, fps: number, width: number): number {
  return (threshold * BREAK_RATE * width) / fps;
}

function rootJumps(search: JumpSearch, jump: Limits<typeof JUMP_LIMITS>): ClipIssue[] {
  const { steps, fps } = search;
  const perTravel = fps / TRAVEL_RATE;
  const moves = findJumps(search, {
    size: (k) => steps.travel(k),
    warning: jump.position_warning,
    difference: (k, width) => steps.moveBreak(k, width),
    allowed: (_, width) => breakLimit(jump.position_break, fps, width),
  });
  const turns = findJumps(search, {
    size: (k) => steps.turn[k]!,
    warning: jump.rotation_warning,
    difference: (k, width) => breakOf((j) => steps.turn[j]!, steps.count, k, width),
    allowed: (_, width) => breakLimit(jump.rotation_break, fps, width),
  });
  return [
    ...issuesOf('jump', moves, (range) => ({
      severity: isError(range.peak, perTravel, jump.position_error, jump.position_break) ? 'error' : 'warning',
      text: `the root jumps by ${withUnit(range.peak, 'm')} between frames ${range.at} and ${range.at + 1} (the limit is ${withUnit(jump.position_warning / perTravel, 'm')}, or ${withUnit(breakLimit(jump.position_break, fps, 1), 'm', 3)} more than between the frames before and after)`,
      channels: [`root.pos.${steps.axis(range.at)}`],
    })),
    ...issuesOf('jump', turns, (range) => ({
      severity: isError(range.peak, perTravel, jump.rotation_error, jump.rotation_break) ? 'error' : 'warning',
      text: `the root turns by ${withUnit(range.peak, 'rad')} between frames ${range.at} and ${range.at + 1} (the limit is ${withUnit(jump.rotation_warning / perTravel, 'rad')}, or ${withUnit(breakLimit(jump.rotation_break, fps, 1), 'rad')} more than between the frames before and after)`,
      channels: ['root.rpy.roll', 'root.rpy.pitch', 'root.rpy.yaw'],
    })),
  ];
}

function jointJumps(facts: RobotFacts, search: JumpSearch, jump: Limits<typeof JUMP_LIMITS>): ClipIssue[] {
  const { steps, fps } = search;
  const perTravel = fps / TRAVEL_RATE;
  const groups = jointLimbs(facts);
  return [...groups].flatMap(([group, members]) => {
    const found = members.flatMap((joint) => {
      const step = (k: number) => steps.joints[joint]![k]!;
      return findJumps(search, {
        size: (k) => Math.abs(step(k)),
        warning: jump.joint_warning,
        difference: (k, width) => Math.abs(breakOf(step, steps.count, k, width)),
        allowed: (k, width) =>
          breakLimit(jump.joint_break, fps, width) + ROUGHNESS * nearbyMost(step, steps.count, k, width),
        which: joint,
      });
    });
    return issuesOf('jump', mergeRanges(found), (range) => {
      const { name, type } = facts.joints[range.which]!;
      const unit = unitOf(type);
      return {
        severity: isError(range.peak, perTravel, jump.joint_error, jump.joint_break) ? 'error' : 'warning',
        text: `${name} (${group}) jumps by ${withUnit(range.peak, unit)} between frames ${range.at} and ${range.at + 1} (the limit is ${withUnit(jump.joint_warning / perTravel, unit)}, or ${withUnit(breakLimit(jump.joint_break, fps, 1), unit)} more than between the frames before and after)`,
        channels: namesOf(found, range).map((joint) => `joint.${facts.joints[joint]!.name}`),
      };
    });
  });
}

/** Returns true if a jump is an error: its speed exceeds the limit, and the jump is more than 3 times the tolerated
 *  break. */
function isError(peak: number, perTravel: number, travel: number, tolerated: number): boolean {
  return peak * perTravel > travel && peak > 3 * tolerated;
}

function namesOf(found: readonly Range[], range: Range): number[] {
  const inside = found.filter((part) => part.start <= range.end && part.end >= range.start);
  return [...new Set([range.which, ...inside.map((part) => part.which)])].slice(0, 4);
}

/** Finds a wrong first frame, or a still pose of the first few frames, that is followed by a jump into the motion. */
function firstFrame(checked: CheckedClip, first_frame: Limits<typeof START_LIMITS>): ClipStart {
  const { facts } = checked.robot;
  const { fps } = checked.clip;
  const steps = checked.shared(stepsOf);
  const none = { frames: 0, issues: [] };
  const isStill = (k: number) => steps.fastestJoint(k) < 1e-3 && steps.travel(k) < 1e-3 && steps.turn[k]! < 1e-3;
  let step = 0;
  while (step < Math.round(fps * LEAD_IN) && step + 3 < steps.count && isStill(step)) step++;
  if (step + 3 >= steps.count) return none;
  const per = BREAK_RATE / fps;
  const after = (value: (k: number) => number) => {
    let most = 0;
    for (const k of [1, 2, 3, 4, 5]) if (step + k < steps.count) most = Math.max(most, Math.abs(value(step + k)));
    return most;
  };
  const change = (value: (k: number) => number) => Math.abs(value(step) - value(step + 1));
  const move = Math.hypot(...[0, 1, 2].map((axis) => change((k) => steps.move[3 * k + axis]!)));
  const turn = change((k) => steps.turn[k]!);
  const broken = facts.joints
    .map((joint, index) => {
      const value = (k: number) => steps.joints[index]![k]!;
      return {
        name: joint.name,
        unit: unitOf(joint.type),
        size: change(value),
        over: change(value) - first_frame.joint * per - ROUGHNESS * after(value),
      };
    })
    .filter((joint) => joint.over > 0)
    .sort((a, b) => b.size - a.size);
  const moved = move > first_frame.position * per + after((k) => steps.travel(k)) / 2;
  const turned = turn > first_frame.rotation * per + after((k) => steps.turn[k]!) / 2;
  if (!moved && !turned && broken.length === 0) return none;
  const frames = step + 1;
  const parts = [
    ...(broken[0]
      ? [
          `${broken[0].name} by ${withUnit(broken[0].size, broken[0].unit)}${broken.length > 1 ? ` and ${broken.length - 1} more joints` : ''}`,
        ]
      : []),
    ...(moved ? [`the root by ${withUnit(move, 'm')}`] : []),
    ...(turned ? [`the root's turn by ${withUnit(turn, 'rad')}`] : []),
  ];
  const issue: ClipIssue = {
    kind: 'first_frame',
    severity: 'warning',
    text: `${frames === 1 ? 'the first frame does' : `the first ${frames} frames do`} not belong to the motion: ${parts.join(', ')} jump within one step (tolerated: ${withUnit(first_frame.joint * per, 'rad')}, ${withUnit(first_frame.position * per, 'm', 3)}); leave ${frames === 1 ? 'it' : 'them'} out.`,
    frames: [0, step],
    plot: {
      channels: [
        ...broken.slice(0, 3).map((joint) => `joint.${joint.name}`),
        ...(moved ? [`root.pos.${steps.axis(step)}`] : []),
        ...(turned ? ['root.rpy.yaw'] : []),
      ],
      frame: 0,
    },
    fix: frames === 1 ? 'trim_first_frame' : `trim_first_frame:${frames}`,
  };
  return { frames, issues: [issue] };
}

/** Merges jumps among the first frames into one `first_frame` issue: the frames before the last of these jumps do
 *  not belong to the motion. */
function leadIn(found: readonly ClipIssue[]): ClipIssue[] {
  const early = found.filter((issue) => issue.frames[1]! <= EARLY);
  const [first] = early;
  if (!first) return [];
  const end = Math.max(...early.map((issue) => issue.frames[1]!));
  return [
    {
      ...first,
      ...{ kind: 'first_frame', severity: 'warning', frames: [0, end - 1], fix: `trim_first_frame:${end}` },
      text: `the first ${end} frames do not belong to the motion: ${first.text}`,
    },
  ];
}

/** Reports repeated frames if the motion around them does not slow down. */
function frozen(checked: CheckedClip, limits: { readonly seconds: number }): ClipIssue[] {
  const { facts } = checked.robot;
  const { fps, frames } = checked.clip;
  const steps = checked.shared(stepsOf);
  const speed = (k: number) => (k >= 0 && k < steps.count ? steps.fastestJoint(k) * fps : 0);
  const least = Math.max(2, Math.round(limits.seconds * fps) - 1);
  const pauses = rangesWhere(steps.count, (k) => (steps.fastestJoint(k) < STILL ? 1 : 0), { least, gap: 0 });
  const near = Math.max(2, Math.round(SLOWING * fps));
  /** Returns true if the motion is fast directly next to the pause. `direction`: −1 before the pause, 1 after it. */
  const breaksOff = (edge: number, direction: -1 | 1) => {
    const first = speed(edge);
    let most = first;
    for (let k = 1; k < near; k++) most = Math.max(most, speed(edge + direction * k));
    return first > SLOW && first > most / 2;
  };
  const whole = pauses.some((pause) => pause.start === 0 && pause.end === steps.count - 1);
  const isWrong = ({ start, end }: Range) =>
    breaksOff(start - 1, -1) || breaksOff(end + 1, 1) || Math.min(speed(start - 1), speed(end + 1)) > BRISK;
  const wrong = whole ? pauses : pauses.filter(isWrong);
  const ranges = wrong.map((pause) => ({ ...pause, end: pause.end + 1, peak: pause.end - pause.start + 1 }));
  return issuesOf('frozen', ranges, (range) => {
    const edge = Math.max(speed(range.start - 1), speed(range.end));
    return {
      severity: 'warning',
      text: whole
        ? `all ${frames} frames are equal: the clip does not move`
        : `${framesText(range)} are equal for ${withUnit(range.peak / fps, 's')} while the motion around is at ${withUnit(edge, 'rad/s')} (tolerated: ${withUnit(limits.seconds, 's')})`,
      channels: [...busiest(steps, range)].map((joint) => `joint.${facts.joints[joint]!.name}`),
    };
  });
}

/** Returns the joints with the largest motion around a pause. */
function busiest(steps: Steps, range: { readonly start: number; readonly end: number }): number[] {
  const around = [range.start - 1, range.end].filter((k) => k >= 0 && k < steps.count);
  const size = (joint: number) => Math.max(0, ...around.map((k) => Math.abs(steps.joints[joint]![k]!)));
  return steps.joints
    .map((_, joint) => joint)
    .sort((a, b) => size(b) - size(a))
    .slice(0, 3);
}
