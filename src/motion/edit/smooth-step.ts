/** Returns a smooth step from 0 (u ≤ 0) to 1 (u ≥ 1): 35u⁴ − 84u⁵ + 70u⁶ − 20u⁷ (Perlin, Improving Noise, 2002, one
 *  order higher). The first three derivatives vanish at both ends. In a blend of n frames, the weight of the first
 *  and last frame differs from 0 and 1 by about 35 / n⁴. */
export function smoothStep(u: number): number {
  const v = Math.min(1, Math.max(0, u));
  return v ** 4 * (35 + v * (-84 + v * (70 - 20 * v)));
}
