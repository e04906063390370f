/** Largest mean squared difference of a reward on both sides, as a share of its mean square and of its variance. A reward
 *  is equal on both sides if it is below one of them. The accelerations of robots whose sides weigh different amounts differ
 *  by up to 0.09 of the mean square, but by at most 0.28 of the variance; with a penalty on the left joints alone, they
 *  differ by at least 0.66 of it. */
const MOST_REWARD_ERROR = { ofSquare: 0.05, ofVariance: 0.45 } as const;
/** A reward that is not zero in fewer than this share of the steps is too rare to be compared. */
const RARE = 0.05;

/** Returns the name of a reward that differs on both sides of a robot; null if there is none.
 *  @param rewards (steps, names) of robots  @param others those of the mirrored robots */
export function unequalReward(names: readonly string[], rewards: Float32Array, others: Float32Array): string | null {
  const count = names.length;
  const unequal = names.find((_, k) => {
    let [error, sum, squares, acting] = [0, 0, 0, 0];
    for (let at = k; at < rewards.length; at += count) {
      const [own, other] = [rewards[at]!, others[at]!];
      error += (other - own) ** 2;
      sum += own;
      squares += own ** 2;
      if (own !== 0 || other !== 0) acting += 1;
    }
    const steps = rewards.length / count;
    const { ofSquare, ofVariance } = MOST_REWARD_ERROR;
    return acting >= RARE * steps && error > ofSquare * squares && error > ofVariance * (squares - sum ** 2 / steps);
  });
  return unequal ?? null;
}
