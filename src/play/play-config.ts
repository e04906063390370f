import type { TaskConfig } from '../mdp/task-config.ts';

/** Groups that a policy may see; others are for training. */
const ACTOR_GROUPS = ['actor', 'policy'];
/** A session begins with room for so many environments. */
const LEAST_CAPACITY = 32;

/** A played task in a session: nothing is observed that the policy does not see, and clips and frames are drawn evenly
 *  instead of adaptively, so that no environment's way depends on its neighbours. */
export function sessionConfig(config: TaskConfig): TaskConfig {
  const { motion } = config.commands;
  const groups = Object.entries(config.observations).filter(([name]) => ACTOR_GROUPS.includes(name));
  const sampling = motion.rsi.sampling_mode === 'start' ? 'start' : 'uniform';
  return {
    ...config,
    observations: Object.fromEntries(groups),
    commands: { ...config.commands, motion: { ...motion, rsi: { ...motion.rsi, sampling_mode: sampling } } },
  };
}

/** Environments that a session of `numEnvs` has room for. */
export function capacityFor(numEnvs: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(LEAST_CAPACITY, numEnvs)));
}
