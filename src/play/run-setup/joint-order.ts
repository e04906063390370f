import { badInput } from '../../core/errors.ts';
import { LIBRARY } from '../../mdp/library.ts';
import type { ObservationGroupConfig, TaskConfig } from '../../mdp/task-config.ts';
import { permutePolicy } from '../../policy/permute-policy.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import { termWidths } from '../../presets/task-effect.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** For each joint of a policy, its index in the robot's order. */
export type JointOrder = readonly number[];

/** Observation terms with one value per joint, or with several blocks of such values. */
const JOINT_TERMS = new Set([
  'joint_pos_rel',
  'joint_vel_rel',
  'last_action',
  'ref_joint_pos',
  'ref_joint_vel',
  'generated_commands',
  'joint_mechanical_power',
  'joint_torque_envelope_ratio',
]);

/** Finds the joints of a policy by name.
 *  @param names joints of the policy  @throws StudioError bad_input if they are not the joints of the robot */
export function orderOfNames(names: readonly string[], facts: RobotFacts, field: string): JointOrder {
  const order = names.map((name) => facts.joints.findIndex((joint) => joint.name === name));
  const unknown = order.indexOf(-1);
  if (unknown >= 0) throw badInput(`${field}: ${facts.name} has no joint "${names[unknown]}"`);
  return checkOrder(order, facts, field);
}

/** Returns the order if it is valid.
 *  @throws StudioError bad_input unless `order` contains each joint of the robot once */
export function checkOrder(order: readonly number[], facts: RobotFacts, field: string): JointOrder {
  const count = facts.joints.length;
  const isWhole = order.every((place) => Number.isInteger(place) && place >= 0 && place < count);
  if (order.length !== count || !isWhole || new Set(order).size !== count)
    throw badInput(
      `${field}: must name each of the ${count} joints of ${facts.name} once, but has ${order.length} entries`,
    );
  return order;
}

/** Returns the names of the joints in the policy's order. */
export function namesInOrder(order: JointOrder, facts: RobotFacts): string[] {
  return order.map((place) => facts.joints[place]!.name);
}

/** Reorders values from the policy's joint order to the robot's joint order. */
export function inRobotOrder<T>(values: readonly T[], order: JointOrder): T[] {
  const out = new Array<T>(values.length);
  for (const [joint, place] of order.entries()) out[place] = values[joint]!;
  return out;
}

export function isJointTerm(func: string): boolean {
  const term = LIBRARY.observations[func];
  const alias = term && 'aliasOf' in term ? term.aliasOf : undefined;
  return JOINT_TERMS.has(typeof alias === 'string' ? alias : func);
}

/** Permutes a policy for a robot with another joint order.
 *  @param widths width of each term, without history */
export function reorderPolicy(
  policy: PolicyWeights,
  group: ObservationGroupConfig,
  widths: ReadonlyMap<string, number>,
  order: JointOrder,
): PolicyWeights {
  if (order.every((place, joint) => place === joint)) return policy;
  const joints = order.length;
  const old = inRobotOrder([...order.keys()], order);
  const inputs: number[] = [];
  for (const { func, history_length } of Object.values(group.terms)) {
    const width = widths.get(func) ?? 0;
    const kept = Math.max(1, group.history_length ?? history_length);
    for (let step = 0; step < kept; step += 1) {
      const first = inputs.length;
      for (let i = 0; i < width; i += 1)
        inputs.push(first + (isJointTerm(func) ? i - (i % joints) + old[i % joints]! : i));
    }
  }
  return permutePolicy(policy, inputs, old);
}

/** Names that trainers give to the observation group of the policy. */
const ACTOR_GROUPS = ['actor', 'policy'];

/** Returns the name of the policy's observation group in a task. @throws StudioError bad_input if it is missing */
export function actorGroupOf({ observations }: TaskConfig): string {
  const name = ACTOR_GROUPS.find((group) => Object.hasOwn(observations, group));
  if (name === undefined)
    throw badInput(`run: the task has no observation group "${ACTOR_GROUPS[0]}", which the policy needs`);
  return name;
}

/** Permutes the policy of a task for a robot with another joint order. */
export function policyInOrder(
  policy: PolicyWeights,
  config: TaskConfig,
  facts: RobotFacts,
  order: JointOrder,
): PolicyWeights {
  const group = config.observations[actorGroupOf(config)]!;
  return reorderPolicy(policy, group, termWidths(config, facts, LIBRARY), order);
}
