/** Speeds of the menu, times real time. */
export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 4, 8] as const;

/** The next speed of the menu above (+1) or below (−1) `now`; null beyond its ends. */
export function nextSpeed(now: number, direction: 1 | -1): number | null {
  const next = direction > 0 ? SPEEDS.find((s) => s > now + 1e-6) : SPEEDS.findLast((s) => s < now - 1e-6);
  return next ?? null;
}
