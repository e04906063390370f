import type { Wiring } from '../../protocol/schemas/robots.ts';
import { pathTo } from '../../robots/kinematics/body-tree.ts';
import type { PosedModel } from '../../robots/kinematics/posed-model.ts';
import { findLimbs, footSlack, HAND_NAME, type Limb, type Limbs, middleOf } from './limbs.ts';

const TRUNK_NAME = /torso|chest|trunk|base_?link|spine|upper_?body/i;
/** Limbs whose end has such a name are not tracked. */
const MINOR_NAME = /head|neck|camera|lidar|mid360|d435|imu|antenna|tail/i;
const FOOT_NAME = /foot|toe|sole/i;
const FOOT_END_NAME = /foot|toe|sole|ankle/i;
/** Smallest number of joints of an arm. One less is enough if the arm ends with fingers. */
const LIMB_JOINTS = 3;
/** A body that carries less than this share of the mass is a hand, not part of the trunk. */
const TRUNK_SHARE = 0.15;

export interface WiringSuggestion {
  readonly wiring: Wiring;
  readonly endEffectors: readonly string[];
  readonly limbs: Limbs;
  readonly reasons: { readonly anchor: string; readonly keybodies: string; readonly feet: string };
  readonly warnings: readonly string[];
}

/** Suggests the bodies that training tracks, from the body tree and the geometry in the current pose. Names decide
 *  between equal candidates. */
export function suggestWiring(posed: PosedModel): WiringSuggestion {
  const { tree } = posed;
  const anchor = suggestAnchor(posed);
  const trunk = pathTo(tree, anchor.body);
  const limbs = findLimbs(posed, trunk);
  const arms = limbs.others.filter((limb) => isTracked(posed, limb));
  const left = limbs.others.filter((limb) => !arms.includes(limb));
  const legKeys = limbs.legs.map((leg) => keyBodies(posed, leg));
  const armKeys = arms.map((arm) => keyBodies(posed, arm));
  const hips = limbs.legs.map(({ chain }) => tree.above.get(chain[0]!)!);
  const standing = limbs.legs.length > 0 ? limbs.legs.map((leg) => tipOf(posed, leg)) : standingBase(posed);
  const keybodies = [...new Set([tree.root, ...hips, ...legKeys.flat(), ...standing, anchor.body, ...armKeys.flat()])];
  const names = (bodies: readonly number[]) => bodies.map((body) => tree.names[body]!);
  const feet = names(standing);
  const hands = names(armKeys.map((keys) => keys.at(-1)!));
  const slackCm = (100 * footSlack(posed.position(tree.root)[2] - posed.lowest())).toFixed(1);
  return {
    wiring: { anchor: tree.names[anchor.body]!, keybodies: names(keybodies), feet },
    endEffectors: [...feet, ...hands],
    limbs,
    reasons: {
      anchor: anchor.reason,
      keybodies:
        `root, anchor and the body that carries the legs, and of each of ${limbs.legs.length} legs and ${arms.length} arms the second body, ` +
        `the middle joint (knee, elbow) and the end${left.length > 0 ? `; not tracked: ${names(left.map(({ end }) => end)).join(', ')}` : ''}`,
      feet:
        limbs.legs.length > 0
          ? `ends of the chains that reach within ${slackCm} cm of the lowest point in the default pose, left first`
          : `no chain of joints ends at the lowest point of the robot${feet.length > 0 ? ', so it stands on its base' : ''}`,
    },
    warnings: [
      ...(feet.length < 2 ? [fewFeet(posed, limbs, feet)] : []),
      ...(feet.some((name) => name === '')
        ? ['bodies without a name cannot be wired: name them in the model file']
        : []),
    ],
  };
}

function fewFeet(posed: PosedModel, { legs }: Limbs, feet: readonly string[]): string {
  return legs.length === 0 && feet.length > 0
    ? `no legs found: the robot stands on ${feet.join()}, which is wired as its foot. If it has legs, name the feet in the wiring, left first`
    : `${feet.length} feet found, the lowest bodies are ${lowestBodies(posed)}: name the feet in the wiring, left first`;
}

/** Returns the body on which a robot without legs stands, such as the base of an arm: the body of the root's rigid part
 *  with the lowest shape. Returns none if another body, with or without shapes, is lower. */
function standingBase(posed: PosedModel): number[] {
  const { root, carriers } = posed.tree;
  const [floor] = posed.extent(root, 2);
  const isLower = (body: number) => Math.min(posed.extent(body, 2)[0], posed.position(body)[2]) < floor;
  if (carriers.some((body) => body !== root && isLower(body))) return [];
  return [bodyWithShapes(posed, root, root)];
}

/** Returns the names of the lowest ends of chains, at most four. */
function lowestBodies(posed: PosedModel): string {
  const { tree } = posed;
  const ends = tree.carriers.filter((body) => tree.below.get(body)!.length === 0);
  const height = (body: number) => Math.min(posed.extent(body, 2)[0], posed.position(body)[2]);
  const lowest = ends.toSorted((a, b) => height(a) - height(b)).slice(0, 4);
  return lowest.map((body) => tree.names[body]).join(', ');
}

