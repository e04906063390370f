import type { ClipRobot } from '../../motion/clip-robot.ts';
import { otherSide, sideOf } from '../../protocol/part-sides.ts';

/** A joint or body order that occurs in files. */
export interface KnownOrder {
  /** name for messages, such as `breadth-first (Isaac, PhysX)` */
  readonly name: string;
  /** permutation: `order[place]` is the index of the robot's joint (or body) in column `place` of the file */
  readonly order: readonly number[];
  /** from 0 (written by simulators) to 5 (not known to be written by any program) */
  readonly rarity: number;
}

/** Maximum number of limbs for which all sequences are tried. */
const MOST_LIMBS = 6;
/** Maximum number of pairs of limbs that are arranged independently: each pair multiplies the number of orders by 4.
 *  Two hands with five fingers have 5 pairs. */
const MOST_PAIRS = 3;
const AXES = ['pitch', 'roll', 'yaw'] as const;
const AXIS_ORDERS = permutations([0, 1, 2]).map((axes) => axes.map((axis) => AXES[axis]!));

/** Caches the orders for the robots of this thread. Each robot has hundreds of orders, which never change. */
const usual = new WeakMap<ClipRobot, readonly KnownOrder[]>();
const odd = new WeakMap<ClipRobot, readonly KnownOrder[]>();

function kept(
  of: WeakMap<ClipRobot, readonly KnownOrder[]>,
  robot: ClipRobot,
  make: (robot: ClipRobot) => readonly KnownOrder[],
): readonly KnownOrder[] {
  const orders = of.get(robot) ?? make(robot);
  of.set(robot, orders);
  return orders;
}

/** Returns the known orders of the robot's bodies (without the world). The robot's own order comes first. */
export function bodyOrders({ facts }: ClipRobot): KnownOrder[] {
  const parents = facts.bodies.map((body) => body.parent);
  const names = facts.bodies.map((body) => body.name);
  return distinct([
    { name: 'the robot’s own', order: parents.map((_, index) => index), rarity: 0 },
    { name: 'breadth-first (Isaac, PhysX)', order: breadthFirst(parents, (a, b) => a - b), rarity: 0 },
    { name: 'breadth-first by name', order: breadthFirst(parents, byName(names)), rarity: 0 },
    { name: 'depth-first by name', order: depthFirst(parents, byName(names)), rarity: 0 },
    { name: 'alphabetical', order: [0, ...range(names.length).slice(1).sort(byName(names))], rarity: 0 },
    { name: 'alphabetical', order: range(names.length).sort(byName(names)), rarity: 0 },
  ]);
}

/** Returns the usual orders of the robot's joints. The robot's own order comes first. */
export function jointOrders(robot: ClipRobot): readonly KnownOrder[] {
  return kept(usual, robot, usualJointOrders);
}

function usualJointOrders(robot: ClipRobot): KnownOrder[] {
  const { facts } = robot;
  const names = facts.joints.map((joint) => joint.name);
  const own = range(names.length);
  const chains = limbChains(robot);
  const swaps = pairedLimbs(robot);
  return distinct([
    { name: 'the robot’s own', order: own, rarity: 0 },
    ...bodyOrders(robot).map(({ name, order }) => ({ name, order: jointsOfBodies(robot, order), rarity: 0 })),
    { name: 'alphabetical', order: [...own].sort(byName(names)), rarity: 0 },
    ...interleaved(names).map((order) => ({ name: 'left-and-right-in-turn', order, rarity: 1 })),
    { name: 'reversed', order: [...own].reverse(), rarity: 1 },
    { name: 'right-before-left', order: own.map((joint) => partnerOf(names, joint)), rarity: 1 },
    { name: 'ends-of-limbs-first', order: chains.flatMap((chain) => [...chain].reverse()), rarity: 1 },
    ...AXIS_ORDERS.map((axes) => ({
      name: axes.join('-'),
      order: chains.flatMap((chain) => axesSorted(names, chain, axes)),
      rarity: 1,
    })),
    ...sides(swaps).map((order) => ({ name: 'limb-by-limb', order: order.flat(), rarity: 2 })),
  ]);
}

