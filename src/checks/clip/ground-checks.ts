import { type CheckSpec, clipCheck } from '../check-spec.ts';
import { frameCount, threshold } from '../threshold.ts';
import type { CheckedClip } from './checked-clip.ts';
import { type ClipIssue, framesText, issuesOf, mergeRanges, type Range, rangesWhere, withUnit } from './issue.ts';
import { type ClipMeasures, type FootTrack, measuresOf } from './measure-clip.ts';

/** Reference frame rate for thresholds given in frames, Hz. */
const FRAME_RATE = 50;
/** Smallest z component of the root's up axis at which the robot is considered to be on its feet. */
const ON_FEET = 0.7;
/** Vertical acceleration of the centre of mass below which the robot is in free fall, m/s². Retargeted flights have
 *  downward accelerations of 7.6 to 12. */
const FALLING = -5;
/** Minimum duration of a flight for measuring its acceleration, s. */
const HOP = 0.12;
/** Minimum height, m, from which a lift is considered. The robot was lifted and did not jump if it both gains and loses
 *  at least the share `STEEP` of this height within one step. Largest share in real hops: 0.5 */
const LIFT = 0.04;
const STEEP = 0.75;
/** Thresholds of floating for a lying robot, m and s. Its bodies are farther from the floor than feet would be, because
 *  collision geoms are thinner than the real robot. Largest distance in clips of falls: 0.073 */
const LYING_HEIGHT = 0.12;
const LYING_SECONDS = 0.4;
/** Factor on the error threshold of floor penetration, for bodies other than feet. */
const OTHER_DEPTH = 2;
/** Median height below which a clip is considered too low as a whole, m. */
const LOW_CLIP = -0.015;
/** The repair `debias_z` is also proposed if two conditions hold: the feet are below `LOW_CLIP` in more than `share` of
 *  the frames, and an upward shift of less than `shift`, m, corrects this. Values of an acrobatics clip of a public
 *  dataset: 0.34, 0.034 */
const OFTEN_LOW = { share: 0.2, shift: 0.06 } as const;
/** A slide that lasts at least `seconds` is reported already above `share` of the `speed` threshold. Longest slide in
 *  clean clips: 0.15 m/s for 0.34 s */
const LONG_SLIDE = { seconds: 0.5, share: 0.4 } as const;
/** Speed that a flat sole (all points within `FLAT`, m, of the floor) never reaches during contact, m/s. */
const FLAT_SPEED = 0.6;
const FLAT = 0.01;
/** Channel of the plots: height of the robot's lowest point, m. */
const LOWEST_CHANNEL = 'ground.lowest';
/** Height above the lowest foot, m, below which another body also carries weight. */
const BESIDE = 0.015;

const GROUND_PENETRATION = clipCheck({
  kind: 'ground_penetration',
  version: 1,
  thresholds: {
    warning: threshold(0.03, 'm below the floor'), // largest values in clean clips: walk 0.016, dance 0.036, flips 0.047, lying 0.108
    error: threshold(0.08, 'm, of a foot; other bodies: twice as much'),
    frames: frameCount(3, 'in a row, at 50 frames per second'),
  },
  run: penetration,
});

const FLOATING = clipCheck({
  kind: 'floating',
  version: 1,
  thresholds: {
    height: threshold(0.03, 'm between the floor and the lowest point'), // largest value in clean clips with the robot on its feet: 0.012
    seconds: threshold(0.3, 's in a row without falling'), // clean clips are above `height` without falling for at most 0.27 s
  },
  run: floating,
});

const FOOT_SLIDING = clipCheck({
  kind: 'foot_sliding',
  version: 1,
  thresholds: {
    height: threshold(0.02, 'm; a sole point below this height is in contact'),
    // Clean clips: 0.17 in 99 % of the frames. Number of issues in a dance of 131 s: 9 with this value, more than 25
    // with 0.25, and 6 with 0.6.
    speed: threshold(0.5, 'm/s of the slowest point in contact'),
    frames: frameCount(5, 'in a row, at 50 frames per second'),
  },
  run: sliding,
});

