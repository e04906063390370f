import { type BodyTree, pathTo } from '../../robots/kinematics/body-tree.ts';
import type { ModelJoint, PosedModel } from '../../robots/kinematics/posed-model.ts';

/** A chain of moving bodies from the trunk to the end of a limb. */
export interface Limb {
  readonly chain: readonly number[];
  readonly end: number;
  readonly isLeg: boolean;
}

export interface Limbs {
  /** left leg first; if there are more than two legs, in pairs from front to back */
  readonly legs: readonly Limb[];
  /** left limb first */
  readonly others: readonly Limb[];
}

/** Maximum height of a foot's lowest point above the robot's lowest point: the larger of `length`, m, and `share` times
 *  the root height. */
const FOOT_SLACK = { length: 0.03, share: 0.05 } as const;

/** Returns the maximum height of a foot above the robot's lowest point, m. @param rootHeight height of the root above
 *  that point, m */
export function footSlack(rootHeight: number): number {
  return Math.max(FOOT_SLACK.length, FOOT_SLACK.share * rootHeight);
}

/** Differences of height below this value are rounding errors, m. */
const ROUNDING = 1e-3;
const TOE_NAME = /toe/i;
const FOOT_NAME = /foot|ankle/i;
/** Names of bodies that are hands, or carry one. */
export const HAND_NAME = /hand|palm|wrist|gripper|tool|end_?effector/i;
/** Names of bodies at the end of a limb, from which fingers or sensors branch off. */
const END_NAME = new RegExp(`${HAND_NAME.source}|head`, 'i');
/** The continuation of a limb is at least this much heavier than a part of its drive. */
const SIDE_PART_RATIO = 5;
/** Legs start above this share of the root height. Toes and fingers branch off below it. */
const HIP_SHARE = 0.3;

/** Finds legs and other limbs in the model's current pose. A limb ends where fingers or toes branch off. A waist that
 *  carries both legs is part of neither leg.
 *  @param trunk the bodies from which limbs branch off; in the first call only the root */
export function findLimbs(posed: PosedModel, trunk: readonly number[]): Limbs {
  const { tree } = posed;
  const floor = posed.lowest();
  const rootHeight = posed.position(tree.root)[2] - floor;
  const highestFoot = floor + footSlack(rootHeight);
  const isFoot = (leaf: number) => posed.extent(solidEnd(posed, leaf), 2)[0] < highestFoot;
  const isHigh = (body: number) => posed.position(body)[2] - floor > HIP_SHARE * rootHeight;
  const limbs = trunk
    .flatMap((body) => tree.below.get(body)!)
    .filter((first) => !trunk.includes(first))
    .flatMap((first) => limbsBelow(first));
  const y = ({ end }: Limb) => posed.position(end)[1];
  const leftFirst = (list: Limb[]) => list.sort((a, b) => y(b) - y(a));
  const legs = limbs.filter(({ isLeg }) => isLeg);
  if (legs.length % 2 === 1) pairUp(legs);
  const others = limbs.filter((limb) => !legs.some(({ end }) => limb.chain.includes(end)));
  return { legs: legs.length <= 2 ? leftFirst(legs) : inPairs(legs), others: leftFirst(others) };

  function inPairs(list: Limb[]): Limb[] {
    const x = ({ end }: Limb) => posed.position(end)[0];
    const frontFirst = list.sort((a, b) => x(b) - x(a));
    return frontFirst.flatMap((_, k) => (k % 2 === 0 ? leftFirst(frontFirst.slice(k, k + 2)) : []));
  }

  /** Adds legs whose feet have no shape that reaches the floor. Such a leg has as many bodies after the branch as a leg
   *  that was found, and ends at the same height. */
  function pairUp(list: Limb[]): void {
    for (const twin of limbs.filter(({ isLeg }) => !isLeg)) {
      const branch = tree.above.get(twin.chain[0]!)!;
      const at = list.findIndex(({ chain }) => {
        const own = chain.slice(chain.indexOf(branch) + 1);
        const [one, other] = [posed.position(twin.end)[2], posed.position(own.at(-1) ?? twin.end)[2]];
        return own.length === twin.chain.length && Math.abs(one - other) < footSlack(rootHeight);
      });
      if (at < 0) continue;
      const { chain, ...leg } = list[at]!;
      list.splice(at, 1, { ...leg, chain: chain.slice(chain.indexOf(branch) + 1) });
      list.push(standing(posed, twin));
    }
  }

  function limbsBelow(first: number): Limb[] {
    const leaves = leavesBelow(tree, first);
    const feet = leaves.filter(isFoot);
    if (feet.length === 0) {
      const ends = leavesBelow(tree, first, (body) => isSidePart(posed, body));
      return [limb(tree, first, ends, false)];
    }
    const leg = limb(tree, first, feet, true);
    const beside = leg.chain.slice(0, -1).flatMap((body, k) => {
      const others = tree.below.get(body)!.filter((child) => child !== leg.chain[k + 1]);
      return others.flatMap((child) => limbsBelow(child));
    });
    if (!isWaist(leg, feet)) return [withoutHiddenEnd(posed, standing(posed, leg)), ...beside];
    return [...tree.below.get(leg.end)!.flatMap((child) => limbsBelow(child)), ...beside];
  }

  /** Returns whether the limb is a waist that branches into legs: its branch is high above the floor, and each leg is
   *  longer than the part above the branch. A foot that branches into toes is not a waist. */
  function isWaist({ chain, end }: Limb, feet: readonly number[]): boolean {
    if (feet.length < 2 || !tree.below.get(end)!.some(isHigh)) return false;
    const below = feet.map((foot) => pathTo(tree, foot)).map((path) => lengthOf(posed, path.slice(path.indexOf(end))));
    return Math.min(...below) > lengthOf(posed, chain);
  }
}