/** Returns unusual orders of the robot's joints for a search. They combine every sequence of limbs, alternating or
 *  consecutive sides, and every order of the axes. */
export function oddJointOrders(robot: ClipRobot): readonly KnownOrder[] {
  return kept(odd, robot, allOddJointOrders);
}

function allOddJointOrders(robot: ClipRobot): KnownOrder[] {
  const names = robot.facts.joints.map((joint) => joint.name);
  const chains = limbChains(robot);
  if (chains.length > MOST_LIMBS) return [];
  const pairs = pairedLimbs(robot);
  return distinct(
    [null, ...AXIS_ORDERS].flatMap((axes) => {
      const name = `limb-by-limb${axes ? ` ${axes.join('-')}` : ''}`;
      const sorted = (chain: readonly number[]) => (axes ? axesSorted(names, chain, axes) : chain);
      const more = axes ? 1 : 0;
      return [
        ...permutations(range(pairs.length)).flatMap((sequence) =>
          sides(sequence.map((pair) => pairs[pair]!.map(sorted))).map((parts) => ({
            ...{ name, order: parts.flat(), rarity: 3 + more },
          })),
        ),
        ...permutations(range(chains.length)).map((sequence) => ({
          ...{ name, order: sequence.flatMap((limb) => sorted(chains[limb]!)), rarity: 4 + more },
        })),
      ];
    }),
  );
}

/** Pairs each limb with its counterpart on the other side, in the robot's order. Each entry contains one chain of
 *  joints, or two mirrored chains. */
function pairedLimbs(robot: ClipRobot): (readonly number[])[][] {
  const names = robot.facts.joints.map((joint) => joint.name);
  const chains = limbChains(robot);
  const taken = new Set<number>();
  return chains.flatMap((chain, limb) => {
    if (taken.has(limb)) return [];
    const mirrored = chain.map((joint) => partnerOf(names, joint)).join();
    const other = chains.findIndex((candidate, index) => index !== limb && candidate.join() === mirrored);
    if (other < 0) return [[chain]];
    taken.add(other);
    return [[chain, chains[other]!]];
  });
}

/** Returns the combinations of arranging each pair: in the given order, the other side first, or alternating, starting
 *  with either side. With more than `MOST_PAIRS` pairs, all pairs are arranged in the same way. */
function sides(pairs: readonly (readonly (readonly number[])[])[]): number[][][] {
  const ways = pairs.map(([first, second]) =>
    second
      ? [[...first!, ...second], [...second, ...first!], inTurn(first!, second), inTurn(second, first!)]
      : [[...first!]],
  );
  if (ways.filter((own) => own.length > 1).length > MOST_PAIRS)
    return range(4).map((way) => ways.map((own) => own[way] ?? own[0]!));
  return ways.reduce<number[][][]>((heads, own) => heads.flatMap((head) => own.map((way) => [...head, way])), [[]]);
}

function inTurn(first: readonly number[], second: readonly number[]): number[] {
  return first.flatMap((joint, index) => [joint, second[index]!]);
}

/** Returns the joints in the order of Isaac Lab: breadth-first, siblings in the order of the model.
 *  @returns permutation; at each place the index of the robot's joint */
export function breadthFirstJoints(robot: ClipRobot): number[] {
  const parents = robot.facts.bodies.map((body) => body.parent);
  return jointsOfBodies(
    robot,
    breadthFirst(parents, (a, b) => a - b),
  );
}

/** Returns, for each joint, the index of the body (without the world) that the joint moves. */
export function bodyOfJoint({ model, facts }: ClipRobot): number[] {
  return facts.joints.map((_, index): number => model.jnt_bodyid[index + 1] - 1);
}

function jointsOfBodies(robot: ClipRobot, bodies: readonly number[]): number[] {
  const moved = bodyOfJoint(robot);
  return bodies.flatMap((body) => moved.flatMap((other, joint) => (other === body ? [joint] : [])));
}

/** Groups joints by limb. A limb is a sequence in the robot's own order in which each joint is a descendant of the
 *  previous one. */
