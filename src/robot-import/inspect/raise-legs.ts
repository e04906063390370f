import { dot } from '../../core/math/vector.ts';
import { type ModelJoint, type PosedModel, withinRange } from '../../robots/kinematics/posed-model.ts';
import { findLimbs, jointsOf, type Limb } from './limbs.ts';

/** Number of angles per joint in the first search, and in the finer searches around the best angle. */
const COARSE = 25;
const FINE_ROUNDS = 6;
/** Share of its largest reach that a leg uses in the suggested pose, so that it can both stretch and bend. */
const STRETCH = 0.8;
/** Limbs whose downward reach is less than this share of that of the longest limb are not legs. */
const LEG_SHARE = 0.6;
/** A joint whose axis has at least this component along world z turns a limb about the vertical. */
const YAW = 0.7;
/** Axes are parallel if the cosine of the angle between them is at least this value. */
const PARALLEL = 0.9;
/** Limbs with such a body are arms. If there are more, the robot walks on them. */
const ARM_NAME = /arm(?!ature)|hand|gripper|finger|wrist/i;
const MOST_ARMS = 2;
/** Weights of the horizontal distance of a foot from its hip: for robots with up to four legs, and for robots with more
 *  legs, which stand wide. */
const WIDE = { few: 1, many: 0.15 } as const;
/** Weight of the joint angles, 1/rad². */
const BENT = 0.01;

/** A limb with the two joints that bend it. */
interface Bendable {
  readonly limb: Limb;
  readonly joints: readonly [ModelJoint, ModelJoint];
}

/** Bends all legs of a robot that lies flat so that it stands on its legs. Tries the angles of the first two parallel
 *  joints of each limb. Arms keep their pose. Leaves `posed` in an arbitrary pose.
 *  @param now the current pose, rad or m by joint name
 *  @returns null if fewer than two limbs can lift the root */
export function raiseLegs(
  posed: PosedModel,
  now: ReadonlyMap<string, number>,
): { readonly joints: ReadonlyMap<string, number>; readonly reason: string } | null {
  posed.pose(now);
  const { legs, others } = findLimbs(posed, [posed.tree.root]);
  const isArm = ({ chain }: Limb) => chain.some((body) => ARM_NAME.test(posed.tree.names[body]!));
  const hasArms = others.filter(isArm).length <= MOST_ARMS;
  const able = [...legs, ...others.filter((limb) => !hasArms || !isArm(limb))];
  const limbs = able.flatMap((limb) => bendable(posed, limb));
  if (limbs.length < 2) return null;
  const tried = new Map<Bendable, Trial[]>(limbs.map((limb) => [limb, []]));
  const values = limbs.map(({ joints }) => joints.map(angles));
  for (let i = 0; i < COARSE; i++) {
    for (let k = 0; k < COARSE; k++) {
      const bends = values.map(([first, second]) => [first![i]!, second![k]!] as const);
      for (const [limb, trial] of tryBends(posed, now, limbs, bends)) tried.get(limb)!.push(trial);
    }
  }
  const reachOf = (limb: Bendable) => Math.max(...tried.get(limb)!.map(({ drop }) => drop));
  const longest = Math.max(...limbs.map(reachOf));
  if (!(longest > 0)) return null;
  const standing = limbs.filter((limb) => reachOf(limb) >= LEG_SHARE * longest);
  const floor = Math.max(...standing.map((limb) => tried.get(limb)![0]!.hip - STRETCH * reachOf(limb)));
  const wide = standing.length > 4 ? WIDE.many : WIDE.few;
  const cost = (limb: Bendable, { low, offset, bend }: Trial): number => {
    const reach = reachOf(limb);
    return 4 * ((low - floor) / reach) ** 2 + wide * (offset / reach) ** 2 + BENT * (bend[0] ** 2 + bend[1] ** 2);
  };
  const best = new Map(
    standing.map((limb) => [limb, tried.get(limb)!.reduce((a, b) => (cost(limb, b) < cost(limb, a) ? b : a))]),
  );
  refine(posed, now, best, cost);
  const joints = new Map(now);
  for (const [{ joints: pair }, { bend }] of best)
    for (const [k, { name }] of pair.entries()) joints.set(name, Number(bend[k]!.toFixed(4)));
  posed.pose(joints);
  const height = posed.position(posed.tree.root)[2] - posed.lowest();
  return {
    joints,
    reason: `${standing.length} limbs bent to stand with the root ${height.toFixed(2)} m above the floor, because the robot lay flat`,
  };
}

