import type { TaskConfig } from '../mdp/task-config.ts';

/** Names of the policy's observation group. Other groups are for training only. */
const ACTOR_GROUPS = ['actor', 'policy'];
/** Minimum capacity of a session. */
const LEAST_CAPACITY = 32;

/** Returns the task of a play session. Only the observations of the policy are computed. Clips and frames are sampled
 *  uniformly instead of adaptively, so that environments do not depend on each other. */
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

/** Returns the capacity of a session for `numEnvs` environments: the next power of 2, at least 32. */
export function capacityFor(numEnvs: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(LEAST_CAPACITY, numEnvs)));
}
