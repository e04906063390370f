import { type Curve, envelope } from '../curves.ts';
import { type Arm, balanced, centreOfMass, type Posture, STANDING } from '../posture.ts';

const DURATION = 8;
/** Angular frequency of the sway, rad/s: two slow sways from side to side in the clip. */
const SWAY = (2 * Math.PI * 2) / DURATION;

/** Generates a clip of relaxed standing: the weight shifts from foot to foot; trunk and arms follow with a delay. */
export function idleSway(): { readonly duration: number; readonly posture: (t: number) => Posture } {
  const [restX, restY] = centreOfMass(STANDING);
  const fade = envelope(0, DURATION, 1.2);
  /** side to which the weight shifts, −1 to 1, delayed by `late` s; 0 with zero velocity at both ends of the clip */
  const side = (t: number, late = 0) => fade(t) * Math.sin(SWAY * (t - late));
  const breath: Curve = (t) => fade(t) * (1 - Math.cos((2 * Math.PI * t) / 4)) * 0.5;
  const posture = (t: number): Posture => {
    const [x, y, z] = STANDING.position;
    const lag = side(t, 0.25);
    const arm = (rest: Arm, sign: number): Arm => ({
      pitch: rest.pitch + 0.05 * sign * lag,
      roll: rest.roll + 0.03 * breath(t),
      yaw: rest.yaw,
      elbow: rest.elbow - 0.06 * breath(t) - 0.05 * sign * lag,
    });
    const swayed: Posture = {
      ...STANDING,
      position: [x, y, z - 0.006 * breath(t) - 0.008 * Math.abs(side(t)) ** 2],
      rpy: [-0.03 * side(t), 0.015 * breath(t), 0.05 * lag],
      waist: 0.12 * side(t, 0.4),
      arms: [arm(STANDING.arms[0], 1), arm(STANDING.arms[1], -1)],
    };
    return balanced(swayed, restX + 0.004 * breath(t), restY + 0.04 * side(t));
  };
  return { duration: DURATION, posture };
}