/** Returns the body itself if it has shapes, otherwise the nearest body above it that has shapes. Returns the body
 *  itself if no body below the root has shapes. */
function solidEnd(posed: PosedModel, leaf: number): number {
  for (let body = leaf; body !== posed.tree.root && body > 0; body = posed.tree.above.get(body)!)
    if (Number.isFinite(posed.extent(body, 2)[0])) return body;
  return leaf;
}

/** Ends a leg at its last body with shapes, because a robot cannot stand on a body without shapes. Excludes toes. */
function standing(posed: PosedModel, leg: Limb): Limb {
  const { names } = posed.tree;
  const at = leg.chain.indexOf(solidEnd(posed, leg.end));
  if (at < 0) return leg;
  const before = leg.chain[at - 1];
  const isToe =
    before !== undefined &&
    TOE_NAME.test(names[leg.chain[at]!]!) &&
    FOOT_NAME.test(names[before]!) &&
    Number.isFinite(posed.extent(before, 2)[0]);
  const chain = leg.chain.slice(0, isToe ? at : at + 1);
  return { ...leg, chain, end: chain.at(-1)! };
}

/** Ends a leg at the body before its end if that body reaches further down, such as a shape around a wheel. */
function withoutHiddenEnd(posed: PosedModel, leg: Limb): Limb {
  const low = (body: number) => posed.extent(body, 2)[0];
  const chain = [...leg.chain];
  while (chain.length > 1 && low(chain.at(-2)!) < low(chain.at(-1)!) - ROUNDING) chain.pop();
  return { ...leg, chain, end: chain.at(-1)! };
}

/** @param skips returns whether a body is left out */
function leavesBelow(tree: BodyTree, body: number, skips: (body: number) => boolean = () => false): number[] {
  const below = tree.below.get(body)!.filter((child) => !skips(child));
  return below.length === 0 ? [body] : below.flatMap((child) => leavesBelow(tree, child, skips));
}

/** Returns whether a body is a part of a limb's drive, such as a gear, and not a branch of the limb: nothing is attached
 *  to it, and the body beside it, through which the limb continues, carries much more. Parts of a hand or a head are
 *  never such parts. */
function isSidePart({ tree, model }: PosedModel, body: number): boolean {
  const branch = tree.above.get(body)!;
  const isEnd = (part: number) => tree.carrierOf[part] === branch && END_NAME.test(tree.names[part]!);
  if (tree.below.get(body)!.length > 0 || tree.names.some((_, part) => isEnd(part))) return false;
  const mass = (one: number): number => model.body_subtreemass[one];
  return tree.below.get(branch)!.some((beside) => mass(beside) > SIDE_PART_RATIO * mass(body));
}

/** Returns the length of the path along the origins of the bodies, m. */
export function lengthOf(posed: PosedModel, path: readonly number[]): number {
  return path.slice(1).reduce((sum, body, k) => sum + distance(posed, path[k]!, body), 0);
}

function limb(tree: BodyTree, first: number, leaves: readonly number[], isLeg: boolean): Limb {
  const paths = leaves.map((leaf) => pathTo(tree, leaf));
  const [shortest] = paths.toSorted((a, b) => a.length - b.length);
  const common = shortest!.filter((body, k) => paths.every((path) => path[k] === body));
  const chain = common.slice(common.indexOf(first));
  return { chain, end: chain.at(-1)!, isLeg };
}

/** Lists the joints of a limb from the trunk outwards. */
export function jointsOf(posed: PosedModel, { chain }: Limb): ModelJoint[] {
  return posed.joints
    .filter(({ body }) => chain.includes(body))
    .sort((a, b) => chain.indexOf(a.body) - chain.indexOf(b.body) || a.id - b.id);
}

const MIDDLE_NAME = /knee|elbow/i;

/** Finds the body after the middle joint of a limb (knee or elbow): by its name, otherwise the body closest to half of
 *  the limb's length. Returns undefined for a limb of two bodies.
 *  @param points bodies of the limb from the trunk outwards; may include a hand fixed to the last one */
export function middleOf(posed: PosedModel, points: readonly number[]): number | undefined {
  const inner = points.slice(1, -1);
  const named = inner.find((body) => MIDDLE_NAME.test(posed.tree.names[body]!));
  if (named !== undefined || inner.length === 0) return named;
  const along = [0];
  for (let k = 1; k < points.length; k++) along.push(along[k - 1]! + distance(posed, points[k - 1]!, points[k]!));
  const off = (body: number) => Math.abs(along[points.indexOf(body)]! - along.at(-1)! / 2);
  return inner.reduce((best, body) => (off(body) < off(best) ? body : best));
}

function distance(posed: PosedModel, first: number, second: number): number {
  const [a, b] = [posed.position(first), posed.position(second)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
