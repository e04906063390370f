import type { ClipRows } from '../../motion/clip-rows.ts';
import { verticalAcceleration } from '../clip/ground-checks.ts';
import { type ClipIssue, rangesWhere, withUnit } from '../clip/issue.ts';
import type { ClipMeasures } from '../clip/measure-clip.ts';
import { confidenceText } from './confidence.ts';

export const FRAME_RATE = { kind: 'frame_rate', version: 1 } as const;

/** Usual frame rates of motion, and how common each is. */
const RATES: readonly (readonly [fps: number, usual: number])[] = [
  [15, 0.1],
  [20, 0.15],
  [24, 0.25],
  [25, 0.25],
  [30, 1],
  [50, 1],
  [60, 1],
  [90, 0.3],
  [100, 0.7],
  [120, 1],
  [200, 0.4],
  [240, 0.5],
];
/** m/s² */
const GRAVITY = 9.81;
/** Height of the lowest point above which the robot is certainly in the air, m. */
const AIRBORNE = 0.06;
/** Minimum number of frames of a flight for measuring its acceleration. */
const LEAST_FRAMES = 6;
/** Minimum rise above the ends of a flight, m. Below it, noise dominates. */
const LEAST_RISE = 0.02;
/** Minimum share of the variance of the heights that a parabola must explain. */
const LEAST_FIT = 0.97;
/** Standard deviation of the logarithm of the estimated rate. Retargeting scales people to robots, which changes the
 *  apparent gravity. */
const SPREAD = 0.12;
/** A rate that differs by more than this many standard deviations does not explain the fall. */
const EXPLAINED = 2.5;
/** A rate that differs by less than this from the rate of the clip is not reported (difference of logarithms). */
const SAME = 0.3;
/** Minimum confidence of an issue. */
const SURE_ENOUGH = 0.6;
/** Frame rates that differ by less than this are considered equal (difference of logarithms). */
const SPEED_SPREAD = 0.05;

/** Checks the frame rate by gravity: in flight the centre of mass accelerates with −9.81 m/s² at the right rate.
 *  @param stated whether the file states its rate */
export function checkFrameRate(clip: ClipRows, measures: ClipMeasures, stated: boolean): ClipIssue[] {
  const { fps, frames } = clip;
  let weight = 0;
  let sum = 0;
  let first = 0;
  let flights = 0;
  for (const { start, end } of rangesWhere(frames, (frame) => (measures.lowest[frame]! > AIRBORNE ? 1 : 0), {
    gap: 0,
  })) {
    if (end - start + 1 < LEAST_FRAMES || !Number.isFinite(measures.lowest[start]!)) continue;
    // In units of frames (height ½·a·n²), so that the result does not depend on the rate.
    const acceleration = verticalAcceleration(measures.comZ, 1, start, end);
    const count = end - start;
    if (acceleration >= 0 || (-acceleration * count * count) / 8 < LEAST_RISE) continue;
    if (parabolaFit(measures.comZ, acceleration, start, end) < LEAST_FIT) continue;
    if (flights === 0) first = start;
    flights += 1;
    weight += count;
    sum += (count * Math.log(-acceleration / GRAVITY)) / -2;
  }
  if (flights === 0) return [];
  const logRate = sum / weight;
  const likelihood = (rate: number) => Math.exp(-0.5 * ((Math.log(rate) - logRate) / SPREAD) ** 2);
  const own = likelihood(fps);
  const scored = RATES.map(([rate, usual]) => ({ rate, score: usual * likelihood(rate) })).filter(
    ({ rate }) => Math.abs(Math.log(rate / fps)) > SAME,
  );
  const [best] = scored.sort((a, b) => b.score - a.score);
  const total = scored.reduce((all, { score }) => all + score, 0) + own;
  if (!best || Math.abs(logRate - Math.log(fps)) < SAME || best.score / total < SURE_ENOUGH) return [];
  // If no usual rate explains the acceleration, the motion is not a fall.
  if (Math.abs(Math.log(best.rate) - logRate) > EXPLAINED * SPREAD) return [];
  const apparent = GRAVITY * Math.exp(2 * (Math.log(fps) - logRate));
  return [
    {
      ...{ kind: 'frame_rate', severity: 'warning', frames: [0, frames - 1], fix: `input_fps:${best.rate}` },
      text: `at ${rateText(fps)} the clip falls with ${withUnit(apparent, 'm/s²', 1)} in ${flights === 1 ? 'its flight' : `its ${flights} flights`} instead of ${GRAVITY} m/s²: ${stated ? 'the file states a wrong rate' : 'it was made at another rate'}, likely ${rateText(best.rate)} (${confidenceText(Math.min(0.99, best.score / total))}).`,
      plot: { channels: ['root.pos.z'], frame: first },
    },
  ];
}