/** A limb in one pose. Lengths in m. */
interface Trial {
  readonly bend: readonly [number, number];
  /** heights of the first joint and of the lowest point of the limb's end */
  readonly hip: number;
  readonly low: number;
  readonly drop: number;
  /** horizontal distance from the first joint to the end */
  readonly offset: number;
}

function tryBends(
  posed: PosedModel,
  now: ReadonlyMap<string, number>,
  limbs: readonly Bendable[],
  bends: readonly (readonly [number, number])[],
): (readonly [Bendable, Trial])[] {
  const joints = new Map(now);
  limbs.forEach(({ joints: pair }, at) => {
    for (const [k, { name }] of pair.entries()) joints.set(name, bends[at]![k]!);
  });
  posed.pose(joints);
  return limbs.map((limb, at) => {
    const { end } = limb.limb;
    const [x, y, hip] = posed.anchor(limb.joints[0]);
    const [low] = posed.extent(end, 2);
    const [ex, ey, ez] = posed.position(end);
    const lowest = Number.isFinite(low) ? low : ez;
    const [x0, x1] = posed.extent(end, 0);
    const [y0, y1] = posed.extent(end, 1);
    const middle = Number.isFinite(low) ? [(x0 + x1) / 2, (y0 + y1) / 2] : [ex, ey];
    const offset = Math.hypot(middle[0]! - x, middle[1]! - y);
    return [limb, { bend: bends[at]!, hip, low: lowest, drop: hip - lowest, offset }] as const;
  });
}

function refine(
  posed: PosedModel,
  now: ReadonlyMap<string, number>,
  best: Map<Bendable, Trial>,
  cost: (limb: Bendable, trial: Trial) => number,
): void {
  const limbs = [...best.keys()];
  const steps = limbs.map(({ joints }) => joints.map((joint) => angles(joint)[1]! - angles(joint)[0]!));
  for (let round = 1; round <= FINE_ROUNDS; round++) {
    for (let direction = 0; direction < 9; direction++) {
      const way = [(direction % 3) - 1, Math.floor(direction / 3) - 1];
      const bends = limbs.map(({ joints }, at) => {
        const moved = joints.map((joint, k) =>
          withinRange(joint, best.get(limbs[at]!)!.bend[k]! + (way[k]! * steps[at]![k]!) / 2 ** round),
        );
        return moved as unknown as readonly [number, number];
      });
      for (const [limb, trial] of tryBends(posed, now, limbs, bends))
        if (cost(limb, trial) < cost(limb, best.get(limb)!)) best.set(limb, trial);
    }
  }
}

/** Finds the first two neighbouring hinges of a limb with parallel axes that do not point upwards. */
function bendable(posed: PosedModel, limb: Limb): Bendable[] {
  const hinges = jointsOf(posed, limb).filter(
    (joint) => joint.type === 'hinge' && Math.abs(posed.axis(joint)[2]) < YAW,
  );
  for (let k = 1; k < hinges.length; k++) {
    const [first, second] = [hinges[k - 1]!, hinges[k]!];
    if (Math.abs(dot(posed.axis(first), posed.axis(second))) > PARALLEL) return [{ limb, joints: [first, second] }];
  }
  return [];
}

/** Lists evenly spaced angles within the range of a joint and within ±π, rad. */
function angles({ lower, upper }: ModelJoint): number[] {
  const from = Math.max(lower ?? -Math.PI, -Math.PI);
  const to = Math.min(upper ?? Math.PI, Math.PI);
  return Array.from({ length: COARSE }, (_, k) => from + ((to - from) * k) / (COARSE - 1));
}
