/** A value over time; t in s. */
export type Curve = (t: number) => number;

/** Minimum-jerk step: 0 before 0, 1 after 1, with velocity and acceleration 0 at both ends. */
export function ease(u: number): number {
  const v = Math.max(0, Math.min(1, u));
  return v * v * v * (10 + v * (6 * v - 15));
}

/** Smooth bump: 1 at u = 0.5; at u = 0 and 1 it is 0 with zero velocity and acceleration; 0 outside. */
export function bump(u: number): number {
  return u <= 0 || u >= 1 ? 0 : 64 * (u * (1 - u)) ** 3;
}

/** Rises from 0 to 1 over [from, from + fade], stays 1, and falls to 0 over [to − fade, to]. All times in s. */
export function envelope(from: number, to: number, fade: number): Curve {
  return (t) => ease((t - from) / fade) * ease((to - t) / fade);
}

const KERNEL_HALF = 24;

/** Returns a piecewise linear curve through `knots` (t ascending, s), constant outside, smoothed by a raised cosine of
 *  half-width `width` s. The result never exceeds the range of the knots' values. */
export function smoothed(knots: readonly (readonly [t: number, value: number])[], width: number): Curve {
  return (t) => {
    let sum = 0;
    let weight = 0;
    for (let k = -KERNEL_HALF; k <= KERNEL_HALF; k++) {
      const u = k / (KERNEL_HALF + 1);
      const w = 1 + Math.cos(Math.PI * u);
      sum += w * linear(knots, t + u * width);
      weight += w;
    }
    return sum / weight;
  };
}

function linear(knots: readonly (readonly [t: number, value: number])[], t: number): number {
  const next = knots.findIndex(([time]) => time > t);
  if (next === 0) return knots[0]![1];
  if (next < 0) return knots.at(-1)![1];
  const [t0, a] = knots[next - 1]!;
  const [t1, b] = knots[next]!;
  return a + ((b - a) * (t - t0)) / (t1 - t0);
}

/** Position, velocity and acceleration at one end of a segment. */
export type End = readonly [value: number, velocity: number, acceleration: number];

/** Evaluates at time t the quintic polynomial over `duration` s that has the given ends. */
export function quintic([p0, v0, a0]: End, [p1, v1, a1]: End, duration: number, t: number): number {
  const u = t / duration;
  const [dv0, dv1] = [v0 * duration, v1 * duration];
  const [da0, da1] = [a0 * duration ** 2, a1 * duration ** 2];
  const rest = p1 - p0;
  const c3 = 10 * rest - 6 * dv0 - 4 * dv1 - 1.5 * da0 + 0.5 * da1;
  const c4 = -15 * rest + 8 * dv0 + 7 * dv1 + 1.5 * da0 - da1;
  const c5 = 6 * rest - 3 * (dv0 + dv1) - 0.5 * (da0 - da1);
  return p0 + u * (dv0 + u * (da0 / 2 + u * (c3 + u * (c4 + u * c5))));
}
