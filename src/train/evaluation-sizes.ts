/** Minimum number of iterations between two evaluations, and number of episodes of an evaluation and of those with all
 *  contacts at the end. 128 distributes evenly over 1, 2, 4, 8 and more threads. */
export const EVALUATION = { every: 25, episodes: 64, finalEpisodes: 128 } as const;
/** Number of the best policies that are compared at the end. */
export const CANDIDATES = 3;
/** Time per step with all contacts, at most, as a multiple of that with light contacts. */
export const ALL_CONTACTS = 1.5;
/** Largest share of the training's environment steps that the comparison of the best policies may take. */
const CHOICE_SHARE = 0.1;

/** Lowest and highest expected length of the episodes of zero action and of a trained policy, as shares of a full
 *  one. */
const ZERO_ACTION = [0.05, 0.5] as const;
const TRAINED = [0.2, 1] as const;

/** Number of episodes of evaluations. */
export type EvaluationSizes = Pick<Record<keyof typeof EVALUATION, number>, 'episodes' | 'finalEpisodes'>;

/** Returns how many of the best policies are compared at the end of a training: 0, or at least 2.
 *  @param steps environment steps of the training  @param episodeSteps control steps of a full episode
 *  @param policies number of policies that were kept */
export function comparedPolicies(
  { finalEpisodes }: Pick<EvaluationSizes, 'finalEpisodes'>,
  {
    steps,
    episodeSteps,
    policies,
  }: { readonly steps: number; readonly episodeSteps: number; readonly policies: number },
): number {
  const affordable = Math.floor((CHOICE_SHARE * steps) / (finalEpisodes * episodeSteps));
  const count = Math.min(affordable, policies);
  return count < 2 ? 0 : count;
}

/** Returns the largest number of control steps in the evaluations after the last iteration of a training. Steps with
 *  all contacts count {@link ALL_CONTACTS} times.
 *  @param steps environment steps of the training  @param episodeSteps control steps of a full episode */
export function finalEvaluationSteps(steps: number, episodeSteps: number): number {
  const { episodes, finalEpisodes } = EVALUATION;
  const compared = comparedPolicies(EVALUATION, { steps, episodeSteps, policies: CANDIDATES });
  return (episodes + finalEpisodes * (compared + 1) * ALL_CONTACTS) * episodeSteps;
}

/** Returns the lowest and highest expected number of control steps in the evaluations before the first iteration and
 *  after the last one, which a training of any length makes. Parameters as for {@link finalEvaluationSteps}. */
export function fixedEvaluationSteps(steps: number, episodeSteps: number): readonly [number, number] {
  const zeroAction = EVALUATION.episodes * episodeSteps;
  const trained = finalEvaluationSteps(steps, episodeSteps);
  const of = (k: 0 | 1) => ZERO_ACTION[k] * zeroAction + TRAINED[k] * trained;
  return [of(0), of(1)];
}
