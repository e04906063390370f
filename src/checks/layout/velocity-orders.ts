import { conjugate, fromXyzw, multiply, toRotationVector } from '../../core/math/quaternion.ts';
import type { MotionNpz } from '../../formats/motion-npz.ts';
import { assign } from './assignment.ts';
import type { QuaternionOrder } from './body-layout.ts';

/** Maximum number of frames that are compared. */
const SAMPLES = 48;
/** Maximum error of velocities at their right places, as a share of the mean square change of all poses. Some files
 *  have smoothed velocities. */
const BELONGS = 0.06;
/** Items that exchange places must together reduce their error to this share. Items that do not move, or move in the
 *  same way, fit at any place; noise then decides between their places. */
const GAIN = 0.25;
/** Error below which differences are noise, (m/s)² or (rad/s)². */
const NOISE = 1e-4;

/** Velocities of a converted clip that are not at the places of their poses. */
export interface StrayVelocities {
  readonly arrays: 'joint_vel' | 'body_lin_vel_w' | 'body_ang_vel_w';
  /** place in the file of the joint or body whose velocity has the largest error, and place of the velocity that
   *  fits */
  readonly place: number;
  readonly found: number;
}

interface Compared {
  readonly arrays: StrayVelocities['arrays'];
  readonly things: number;
  /** number of values per velocity */
  readonly width: number;
  /** (frames, items, width) velocities in the order of the file */
  readonly values: ArrayLike<number>;
  /** rate of change of an item's pose at a frame, from the neighbouring frames */
  readonly change: (frame: number, thing: number) => readonly number[];
}

/** Compares a converted clip's velocities with the change of its poses. If the velocities are wrong, but all of them
 *  would fit at other places, the poses and the velocities of the file are in different orders. Training reads both
 *  arrays by position. @param quaternions order of the quaternions in the file */
export function strayVelocities(motion: MotionNpz, quaternions: QuaternionOrder): StrayVelocities[] {
  const { frames, fps, joints, bodies, jointPos, jointVel, bodyPosW, bodyQuatW, bodyLinVelW, bodyAngVelW } = motion;
  if (frames < 3) return [];
  const count = Math.min(SAMPLES, frames - 2);
  const samples = Array.from({ length: count }, (_, k) => 1 + Math.floor(((k + 0.5) * (frames - 2)) / count));
  const difference = (values: ArrayLike<number>, things: number, width: number) => (frame: number, thing: number) => {
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
  const ofBodies = { things: bodies, width: 3 };
  const compared: readonly Compared[] = [
    { arrays: 'joint_vel', things: joints, width: 1, values: jointVel, change: difference(jointPos, joints, 1) },
    { arrays: 'body_lin_vel_w', ...ofBodies, values: bodyLinVelW, change: difference(bodyPosW, bodies, 3) },
    { arrays: 'body_ang_vel_w', ...ofBodies, values: bodyAngVelW, change: turn },
  ];
  return compared.flatMap((one) => strayOf(samples, one));
}

function strayOf(samples: readonly number[], compared: Compared): StrayVelocities[] {
  const { cost, size } = costsOf(samples, compared);
  const places = assign(cost);
  const sum = (things: readonly number[], of: (thing: number) => number) =>
    things.reduce((all, thing) => all + cost[thing]![of(thing)]!, 0);
  const own = (thing: number) => thing;
  const found = (thing: number) => places[thing]!;
  if (!(sum([...places.keys()], found) <= BELONGS * size)) return [];
  const stray = cyclesOf(places).filter(
    (cycle) => sum(cycle, own) > NOISE * cycle.length && sum(cycle, found) <= GAIN * sum(cycle, own),
  );
  const [place] = stray.flat().sort((a, b) => cost[b]![b]! - cost[a]![a]!);
  return place === undefined ? [] : [{ arrays: compared.arrays, place, found: places[place]! }];
}

/** Computes mean squares over the frames whose numbers are all finite.
 *  @returns `cost`: `cost[thing][place]`, the difference between an item's change and the velocity at a place;
 *  `size`: the sum of the squared changes */
function costsOf(samples: readonly number[], { things, width, values, change }: Compared) {
  const cost = Array.from({ length: things }, () => new Float64Array(things));
  let size = 0;
  for (const frame of samples) {
    const changes = Array.from({ length: things }, (_, thing) => change(frame, thing));
    const at = frame * things * width;
    const velocities = Array.from({ length: things * width }, (_, k) => values[at + k]!);
    if (!velocities.every(Number.isFinite) || !changes.flat().every(Number.isFinite)) continue;
    for (const [thing, wanted] of changes.entries()) {
      for (const value of wanted) size += value ** 2 / samples.length;
      for (let place = 0; place < things; place += 1)
        for (let k = 0; k < width; k += 1)
          cost[thing]![place]! += (velocities[place * width + k]! - wanted[k]!) ** 2 / samples.length;
    }
  }
  return { cost, size };
}

/** Returns the groups of items that exchange places with each other, without items that keep their place. */
function cyclesOf(places: readonly number[]): number[][] {
  const seen = new Set<number>();
  return [...places.keys()].flatMap((first) => {
    const cycle: number[] = [];
    for (let thing = first; !seen.has(thing); thing = places[thing]!) {
      seen.add(thing);
      cycle.push(thing);
    }
    return cycle.length > 1 ? [cycle] : [];
  });
}