/** Checks the frame rate of a converted clip by its joint velocities, which were computed at the true rate: they must
 *  equal the change of the joints at the stated rate. @param jointPos (frames, joints)  @param jointVel (frames,
 *  joints) */
export function checkSpeedRate(
  fps: number,
  frames: number,
  jointPos: ArrayLike<number>,
  jointVel: ArrayLike<number>,
): ClipIssue[] {
  const joints = jointPos.length / frames;
  let products = 0;
  let squares = 0;
  for (let frame = 1; frame < frames - 1; frame++)
    for (let joint = 0; joint < joints; joint++) {
      const change = (jointPos[(frame + 1) * joints + joint]! - jointPos[(frame - 1) * joints + joint]!) / 2;
      const speed = jointVel[frame * joints + joint]!;
      if (!Number.isFinite(change) || !Number.isFinite(speed)) continue;
      products += change * speed;
      squares += change * change;
    }
  if (!(squares > 1e-8)) return [];
  const rate = products / squares;
  if (!(rate > 0) || Math.abs(Math.log(rate / fps)) < SPEED_SPREAD) return [];
  let error = 0;
  let size = 0;
  for (let frame = 1; frame < frames - 1; frame++)
    for (let joint = 0; joint < joints; joint++) {
      const change = (jointPos[(frame + 1) * joints + joint]! - jointPos[(frame - 1) * joints + joint]!) / 2;
      const speed = jointVel[frame * joints + joint]!;
      if (!Number.isFinite(change) || !Number.isFinite(speed)) continue;
      error += (speed - rate * change) ** 2;
      size += speed * speed;
    }
  // Velocities of another clip or in another order do not agree with any rate.
  const explained = 1 - error / size;
  if (!(explained > 0.8)) return [];
  const [nearest] = [...RATES].sort((a, b) => Math.abs(Math.log(a[0] / rate)) - Math.abs(Math.log(b[0] / rate)))[0]!;
  const proposed = Math.abs(Math.log(nearest / rate)) < SPEED_SPREAD ? nearest : Math.round(rate * 100) / 100;
  return [
    {
      ...{ kind: 'frame_rate', severity: 'error', frames: [0, frames - 1], fix: `input_fps:${proposed}` },
      text: `the file states ${rateText(fps)}, but its joint velocities were computed at ${rateText(proposed)} (${confidenceText(Math.min(0.99, explained))}).`,
      plot: { channels: ['root.pos.z'], frame: 0 },
    },
  ];
}

function rateText(fps: number): string {
  return `${Number(fps.toFixed(2))} frames per second`;
}

/** Returns the share of the heights' variance that a parabola with this acceleration (m per frame²) explains. */
function parabolaFit(heights: ArrayLike<number>, acceleration: number, start: number, end: number): number {
  const middle = (start + end) / 2;
  const n = end - start + 1;
  let [sum, slope, squares] = [0, 0, 0];
  const rest = (frame: number) => heights[frame]! - (acceleration * (frame - middle) ** 2) / 2;
  for (let frame = start; frame <= end; frame++) {
    sum += rest(frame);
    slope += rest(frame) * (frame - middle);
    squares += (frame - middle) ** 2;
  }
  const mean = sum / n;
  slope /= squares;
  let average = 0;
  for (let frame = start; frame <= end; frame++) average += heights[frame]! / n;
  let [error, total] = [0, 0];
  for (let frame = start; frame <= end; frame++) {
    error += (rest(frame) - mean - slope * (frame - middle)) ** 2;
    total += (heights[frame]! - average) ** 2;
  }
  return total > 0 ? 1 - error / total : 0;
}
