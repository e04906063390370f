import { bump, envelope, smoothed } from '../curves.ts';
import { footTrack, type Print, type Swing } from '../foot-track.ts';
import { type Arm, type Posture, STANDING } from '../posture.ts';

const START = 0.8;
/** time from one heel strike to the next, s */
const STEP = 0.56;
/** time in each step with both feet on the floor, s */
const BOTH = 0.13;
const STEPS = 9;
/** length of a step between successive footprints, m, and distance of a footprint from the midline, m */
const LENGTH = 0.3;
const NARROW = 0.07;
const END = START + STEPS * STEP;
const DURATION = END + 1;

type Knot = [t: number, value: number];

/** Generates a clip that starts from standing, makes nine steps with heel strike and toe-off, and ends standing: 2.4 m
 *  at 0.54 m/s. Pelvis and shoulders rotate in opposite directions, and the arms swing with the opposite legs. */
export function walkForward(): { readonly duration: number; readonly posture: (t: number) => Posture } {
  const [left, right] = STANDING.feet;
  const footX = left.x;
  const total = (STEPS - 1) * LENGTH;
  const swings = Array.from({ length: STEPS }, (_, k): Swing => {
    const last = k === STEPS - 1;
    const x = footX + Math.min((k + 1) * LENGTH, total);
    // The last two steps return to the distance between the feet in standing.
    const width = k >= STEPS - 2 ? left.y : NARROW;
    return {
      start: START + k * STEP + BOTH,
      end: START + (k + 1) * STEP,
      to: { x, y: k % 2 === 0 ? width : -width, yaw: 0 },
      lift: k === 0 || last ? 0.03 : 0.022,
      push: k === 0 ? 0.25 : last ? 0.4 : 0.55,
      before: k === 0 ? 0.2 : 0.27,
      strike: last ? 0 : 0.24,
      after: 0.12,
    };
  });
  const track = (side: number) => {
    const print: Print = { x: footX, y: side === 0 ? left.y : right.y, yaw: 0 };
    return footTrack(
      print,
      swings.filter((_, k) => k % 2 === side),
    );
  };
  const feet = [track(0), track(1)] as const;
  const strikes = swings.map(({ end }, k): Knot => [end, k % 2 === 0 ? 1 : -1]);
  const middles = swings.map(({ start, end }, k): Knot => [(start + end) / 2, k % 2 === 0 ? -1 : 1]);

  const advance = smoothed(
    [
      [START + 0.05, 0],
      ...swings.map(({ end }, k): Knot => [end, Math.min((k + 0.5) * LENGTH, total)]),
      [END + 0.3, total],
    ],
    0.32,
  );
  /** +1 while only the left foot is on the floor, −1 while only the right foot is */
  const side = smoothed([[START - 0.25, 0], ...middles, [END + 0.35, 0]], 0.26);
  /** +1 when the left foot lands in front, −1 when the right foot does */
  const stride = smoothed([[START, 0], ...strikes.slice(0, -1), [END + 0.2, 0]], 0.3);
  const walking = envelope(START - 0.35, END + 0.45, 0.8);
  const rise = (t: number) =>
    swings.reduce((sum, { start, end }) => sum + bump((t - start + BOTH / 2) / (end - start + BOTH)), 0);

  const posture = (t: number): Posture => {
    const go = walking(t);
    const forward = stride(t);
    const shoulders = stride(t - 0.05);
    const arm = (rest: Arm, swing: number): Arm => ({
      ...rest,
      pitch: rest.pitch - 0.42 * swing,
      roll: rest.roll - 0.04 * go,
      elbow: rest.elbow - 0.12 * go - 0.3 * Math.max(0, swing) ** 2,
    });
    const [x, y, z] = STANDING.position;
    return {
      position: [x + advance(t), y + 0.034 * side(t), z - go * (0.026 - 0.013 * rise(t))],
      rpy: [0.04 * side(t), 0.035 * go, -0.13 * forward],
      feet: [feet[0](t), feet[1](t)],
      waist: 0.26 * forward,
      arms: [arm(STANDING.arms[0], -shoulders), arm(STANDING.arms[1], shoulders)],
    };
  };
  return { duration: DURATION, posture };
}
