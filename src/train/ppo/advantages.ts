/** Rows of a rollout are step-major: row t·n + i is environment i at step t. */
export interface Returns {
  /** (steps · n) advantage of each action */
  readonly advantages: Float32Array;
  /** (steps · n) targets of the value network: advantage + value */
  readonly returns: Float32Array;
}

/** Rewards and values of a rollout, in the same order of rows. */
export interface ValuedRewards {
  /** (steps · n) */
  readonly rewards: Float32Array;
  readonly values: Float32Array;
  /** (steps · n) 1 where the episode or its clip ended with the step */
  readonly dones: Uint8Array;
  /** (n) value of the state after the last step */
  readonly lastValues: Float32Array;
}

/** Generalised advantage estimation, backwards over the rollout:
 *  δ = r + γ V(s′)(1 − done) − V(s), A = δ + γ λ (1 − done) A′ (Schulman et al. 2016, equation 16, as in rsl_rl).
 *  A truncation is not a failure: call {@link bootstrapTruncated} on the rewards first. */
export function computeReturns(
  out: Returns,
  { rewards, values, dones, lastValues }: ValuedRewards,
  gamma: number,
  lam: number,
): void {
  const n = lastValues.length;
  const steps = rewards.length / n;
  for (let i = 0; i < n; i++) {
    let advantage = 0;
    let nextValue = lastValues[i]!;
    for (let t = steps - 1; t >= 0; t--) {
      const at = t * n + i;
      const going = 1 - dones[at]!;
      const delta = rewards[at]! + gamma * nextValue * going - values[at]!;
      advantage = delta + gamma * lam * going * advantage;
      nextValue = values[at]!;
      out.advantages[at] = advantage;
      out.returns[at] = advantage + nextValue;
    }
  }
}

/** Adds γ V(s) to the last reward before each truncation (a time-out or the end of a clip), because the motion would
 *  have continued. As rsl_rl does, V(s) is the value before the step. Changes `rewards`. All arrays are (steps · n). */
export function bootstrapTruncated(
  rewards: Float32Array,
  values: Float32Array,
  truncated: Uint8Array,
  gamma: number,
): void {
  for (let at = 0; at < rewards.length; at++) {
    if (truncated[at] === 1) rewards[at]! += gamma * values[at]!;
  }
}
