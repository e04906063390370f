import { conjugate, fromXyzw, multiply, toRotationVector } from '../../core/math/quaternion.ts';
import type { MotionNpz } from '../../formats/motion-npz.ts';
import { assign } from './assignment.ts';
import type { QuaternionOrder } from './body-layout.ts';

/** Frames that are looked at. */
const SAMPLES = 48;
/** Of a velocity's square, what it may differ from the pose's change that it belongs to: some files are smoothed. */
const BELONGS = 0.06;
/** From this share on a velocity is that of something else. */
const FOREIGN = 0.25;
/** (m/s)² or (rad/s)²: what stands still fits anywhere. */
const STILL = 1e-4;

/** Velocities of a converted clip that stand at other places than the poses which they belong to. */
export interface StrayVelocities {
  readonly arrays: 'joint_vel' | 'body_lin_vel_w' | 'body_ang_vel_w';
  /** the joint or body (place in the file) whose velocity is farthest off, and where the one that fits it stands */
  readonly place: number;
  readonly found: number;
}

/** Holds a converted clip's velocities against how its poses change: where they are off, and would all fit at other
 *  places, the file was put together of arrays in two orders. Training reads both by place.
 *  @param quaternions order in which the file holds them */
export function strayVelocities(motion: MotionNpz, quaternions: QuaternionOrder): StrayVelocities[] {
  const { frames, fps, joints, bodies, jointPos, jointVel, bodyPosW, bodyQuatW, bodyLinVelW, bodyAngVelW } = motion;
  if (frames < 3) return [];
  const count = Math.min(SAMPLES, frames - 2);
  const samples = Array.from({ length: count }, (_, k) => 1 + Math.floor(((k + 0.5) * (frames - 2)) / count));
  const change = (values: ArrayLike<number>, things: number, width: number) => (frame: number, thing: number) => {
    const ahead = ((frame + 1) * things + thing) * width;
    const behind = ((frame - 1) * things + thing) * width;
    return Array.from({ length: width }, (_, k) => ((values[ahead + k]! - values[behind + k]!) * fps) / 2);
  };
  const turn = (frame: number, body: number) => {
    const at = (of: number) => {
      const q = Array.from({ length: 4 }, (_, k) => bodyQuatW[4 * (of * bodies + body) + k]!);
      return quaternions === 'wxyz' ? q : fromXyzw([0, 0, 0, 0], q);
    };
    const between = multiply([0, 0, 0, 0], at(frame + 1), conjugate([0, 0, 0, 0], at(frame - 1)));
    return toRotationVector([0, 0, 0], between).map((value) => (value * fps) / 2);
  };
  const compared = [
    { arrays: 'joint_vel', things: joints, width: 1, values: jointVel, truth: change(jointPos, joints, 1) },
    { arrays: 'body_lin_vel_w', things: bodies, width: 3, values: bodyLinVelW, truth: change(bodyPosW, bodies, 3) },
    { arrays: 'body_ang_vel_w', things: bodies, width: 3, values: bodyAngVelW, truth: turn },
  ] as const;
  return compared.flatMap(({ arrays, things, width, values, truth }) => {
    const stray = compare(samples, things, width, values, truth);
    return stray ? [{ arrays, ...stray }] : [];
  });
}

/** @param truth of a frame and a thing, as many values as `width` */
function compare(
  samples: readonly number[],
  things: number,
  width: number,
  values: ArrayLike<number>,
  truth: (frame: number, thing: number) => readonly number[],
): { readonly place: number; readonly found: number } | null {
  const cost = Array.from({ length: things }, () => new Float64Array(things));
  const sizes = new Float64Array(things);
  for (const frame of samples)
    for (let thing = 0; thing < things; thing += 1) {
      const wanted = truth(frame, thing);
      for (const value of wanted) sizes[thing]! += value ** 2 / samples.length;
      for (let place = 0; place < things; place += 1)
        for (let k = 0; k < width; k += 1)
          cost[thing]![place]! += (values[(frame * things + place) * width + k]! - wanted[k]!) ** 2 / samples.length;
    }
  if (cost.some((row) => !row.every(Number.isFinite))) return null;
  const places = assign(cost);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fitting = places.reduce((sum, place, thing) => sum + cost[thing]![place]!, 0);
  if (!(fitting <= BELONGS * total)) return null;
  let worst: { readonly place: number; readonly found: number } | null = null;
  let most = 0;
  for (const [thing, found] of places.entries()) {
    const size = Math.max(sizes[thing]!, STILL);
    const own = cost[thing]![thing]!;
    if (own < FOREIGN * size || own <= most || cost[thing]![found]! > BELONGS * size) continue;
    most = own;
    worst = { place: thing, found };
  }
  return worst;
}
