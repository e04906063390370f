import { isInLine, treeDistance } from '../../robots/kinematics/body-tree.ts';
import { type ModelJoint, type Overlap, type PosedModel, withinRange } from '../../robots/kinematics/posed-model.ts';
import { jointsOf, type Limb } from './limbs.ts';
import { OVERLAP } from './suggest-contacts.ts';
import { suggestWiring } from './suggest-wiring.ts';

/** A joint whose axis has at least this component along world x swings an arm sideways. */
const ROLL = 0.7;
/** Step between the angles to try, rad. */
const STEP = 0.05;
const WIDEST = 0.8;
/** Bodies that are closer than this in the body tree, such as shoulder housings, overlap by design. */
const HOUSING = 3;

/** Opens arms that overlap trunk or legs in the current pose, no wider than needed. Leaves `posed` in an arbitrary
 *  pose.
 *  @param now the current pose, rad or m by joint name
 *  @returns null if no arm overlaps, or if opening does not help */
export function openArms(
  posed: PosedModel,
  now: ReadonlyMap<string, number>,
): { readonly joints: ReadonlyMap<string, number>; readonly reason: string } | null {
  const overlaps = posed.overlaps(OVERLAP);
  if (overlaps.length === 0) return null;
  const arms = suggestWiring(posed).limbs.others.filter((arm) => overlaps.some((one) => runsInto(posed, arm, one)));
  const rolls = arms.flatMap((arm) => {
    const roll = jointsOf(posed, arm).find((joint) => joint.type === 'hinge' && Math.abs(posed.axis(joint)[0]) > ROLL);
    return roll ? [{ joint: roll, sign: outwards(posed, roll) }] : [];
  });
  if (rolls.length < arms.length || arms.length === 0) return null;
  for (let step = 1; step * STEP <= WIDEST + 1e-9; step++) {
    const angle = Number((step * STEP).toFixed(2));
    const joints = new Map(now);
    for (const { joint, sign } of rolls)
      joints.set(joint.name, withinRange(joint, (now.get(joint.name) ?? 0) + sign * angle));
    posed.pose(joints);
    const left = posed.overlaps(OVERLAP);
    if (arms.some((arm) => left.some((one) => runsInto(posed, arm, one)))) continue;
    const names = rolls.map(({ joint }) => joint.name).join(', ');
    return { joints, reason: `arms opened by ${angle} rad (${names}), because they overlapped the body` };
  }
  return null;
}

/** Returns the sign of the joint angle that moves the arm away from the middle of the robot. A positive turn about +x
 *  moves bodies below the axis towards +y. */
function outwards(posed: PosedModel, roll: ModelJoint): number {
  const [, y, z] = posed.anchor(roll);
  const below = z - posed.subtreeCentre(roll.body)[2];
  return Math.sign(below * posed.axis(roll)[0] * y) || 1;
}

function runsInto({ tree }: PosedModel, { chain }: Limb, { bodies: [first, second] }: Overlap): boolean {
  const isOn = (body: number) => chain.includes(tree.carrierOf[body]!);
  if (isOn(first) === isOn(second)) return false;
  return treeDistance(tree, first, second) >= HOUSING || !isInLine(tree, first, second);
}
