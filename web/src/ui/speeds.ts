/** Speeds of the menu, as multiples of real time. */
export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 4, 8] as const;

/** Returns the next speed of the menu above (+1) or below (−1) `now`; null at its ends. */
export function nextSpeed(now: number, direction: 1 | -1): number | null {
  const next = direction > 0 ? SPEEDS.find((s) => s > now + 1e-6) : SPEEDS.findLast((s) => s < now - 1e-6);
  return next ?? null;
}
