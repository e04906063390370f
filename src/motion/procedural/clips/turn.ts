import { bump, envelope, smoothed } from '../curves.ts';
import { footTrack, type Print, type Swing } from '../foot-track.ts';
import { type Arm, balanced, centreOfMass, type Posture, STANDING } from '../posture.ts';

const START = 0.7;
/** time from one lift-off to the next, s */
const STEP = 0.58;
/** time in each step with both feet on the floor, s */
const BOTH = 0.18;
/** number of pairs of steps, and rotation of each pair, rad */
const PAIRS = 5;
const ANGLE = Math.PI / PAIRS;
const END = START + 2 * PAIRS * STEP;
const DURATION = END + 0.9;

type Knot = [t: number, value: number];

/** Generates a clip that turns by 180° to the left on the spot in ten small steps: the left foot opens, the right foot
 *  follows. */
export function turn(): { readonly duration: number; readonly posture: (t: number) => Posture } {
  const [restX, restY] = centreOfMass(STANDING);
  const printAt = (side: number, yaw: number): Print => {
    const { x, y } = STANDING.feet[side]!;
    // Rotate about the centre line of the pelvis.
    return { x: x * Math.cos(yaw) - y * Math.sin(yaw), y: x * Math.sin(yaw) + y * Math.cos(yaw), yaw };
  };
  const swings = Array.from({ length: 2 * PAIRS }, (_, k): Swing => {
    const start = START + k * STEP + BOTH / 2;
    const yaw = ANGLE * (Math.floor(k / 2) + 1);
    return { start, end: start + STEP - BOTH, to: printAt(k % 2, yaw), lift: 0.05, push: 0.18, before: 0.14 };
  });
  const track = (side: number) =>
    footTrack(
      printAt(side, 0),
      swings.filter((_, k) => k % 2 === side),
    );
  const feet = [track(0), track(1)] as const;
  const heading = smoothed([[START + 0.1, 0], ...swings.map(({ end }, k): Knot => [end, (ANGLE * (k + 1)) / 2])], 0.35);
  /** +1 when the weight is over the left foot, −1 over the right foot */
  const side = smoothed(
    [
      [START - 0.15, 0],
      ...swings.map(({ start, end }, k): Knot => [(start + end) / 2, k % 2 === 0 ? -1 : 1]),
      [END + 0.3, 0],
    ],
    0.28,
  );
  const busy = envelope(START - 0.3, END + 0.4, 0.7);
  const raised = (t: number, foot: number) =>
    swings.reduce((sum, { start, end }, k) => (k % 2 === foot ? sum + bump((t - start) / (end - start)) : sum), 0);

  const posture = (t: number): Posture => {
    const yaw = heading(t);
    const [x, y, z] = STANDING.position;
    const swing = raised(t, 1) - raised(t, 0);
    const arm = (rest: Arm, forward: number): Arm => ({
      ...rest,
      pitch: rest.pitch - 0.16 * forward,
      roll: rest.roll + 0.08 * busy(t),
      elbow: rest.elbow - 0.2 * busy(t) - 0.08 * forward,
    });
    const stepping: Posture = {
      position: [x, y, z - 0.012 * busy(t)],
      rpy: [0.02 * side(t), 0.015 * busy(t), yaw],
      feet: [feet[0](t), feet[1](t)],
      // The trunk turns ahead of the feet.
      waist: 0.6 * (heading(t + 0.2) - yaw),
      arms: [arm(STANDING.arms[0], swing), arm(STANDING.arms[1], -swing)],
    };
    const shift = restY + 0.045 * side(t);
    return balanced(
      stepping,
      restX * Math.cos(yaw) - shift * Math.sin(yaw),
      restX * Math.sin(yaw) + shift * Math.cos(yaw),
    );
  };
  return { duration: DURATION, posture };
}
