import { ease } from '../curves.ts';
import { type Arm, balanced, centreOfMass, type Posture, STANDING } from '../posture.ts';

const REST = 0.5;
const DOWN = 0.9;
const HOLD = 0.2;
const UP = 0.8;
const PAUSE = 0.3;
const REPEATS = 3;
const CYCLE = DOWN + HOLD + UP + PAUSE;
const DURATION = REST + REPEATS * CYCLE + REST;
/** m */
const DEPTH = 0.21;

/** Generates a clip with three squats: the trunk leans forward, the arms rise as a counterweight, and the centre of
 *  mass stays over the soles. */
export function squat(): { readonly duration: number; readonly posture: (t: number) => Posture } {
  const [restX, restY] = centreOfMass(STANDING);
  const depth = (t: number) => {
    const s = t - REST;
    const phase = s - CYCLE * Math.min(REPEATS - 1, Math.max(0, Math.floor(s / CYCLE)));
    return ease(phase / DOWN) - ease((phase - DOWN - HOLD) / UP);
  };
  const posture = (t: number): Posture => {
    const low = depth(t);
    const [x, y, z] = STANDING.position;
    const arm = (rest: Arm): Arm => ({
      pitch: rest.pitch - 1.25 * low,
      roll: rest.roll - 0.1 * low,
      yaw: rest.yaw,
      elbow: rest.elbow + 0.1 * low,
    });
    const bent: Posture = {
      ...STANDING,
      position: [x, y, z - DEPTH * low],
      rpy: [0, 0.42 * low, 0],
      arms: [arm(STANDING.arms[0]), arm(STANDING.arms[1])],
    };
    return balanced(bent, restX, restY);
  };
  return { duration: DURATION, posture };
}
