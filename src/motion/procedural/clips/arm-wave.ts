import { ease, envelope } from '../curves.ts';
import { type Arm, balanced, centreOfMass, type Posture, STANDING } from '../posture.ts';

const DURATION = 6.5;
const RISE: readonly [number, number] = [0.5, 1.6];
const FALL: readonly [number, number] = [4.9, 6];
const WAVE = envelope(1.4, 5.1, 0.5);
/** Hz */
const RATE = 1.5;

/** Upper arm out to the side, forearm up, palm forward. */
const RAISED: Arm = { pitch: -0.35, roll: 1.75, yaw: 1.35, elbow: -1.25 };

/** Generates a clip in which the right arm rises, waves and comes down. The trunk and the centre of mass compensate the
 *  motion. */
export function armWave(): { readonly duration: number; readonly posture: (t: number) => Posture } {
  const [restX, restY] = centreOfMass(STANDING);
  const raised = (t: number) => ease((t - RISE[0]) / (RISE[1] - RISE[0])) - ease((t - FALL[0]) / (FALL[1] - FALL[0]));
  const posture = (t: number): Posture => {
    const up = raised(t);
    const late = raised(t - 0.15);
    const wave = WAVE(t) * Math.sin(2 * Math.PI * RATE * (t - 1.4));
    const [left, right] = STANDING.arms;
    const towards = (name: keyof Arm, share: number) => right[name] + (RAISED[name] - right[name]) * share;
    const waving: Arm = {
      pitch: towards('pitch', up),
      roll: towards('roll', up) + 0.06 * wave,
      yaw: towards('yaw', late),
      elbow: towards('elbow', late) + 0.42 * wave,
    };
    const follow: Arm = { ...left, pitch: left.pitch + 0.08 * late, elbow: left.elbow - 0.15 * late };
    const [x, y, z] = STANDING.position;
    const leaning: Posture = {
      ...STANDING,
      position: [x, y, z - 0.006 * late],
      rpy: [0.03 * late, 0, 0.04 * late],
      waist: -0.16 * late + 0.03 * wave,
      arms: [follow, waving],
    };
    return balanced(leaning, restX, restY + 0.015 * late);
  };
  return { duration: DURATION, posture };
}