/** Checks of feet and floor. These checks report nothing for a robot without collision geoms. */
export const GROUND_CHECKS: readonly CheckSpec[] = [GROUND_PENETRATION, FLOATING, FOOT_SLIDING];

/** Returns false for a robot without collision geoms. */
function hasShape({ lowest }: ClipMeasures): boolean {
  return Number.isFinite(lowest[0]!);
}

/** Returns true if the centre of mass is in free fall in these frames, or if too few frames are available to decide. */
export function isFlight({ comZ }: ClipMeasures, fps: number, start: number, end: number): boolean {
  return (end - start + 1) / fps < HOP || verticalAcceleration(comZ, fps, start, end) < FALLING;
}

/** Returns the acceleration, m/s², of the least-squares parabola through the heights in these frames. */
export function verticalAcceleration(heights: ArrayLike<number>, fps: number, start: number, end: number): number {
  const middle = (start + end) / 2;
  let [n, s2, s4, h, hs2] = [0, 0, 0, 0, 0];
  for (let frame = start; frame <= end; frame++) {
    const square = ((frame - middle) / fps) ** 2;
    n += 1;
    s2 += square;
    s4 += square * square;
    h += heights[frame]!;
    hs2 += heights[frame]! * square;
  }
  const determinant = n * s4 - s2 * s2;
  return determinant > 0 ? (2 * (n * hs2 - s2 * h)) / determinant : 0;
}

/** Returns the plot channels of the soles' heights. The channel of `first` comes first. */
function heightChannels({ feet }: ClipMeasures, first: string | null): string[] {
  const names = feet.map((foot) => foot.name).sort((a, b) => Number(b === first) - Number(a === first));
  return names.map((name) => `height.${name}`);
}

function penetration(
  checked: CheckedClip,
  limits: { readonly warning: number; readonly error: number; readonly frames: number },
): ClipIssue[] {
  const measures = checked.shared(measuresOf);
  if (!hasShape(measures)) return [];
  const { frames, fps } = checked.clip;
  const { facts } = checked.robot;
  const least = inFrames(limits.frames, fps);
  const ranges = rangesWhere(
    frames,
    (frame) => (-measures.lowest[frame]! > limits.warning ? -measures.lowest[frame]! : 0),
    { least },
  );
  const median = medianOf(measures.lowest);
  const worst = ranges.reduce((best, range) => (best && best.peak >= range.peak ? best : range), ranges[0]);
  const low =
    median < LOW_CLIP && worst !== undefined && measures.lowestFoot[worst.at]! <= measures.lowestOther[worst.at]!;
  const deep = measures.lowestFoot.reduce((sum, height) => sum + (height < LOW_CLIP ? 1 : 0), 0) / frames;
  const oftenLow = deep > OFTEN_LOW.share && -Math.min(...chunkMinima(measures.lowestFoot)) < OFTEN_LOW.shift;
  const shown = low ? [{ ...worst, start: ranges[0]!.start, end: ranges.at(-1)!.end }] : ranges;
  return issuesOf('ground_penetration', shown, (range) => {
    const [foot, other] = [measures.lowestFoot, measures.lowestOther].map((heights) => lowestIn(heights, range));
    const severe = -foot! > limits.error || -other! > OTHER_DEPTH * limits.error;
    const body = facts.bodies[measures.lowestBody[range.at]!]?.name ?? 'the robot';
    return {
      severity: severe ? 'error' : 'warning',
      text: `${body} is ${withUnit(range.peak, 'm', 3)} below the floor at frame ${range.at} (tolerated: ${withUnit(limits.warning, 'm', 3)})${low ? `; half of the clip is more than ${withUnit(-median, 'm', 3)} too low` : oftenLow ? `; the feet are more than ${withUnit(-LOW_CLIP, 'm', 3)} below it in ${withUnit(100 * deep, '%', 0)} of the clip` : ''}`,
      channels: foot! <= other! ? heightChannels(measures, body) : [LOWEST_CHANNEL, 'root.pos.z'],
      body,
      fix: low || (oftenLow && foot! <= other!) ? 'debias_z' : null,
    };
  });
}

