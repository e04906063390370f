import type { ClipScore } from '../../protocol/schemas/data.ts';
import type { CheckedClip } from '../clip/checked-clip.ts';
import { isFlight } from '../clip/ground-checks.ts';
import { rangesWhere } from '../clip/issue.ts';
import { measuresOf } from '../clip/measure-clip.ts';
import { overlapShare } from '../clip/self-collision.ts';
import { offBalance } from './off-balance.ts';
import { type Forces, forcesOf } from './sample-forces.ts';

/** Height of the robot's lowest point above which the robot is in the air, m. */
const AIRBORNE = 0.06;
const PERCENTILE = 0.95;

/** Limits between which feasibility falls linearly: 1 up to the first value, 0 from the second value on. */
const FADES = { torque: [1, 3], support: [0.02, 0.2], jerk: [300, 3000] } as const;
/** Values at which a quantity contributes its full share to the complexity; for speed, half of its share. */
const FULL = { speed: 1, torque: 1, airborne: 0.25, height: 0.5 } as const;

/** Scores how feasible a clip is for a robot, and how demanding the clip is; see docs/curation.md. Returns null if
 *  the motion is so extreme that the results are not finite. */
export function clipScore(checked: CheckedClip): ClipScore | null {
  const measures = checked.shared(measuresOf);
  const { frames, fps } = checked.clip;
  const forces = checked.shared(forcesOf);
  const hasShape = Number.isFinite(measures.lowest[0]!);
  const inAir = hasShape
    ? rangesWhere(frames, (frame) => (measures.lowest[frame]! > AIRBORNE ? 1 : 0), { gap: 0 })
    : [];
  const share = (ranges: typeof inAir) => ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0) / frames;
  const airborne = share(inAir);
  const floating = share(inAir.filter(({ start, end }) => !isFlight(measures, fps, start, end)));
  const torque = percentile(forces.torques);
  const support = mean(forces.distances);
  const jerk = percentile(jerks(forces));
  const collision = overlapShare(checked);
  const feasibility =
    fade(torque, FADES.torque) *
    fade(support, FADES.support) *
    fade(jerk, FADES.jerk) *
    (1 - collision) *
    (1 - floating) *
    (1 - offBalance(checked).share);
  const complexity = mean([
    forces.speed / (forces.speed + FULL.speed),
    Math.min(1, torque / FULL.torque),
    Math.min(1, airborne / FULL.airborne),
    Math.min(1, heightSpan(checked) / FULL.height),
  ]);
  const values = { feasibility, complexity, torque, support, collision, jerk, airborne };
  if (!Object.values(values).every(Number.isFinite)) return null;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]),
  ) as unknown as ClipScore;
}

/** Returns the jerk, m/s³, of each key body at each sample, computed with central third differences. */
function jerks({ points, keybodies, step }: Forces): number[] {
  const width = 3 * keybodies;
  const out: number[] = [];
  for (let at = 2 * width; at + 2 * width < points.length; at += width)
    for (let body = 0; body < width; body += 3) {
      const third = (axis: number) => {
        const k = at + body + axis;
        return points[k + 2 * width]! - 2 * points[k + width]! + 2 * points[k - width]! - points[k - 2 * width]!;
      };
      out.push(Math.hypot(third(0), third(1), third(2)) / (2 * step ** 3));
    }
  return out;
}

/** Returns the range of the root's height, divided by the root's height in the default pose. */
function heightSpan({ robot, clip }: CheckedClip): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 2; at < clip.rows.length; at += robot.nq) {
    low = Math.min(low, clip.rows[at]!);
    high = Math.max(high, clip.rows[at]!);
  }
  return (high - low) / Math.max(1e-3, robot.facts.rootHeight);
}

function fade(value: number, [from, to]: readonly [number, number]): number {
  return Math.max(0, Math.min(1, (to - value) / (to - from)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percentile(values: number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(PERCENTILE * sorted.length))] ?? 0;
}
