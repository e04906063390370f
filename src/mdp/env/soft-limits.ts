import type { RobotFacts } from '../../robots/robot-facts.ts';

/** The soft limits enclose this share of a joint's range. */
const SOFT_RANGE = 0.9;

/** (J) rad; ∓∞ for an unlimited joint */
export interface SoftLimits {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Returns the soft limits of joints: the middle of the range ± 0.45 of its width. */
export function softLimitsOf(joints: RobotFacts['joints']): SoftLimits {
  const bound = (sign: number) =>
    Float64Array.from(joints, ({ lower, upper }) =>
      lower === null || upper === null
        ? sign * Number.POSITIVE_INFINITY
        : (lower + upper) / 2 + (sign * SOFT_RANGE * (upper - lower)) / 2,
    );
  return { lower: bound(-1), upper: bound(1) };
}