function floating(checked: CheckedClip, limits: { readonly height: number; readonly seconds: number }): ClipIssue[] {
  const measures = checked.shared(measuresOf);
  if (!hasShape(measures)) return [];
  const { frames, fps } = checked.clip;
  const { lowest, upright } = measures;
  const over = (height: number, applies: (frame: number) => boolean) => (frame: number) =>
    applies(frame) && lowest[frame]! > height ? lowest[frame]! : 0;
  const least = (seconds: number) => Math.max(2, Math.round(seconds * fps));
  const found = [
    ...rangesWhere(
      frames,
      over(limits.height, (frame) => upright[frame]! > ON_FEET),
      { least: 2 },
    ).filter((range) => range.end - range.start + 1 >= least(limits.seconds)),
    ...rangesWhere(
      frames,
      over(LYING_HEIGHT, () => true),
      { least: 2 },
    ).filter((range) => range.end - range.start + 1 >= least(LYING_SECONDS)),
  ].filter((range) => isLifted(lowest, range) || !isFlight(measures, fps, range.start, range.end));
  const minimum = Math.min(...chunkMinima(lowest));
  const whole = minimum > limits.height;
  const nameOf = ({ at }: Range) => checked.robot.facts.bodies[measures.lowestBody[at]!]?.name ?? null;
  const ranges = whole
    ? [{ start: 0, end: frames - 1, peak: minimum, at: lowest.indexOf(minimum), which: 0 }]
    : mergeRanges(found);
  return issuesOf('floating', ranges, (range) => ({
    severity: 'warning',
    text: whole
      ? `the robot never touches the floor: its lowest point stays ${withUnit(minimum, 'm', 3)} above it (tolerated: ${withUnit(limits.height, 'm', 3)})`
      : `the robot hangs up to ${withUnit(range.peak, 'm', 3)} above the floor in ${framesText(range)} without falling (tolerated: ${withUnit(limits.height, 'm', 3)} for ${withUnit(limits.seconds, 's')})`,
    channels: [LOWEST_CHANNEL, ...heightChannels(measures, nameOf(range)), 'root.pos.z'],
    body: nameOf(range),
    fix: whole ? 'debias_z' : null,
  }));
}

/** Returns true if the robot gains and loses its height in single steps. Such a robot was lifted and did not jump. */
function isLifted(lowest: Float64Array, { start, end, peak }: Range): boolean {
  if (start === 0 || end === lowest.length - 1 || end - start < 2 || peak < LIFT) return false;
  const steps = [lowest[start]! - lowest[start - 1]!, lowest[end]! - lowest[end + 1]!];
  return Math.min(...steps) > STEEP * peak;
}

