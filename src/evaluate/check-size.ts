import { badInput } from '../core/errors.ts';

/** Maximum number of episodes of an evaluation, because their results are kept in memory. */
const MOST_EPISODES = 250_000;
/** Maximum number of pairs of a checkpoint and a condition. Each pair has a summary, which every list of evaluations
 *  contains, and a row of margins per joint: about 100 MB for a humanoid. */
const MOST_PAIRS = 10_000;

/** Checks that the results of an evaluation can be kept in memory, stored and listed.
 *  @param pairs number of checkpoints × number of conditions  @param episodes of all pairs
 *  @throws bad_input naming the limit */
export function checkSize(pairs: number, episodes: number): void {
  if (pairs > MOST_PAIRS)
    throw badInput(
      `checkpoints: the request needs ${pairs} pairs of a checkpoint and a condition, the limit is ${MOST_PAIRS}. Use fewer checkpoints or conditions.`,
    );
  if (episodes > MOST_EPISODES)
    throw badInput(
      `clips: the request needs ${episodes} episodes, the limit is ${MOST_EPISODES}. Use fewer clips, conditions or checkpoints.`,
    );
}
