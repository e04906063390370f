import type { TaskConfig } from '../../mdp/task-config.ts';
import { type MirrorMap, mirroredBodies } from '../../motion/convert/mirror.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** Largest mean squared difference of a reward on both sides, as a share of its mean square. Rewards for one side only are
 *  found by their names. So this limit only finds robots whose sides move differently; joint accelerations of real robots
 *  differ by up to 0.11, because their sides do not weigh the same. */
const MOST_REWARD_ERROR = 0.5;
/** A reward that is not zero in fewer than this share of the steps is too rare to be compared. */
const RARE = 0.05;

/** Returns which reward, termination or list of end effectors of a task names joints or bodies of one side only; null if
 *  there is none. */
export function oneSidedTerm(facts: RobotFacts, task: TaskConfig, map: MirrorMap): string | null {
  const bodies = mirroredBodies(facts, map);
  const partners = new Map([
    ...facts.joints.map(({ name }, k) => [name, facts.joints[map.partner[k]!]!.name] as const),
    ...facts.bodies.map(({ name }, k) => [name, facts.bodies[bodies[k]!]!.name] as const),
  ]);
  const listsOf = (kind: string, terms: TaskConfig['rewards' | 'terminations']) =>
    Object.entries(terms).flatMap(([name, { params }]) =>
      Object.values(params).map((value) => [`the ${kind} ${name}`, value] as const),
    );
  const lists = [
    ...listsOf('reward', task.rewards),
    ...listsOf('termination', task.terminations),
    ['commands.motion.ee_body_names', task.commands.motion.ee_body_names] as const,
  ];
  for (const [term, names] of lists) {
    if (!Array.isArray(names)) continue;
    const single = names.find((name) => !names.includes(partners.get(name) ?? name));
    if (single !== undefined) return `${term} is for ${single}, but not for ${partners.get(single)} on the other side`;
  }
  return null;
}

/** Returns the name of a reward that differs on both sides of a robot; null if there is none.
 *  @param rewards (steps, names) of robots  @param others those of the mirrored robots */
export function unequalReward(names: readonly string[], rewards: Float32Array, others: Float32Array): string | null {
  const count = names.length;
  const unequal = names.find((_, k) => {
    let [error, squares, acting] = [0, 0, 0];
    for (let at = k; at < rewards.length; at += count) {
      const [own, other] = [rewards[at]!, others[at]!];
      error += (other - own) ** 2;
      squares += own ** 2;
      if (own !== 0 || other !== 0) acting += 1;
    }
    return acting >= (RARE * rewards.length) / count && error > MOST_REWARD_ERROR * squares;
  });
  return unequal ?? null;
}
