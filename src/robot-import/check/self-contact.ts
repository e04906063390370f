import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { treeDistance } from '../../robots/kinematics/body-tree.ts';
import type { PosedModel } from '../../robots/kinematics/posed-model.ts';
import type { BodyContact } from '../../sim/contacts.ts';
import { mujocoMessage } from '../../sim/mujoco.ts';
import { OVERLAP } from '../inspect/suggest-contacts.ts';
import { mm, shortList } from '../number-text.ts';
import { type Check, failed, passed, warned } from './check-report.ts';
import type { HeldRobot } from './held-robot.ts';

/** overlap above which contact forces push bodies apart violently, m */
const DEEP = 0.02;
/** Maximum distance in the body tree between two bodies whose contact may be excluded. */
const NEAR = 3;

/** Checks for overlaps in the default pose, and offers pairs to exclude.
 *  @param start creates the robot above the floor */
export function checkSelfContact(start: () => HeldRobot, { tree }: PosedModel, spec: RobotSpec): Check {
  if (spec.contacts?.self_collision === false) {
    return passed('self_contact', 'disabled: no two bodies of the robot collide with each other');
  }
  const deepest = new Map<string, BodyContact>();
  let robot: HeldRobot | null = null;
  try {
    robot = start();
    for (const contact of robot.contacts()) {
      const key = contact.bodies.join(' ');
      if (contact.depth > (deepest.get(key)?.depth ?? OVERLAP)) deepest.set(key, contact);
    }
  } catch (error) {
    return failed('self_contact', `contacts cannot be computed: ${mujocoMessage(error)}`);
  } finally {
    robot?.delete();
  }
  const pairs = [...deepest.values()].sort((a, b) => b.depth - a.depth);
  if (pairs.length === 0) {
    return passed('self_contact', `no two bodies overlap by more than ${mm(OVERLAP)} in the default pose`);
  }
  const names = pairs.map(({ bodies }): [string, string] => [tree.names[bodies[0]]!, tree.names[bodies[1]]!]);
  const near = names.filter((_, k) => treeDistance(tree, ...pairs[k]!.bodies) <= NEAR);
  const far = names.filter((pair) => !near.includes(pair));
  const joined = (some: readonly [string, string][]) => shortList(some.map((pair) => pair.join(' and ')));
  const remedies = [
    ...(near.length > 0 ? [`if this is intended, exclude ${joined(near)} (contacts.exclude)`] : []),
    ...(far.length > 0 ? [`correct the shapes or the default pose of ${joined(far)}`] : []),
  ];
  const overlaps = shortList(pairs.map(({ depth }, k) => `${names[k]!.join(' and ')} by ${mm(depth)}`));
  const count = pairs.length === 1 ? '1 pair overlaps' : `${pairs.length} pairs overlap`;
  const text = `${count} in the default pose: ${overlaps}; ${remedies.join('; ')}`;
  const check = pairs[0]!.depth > DEEP ? failed('self_contact', text) : warned('self_contact', text);
  return near.length > 0 ? { ...check, exclude: near } : check;
}
