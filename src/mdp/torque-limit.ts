import type { TorqueSpeed } from '../robots/robot-facts.ts';

/** Returns the torque limit of a motor at a speed, Nm: `peak` up to x1, then falling linearly to 0 at x2. Source:
 *  `tapered_peak` of wbc_mjlab.actuation.envelope.
 *  @param peak Nm at low speed: y1 while driving, y2 while braking  @param speed rad/s, either sign */
export function torqueLimit({ x1, x2 }: TorqueSpeed, peak: number, speed: number): number {
  const size = Math.abs(speed);
  return size < x1 ? peak : Math.max(0, peak - (peak / Math.max(x2 - x1, 1e-6)) * (size - x1));
}