function sliding(
  checked: CheckedClip,
  limits: { readonly height: number; readonly speed: number; readonly frames: number },
): ClipIssue[] {
  const measures = checked.shared(measuresOf);
  if (!hasShape(measures)) return [];
  const { frames, fps } = checked.clip;
  const slowest = new Float64Array(frames);
  for (let frame = 1; frame < frames; frame++) {
    // While other bodies carry weight, as in kneeling or lying, the feet may slide.
    const other = measures.lowestOther[frame]!;
    if (other < limits.height && other < measures.lowestFoot[frame]! + BESIDE) continue;
    let slow = Infinity;
    for (const foot of measures.feet) slow = Math.min(slow, contactSpeed(foot, frame, fps, limits.height));
    slowest[frame] = Number.isFinite(slow) ? slow : 0;
  }
  const faster = (track: ArrayLike<number>, speed: number) => (frame: number) =>
    track[frame]! > speed ? track[frame]! : 0;
  const least = inFrames(limits.frames, fps);
  const found: Range[] = [
    ...rangesWhere(frames, faster(slowest, limits.speed), { least }),
    ...rangesWhere(frames, faster(slowest, LONG_SLIDE.share * limits.speed), {
      least: Math.round(LONG_SLIDE.seconds * fps),
      gap: 0,
    }),
    ...measures.feet.flatMap((foot) => {
      const flat = Float64Array.from({ length: frames }, (_, frame) => (frame > 0 ? flatSpeed(foot, frame, fps) : 0));
      return rangesWhere(frames, faster(flat, Math.max(FLAT_SPEED, limits.speed)), { least });
    }),
  ];
  const { height } = limits;
  return issuesOf('foot_sliding', mergeRanges(found), (range) => {
    const speeds = new Map(measures.feet.map((foot) => [foot, contactSpeed(foot, range.at, fps, height)]));
    // The foot with the peak speed comes first; feet in the air come last.
    const feet = [...measures.feet].sort(
      (a, b) => Math.abs(speeds.get(a)! - range.peak) - Math.abs(speeds.get(b)! - range.peak),
    );
    const way = Math.max(...feet.map((foot) => travelOf(foot, range)), 0);
    const worst = feet[0]?.name ?? 'the robot';
    return {
      severity: 'warning',
      text: `${worst} slides over the floor in ${framesText(range)}, up to ${withUnit(range.peak, 'm/s')} and ${withUnit(way, 'm')} far (tolerated: ${withUnit(limits.speed, 'm/s')})`,
      channels: ['speed', 'height'].flatMap((kind) => feet.map((foot) => `${kind}.${foot.name}`)),
      body: feet[0]?.name ?? null,
    };
  });
}

/** Returns the speed, m/s, of the slowest sole point that is on the floor in both this and the previous frame.
 *  Returns Infinity if there is no such point. */
function contactSpeed({ points, count }: FootTrack, frame: number, fps: number, height: number): number {
  let slow = Infinity;
  for (let point = 0; point < count; point++) {
    const now = 3 * (frame * count + point);
    const before = now - 3 * count;
    if (points[now + 2]! < height && points[before + 2]! < height)
      slow = Math.min(slow, Math.hypot(points[now]! - points[before]!, points[now + 1]! - points[before + 1]!));
  }
  return slow * fps;
}

/** Returns the speed, m/s, of the slowest point of a sole that lies flat on the floor in both this and the previous
 *  frame. Returns 0 if the sole does not lie flat. */
function flatSpeed(foot: FootTrack, frame: number, fps: number): number {
  const { points, count } = foot;
  for (let point = 0; point < 2 * count; point++)
    if (Math.abs(points[3 * ((frame - 1) * count + point) + 2]!) > FLAT) return 0;
  const speed = contactSpeed(foot, frame, fps, FLAT);
  return Number.isFinite(speed) ? speed : 0;
}

/** Returns the horizontal distance, m, between the foot's positions before and after the range. */
function travelOf({ points, count }: FootTrack, { start, end }: Range): number {
  const from = 3 * Math.max(0, start - 1) * count;
  const to = 3 * end * count;
  return Math.hypot(points[to]! - points[from]!, points[to + 1]! - points[from + 1]!);
}

function inFrames(at50: number, fps: number): number {
  return Math.max(2, Math.round((at50 * fps) / FRAME_RATE));
}

function lowestIn(heights: Float64Array, { start, end }: Range): number {
  return Math.min(...chunkMinima(heights.subarray(start, end + 1)));
}

/** Returns the minimum of each chunk of values: `Math.min` cannot be called with a million arguments. */
function chunkMinima(values: Float64Array): number[] {
  const minima: number[] = [];
  for (let at = 0; at < values.length; at += 4096) minima.push(Math.min(...values.subarray(at, at + 4096)));
  return minima;
}

function medianOf(values: Float64Array): number {
  return Float64Array.from(values).sort()[Math.floor(values.length / 2)] ?? 0;
}
