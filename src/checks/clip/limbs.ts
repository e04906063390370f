import { sideOf } from '../../protocol/part-sides.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** Words in the names of the parts of a leg. HAA, HFE and KFE are the hip's and the knee's abduction and flexion. */
const LEG = /hip|thigh|knee|shin|calf|ankle|foot|toe|leg|haa|hfe|kfe/i;

/** The parts of a robot that decide the limbs. */
export type LimbFacts = Pick<RobotFacts, 'bodies'> & {
  readonly joints: readonly { readonly name: string; readonly body: number }[];
  readonly wiring: { readonly feet: readonly string[] };
};

/** Groups the joints of a robot by limb: `left leg`, `right arm`, `trunk`. */
export function jointLimbs(facts: LimbFacts): ReadonlyMap<string, readonly number[]> {
  const limbs = bodyLimbs(facts);
  const groups = new Map<string, number[]>();
  for (const [index, { body }] of facts.joints.entries()) {
    const limb = limbs[body]!;
    groups.set(limb, [...(groups.get(limb) ?? []), index]);
  }
  return groups;
}

/** Returns the limb of each body. A body is part of the leg of a foot if the foot, and no other one, is below it. The
 *  leg has the side of its foot, or the foot's name if the side has several feet or the name states none. Other bodies
 *  are found by their names; those without a side are the trunk. */
export function bodyLimbs({ bodies, wiring }: LimbFacts): readonly string[] {
  const names = bodies.map(({ name }) => name);
  const sides = names.map((name) => sideOf(name, names));
  const all = wiring.feet.map((foot) => names.indexOf(foot)).filter((foot) => foot >= 0);
  const above = (body: number): number[] => {
    const parent = bodies[body]!.parent;
    return parent < 0 ? [] : [parent, ...above(parent)];
  };
  // A toe below a foot is part of the same leg.
  const feet = all.filter((foot) => !above(foot).some((body) => all.includes(body)));
  const legOf = (foot: number): string => {
    const side = sides[foot]!;
    const isOnly = feet.filter((other) => sides[other] === side).length === 1;
    return side !== null && isOnly ? `${side} leg` : `leg of ${names[foot]}`;
  };
  return names.map((name, body) => {
    const near = feet.filter((foot) => body === foot || above(foot).includes(body) || above(body).includes(foot));
    if (near.length === 1 && bodies[body]!.parent >= 0) return legOf(near[0]!);
    const side = sides[body]!;
    return side === null ? 'trunk' : `${side} ${LEG.test(name) ? 'leg' : 'arm'}`;
  });
}