function limbChains(robot: ClipRobot): number[][] {
  const moved = bodyOfJoint(robot);
  const chains: number[][] = [];
  for (const [joint, body] of moved.entries()) {
    const last = chains.at(-1);
    const above = last ? moved[last.at(-1)!]! : -1;
    if (last && hangsOn(robot, body, above)) last.push(joint);
    else chains.push([joint]);
  }
  return chains;
}

function hangsOn({ facts }: ClipRobot, body: number, above: number): boolean {
  const siblings = facts.bodies.filter((other) => other.parent === above).length;
  // At a branch of the kinematic tree, each limb begins a new chain.
  for (let at = body; at >= 0; at = facts.bodies[at]!.parent)
    if (facts.bodies[at]!.parent === above) return siblings === 1 || above === body;
    else if (at === above) return true;
  return false;
}

/** Sorts neighbouring joints whose names differ only in the axis (`hip_pitch`, `hip_roll`, `hip_yaw`) by the order
 *  of `axes`. */
function axesSorted(names: readonly string[], chain: readonly number[], axes: readonly string[]): number[] {
  const stem = (joint: number) => names[joint]!.replace(/(pitch|roll|yaw)/, '*');
  const rank = (joint: number) => axes.findIndex((axis) => names[joint]!.includes(axis));
  const out: number[] = [];
  for (let at = 0; at < chain.length; ) {
    let end = at + 1;
    while (end < chain.length && stem(chain[end]!) === stem(chain[at]!)) end++;
    out.push(...chain.slice(at, end).sort((a, b) => rank(a) - rank(b)));
    at = end;
  }
  return out;
}

/** Returns orders in which left and right joints alternate. Joints without a side keep their places, or come first
 *  or last. */
function interleaved(names: readonly string[]): number[][] {
  const own = range(names.length);
  const paired = (joint: number) => partnerOf(names, joint) !== joint;
  const isLeft = (joint: number) => sideOf(names[joint]!, names) === 'left';
  const pairs = own
    .filter((joint) => paired(joint) && isLeft(joint))
    .flatMap((joint) => [joint, partnerOf(names, joint)]);
  const single = own.filter((joint) => !paired(joint));
  const inPlace = own.flatMap((joint) =>
    !paired(joint) ? [joint] : isLeft(joint) ? [joint, partnerOf(names, joint)] : [],
  );
  const orders = [inPlace, [...single, ...pairs], [...pairs, ...single]];
  const mirrored = orders.map((order) => order.map((joint) => partnerOf(names, joint)));
  return [...orders, ...mirrored].filter((order) => order.length === names.length);
}

/** Returns the joint on the other side, or the joint itself if there is no counterpart. */
function partnerOf(names: readonly string[], joint: number): number {
  const index = names.indexOf(otherSide(names[joint]!, names) ?? '');
  return index < 0 ? joint : index;
}

function breadthFirst(parents: readonly number[], sort: (a: number, b: number) => number): number[] {
  const out: number[] = [];
  let level = childrenOf(parents, -1, sort);
  while (level.length > 0) {
    out.push(...level);
    level = level.flatMap((body) => childrenOf(parents, body, sort));
  }
  return out;
}

function depthFirst(parents: readonly number[], sort: (a: number, b: number) => number): number[] {
  const visit = (body: number): number[] => [body, ...childrenOf(parents, body, sort).flatMap(visit)];
  return childrenOf(parents, -1, sort).flatMap(visit);
}

function childrenOf(parents: readonly number[], of: number, sort: (a: number, b: number) => number): number[] {
  return range(parents.length)
    .filter((body) => parents[body] === of)
    .sort(sort);
}

function byName(names: readonly string[]) {
  return (a: number, b: number) => (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : 0);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) =>
    permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  );
}

/** Removes duplicate orders. The first name of each order is kept. */
function distinct(orders: readonly KnownOrder[]): KnownOrder[] {
  const seen = new Map<string, KnownOrder>();
  for (const known of orders) {
    const key = known.order.join();
    if (!seen.has(key)) seen.set(key, known);
  }
  return [...seen.values()];
}
