import type { TaskConfig } from '../mdp/task-config.ts';

/** Maximum length of an episode of an evaluation, s. Tasks of long or endless episodes (`episode_length_s: 1e9`) are
 *  common. Without a limit, the evaluation of a robot that never falls would not end. */
const LONGEST_S = 20;

/** Returns the length at which an episode of a task's evaluations ends without a failure, s. */
export function horizonOf({ episode_length_s: episodeS }: Pick<TaskConfig, 'episode_length_s'>): number {
  return Math.min(episodeS, LONGEST_S);
}