function suggestAnchor(posed: PosedModel): { readonly body: number; readonly reason: string } {
  const { tree, model } = posed;
  const { legs } = findLimbs(posed, [tree.root]);
  const feet = new Set(legs.map(({ end }) => end));
  const leadsElsewhere = (body: number): boolean => {
    const below = tree.below.get(body)!;
    return !feet.has(body) && (below.length === 0 || below.some(leadsElsewhere));
  };
  const onLegs = new Set(legs.flatMap(({ chain }) => chain.filter((body) => !leadsElsewhere(body))));
  const total: number = model.body_subtreemass[tree.root];
  const leadsToFoot = (body: number): boolean => feet.has(body) || tree.below.get(body)!.some(leadsToFoot);
  const depth = (body: number): number => 1 + Math.max(0, ...tree.below.get(body)!.map(depth));
  const candidates = tree.carriers
    .filter((body) => body === tree.root || (!onLegs.has(body) && model.body_subtreemass[body] >= TRUNK_SHARE * total))
    .map((body) => {
      const arms = tree.below.get(body)!.filter((child) => !leadsToFoot(child) && depth(child) >= LIMB_JOINTS).length;
      const named = TRUNK_NAME.test(tree.names[body]!);
      const share = ownMass(posed, body) / total;
      // The heaviest body of an arm without legs is no trunk: it may be the hand.
      const standing = legs.length === 0 ? Number(body === tree.root) : share + (body === tree.root ? 0 : 0.05);
      const score = (arms >= 2 ? 2 : 0) + (named ? 1 : 0) + standing;
      const reason = [
        arms >= 2 ? `${arms === 2 ? 'both' : arms} arms attach here` : null,
        named ? 'its name says trunk' : null,
        `${Math.round(100 * share)} % of the mass`,
        body === tree.root ? 'it is the root' : null,
      ];
      return { body, score, reason: `${tree.names[body]}: ${reason.filter((part) => part !== null).join(', ')}` };
    });
  return candidates.reduce((best, one) => (one.score > best.score ? one : best));
}

/** Returns the mass of a moving body with the bodies fixed to it, kg. */
export function ownMass({ model, tree }: PosedModel, carrier: number): number {
  return tree.carrierOf.reduce((sum, of, body) => (of === carrier ? sum + (model.body_mass[body] as number) : sum), 0);
}

function isTracked({ tree, joints }: PosedModel, { chain, end }: Limb): boolean {
  if (MINOR_NAME.test(tree.names[end]!)) return false;
  const own = joints.filter(({ body }) => chain.includes(body)).length;
  const hasFingers = tree.below.get(end)!.length > 1;
  return own >= LIMB_JOINTS || (hasFingers && own === LIMB_JOINTS - 1);
}

/** Returns the second body, the middle body and the end of a limb, without duplicates. */
function keyBodies(posed: PosedModel, limb: Limb): number[] {
  const { chain, end } = limb;
  const last = tipOf(posed, limb);
  const points = [...chain, ...(last === end ? [] : [last])];
  const middle = middleOf(posed, points);
  const keys = [points[Math.min(1, points.length - 1)]!, ...(middle === undefined ? [] : [middle]), last];
  return [...new Set(keys)].sort((a, b) => points.indexOf(a) - points.indexOf(b));
}

/** Returns the end of a limb. This is a hand or foot that is fixed to the last moving body, if there is exactly one
 *  such part and the last moving body's own name is not that of a hand or foot.
 *
 *  A foot must have shapes of its own: see {@link bodyWithShapes}. */
export function tipOf(posed: PosedModel, limb: Limb): number {
  const named = namedTip(posed, limb);
  return limb.isLeg ? bodyWithShapes(posed, limb.end, named) : named;
}

/** Returns the body itself if it has shapes, otherwise the body of the same rigid part with the lowest shape, because
 *  training measures the contacts of one body, without the bodies fixed to it. */
function bodyWithShapes(posed: PosedModel, carrier: number, named: number): number {
  if (Number.isFinite(posed.lowestOf(named))) return named;
  const lowest = (best: number, body: number) => (posed.lowestOf(body) < posed.lowestOf(best) ? body : best);
  return partOf(posed, carrier).reduce(lowest, named);
}

function namedTip(posed: PosedModel, { end, isLeg }: Limb): number {
  const { names } = posed.tree;
  const [parts, ends] = isLeg ? [FOOT_NAME, FOOT_END_NAME] : [HAND_NAME, HAND_NAME];
  if (ends.test(names[end]!)) return end;
  const fixed = partOf(posed, end).filter((body) => body !== end && parts.test(names[body]!));
  return fixed.length === 1 ? fixed[0]! : end;
}

/** Lists a moving body and the bodies fixed to it. */
function partOf({ tree }: PosedModel, carrier: number): number[] {
  return tree.carrierOf.flatMap((of, body) => (of === carrier ? [body] : []));
}
