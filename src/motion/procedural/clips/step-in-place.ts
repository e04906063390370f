import { bump, envelope, smoothed } from '../curves.ts';
import { footTrack, type Print, type Swing } from '../foot-track.ts';
import { type Arm, balanced, centreOfMass, type Posture, STANDING } from '../posture.ts';

const START = 0.8;
/** time from one lift-off to the next, s */
const STEP = 0.6;
const STEPS = 8;
/** time in each step with both feet on the floor, s */
const BOTH = 0.2;
const END = START + STEPS * STEP;
const DURATION = END + 0.9;

/** Generates a clip with eight steps on the spot, left foot first, with high knees and swinging arms. */
export function stepInPlace(): { readonly duration: number; readonly posture: (t: number) => Posture } {
  const [restX, restY] = centreOfMass(STANDING);
  const prints = STANDING.feet.map(({ x, y }): Print => ({ x, y, yaw: 0 }));
  const swings = Array.from({ length: STEPS }, (_, k) => {
    const start = START + k * STEP + BOTH / 2;
    const swing: Swing = {
      start,
      end: start + STEP - BOTH,
      to: prints[k % 2]!,
      lift: 0.085,
      push: 0.3,
      before: 0.16,
      strike: 0,
    };
    return swing;
  });
  const tracks = prints.map((print, side) =>
    footTrack(
      print,
      swings.filter((_, k) => k % 2 === side),
    ),
  );
  /** +1 when the weight is over the left foot, −1 over the right foot */
  const side = smoothed(
    [
      [START - 0.15, 0],
      ...swings.map(({ start, end }, k): [number, number] => [(start + end) / 2, k % 2 === 0 ? -1 : 1]),
      [END + 0.3, 0],
    ],
    0.3,
  );
  const busy = envelope(START - 0.4, END + 0.4, 0.7);
  const raised = (t: number, foot: number) =>
    swings.reduce(
      (sum, { start, end }, k) => (k % 2 === foot ? sum + bump((t - start + 0.05) / (end - start + 0.1)) : sum),
      0,
    );
  const posture = (t: number): Posture => {
    const [x, y, z] = STANDING.position;
    const [leftUp, rightUp] = [raised(t, 0), raised(t, 1)];
    const arm = (rest: Arm, forward: number): Arm => ({
      ...rest,
      pitch: rest.pitch - 0.45 * forward,
      elbow: rest.elbow - busy(t) * 0.35 - 0.3 * Math.max(0, forward),
    });
    const stepping: Posture = {
      position: [x, y, z - 0.012 * busy(t)],
      rpy: [0.025 * side(t), 0.02 * busy(t), 0.05 * (rightUp - leftUp)],
      feet: [tracks[0]!(t), tracks[1]!(t)],
      waist: -0.1 * (rightUp - leftUp),
      arms: [arm(STANDING.arms[0], rightUp - leftUp), arm(STANDING.arms[1], leftUp - rightUp)],
    };
    return balanced(stepping, restX, restY + 0.05 * side(t));
  };
  return { duration: DURATION, posture };
}
