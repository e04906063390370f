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

/** Maximum distance between neighbouring robots in the scene, as a multiple of a robot's height. Arms do not touch at
 *  this distance, and each of 16 robots takes about a fifth of the height of the image. */
const SPACING = 0.9;

/** Returns a task whose robots stand close together in the scene. On plane ground the place of a robot does not
 *  influence its motion; on uneven ground the task keeps its spacing. @param height of a robot, m */
export function closeTogether(config: TaskConfig, height: number): TaskConfig {
  const { scene } = config;
  if (scene.terrain.type !== 'plane') return config;
  return { ...config, scene: { ...scene, env_spacing: Math.min(scene.env_spacing, SPACING * height) } };
}

/** Returns the capacity of a session for `numEnvs` environments: the next power of 2, at least 32. */
export function capacityFor(numEnvs: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(LEAST_CAPACITY, numEnvs)));
}
