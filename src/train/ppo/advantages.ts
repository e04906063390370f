/** Rows of a rollout are step-major: row t·n + i is environment i at step t. */
export interface Returns {
  /** (steps · n) advantage of each action */
  readonly advantages: Float32Array;
  /** (steps · n) what the value network is to say: advantage + value */
  readonly returns: Float32Array;
}

/** Generalised advantage estimation, backwards over the rollout:
 *  δ = r + γ V(s′)(1 − done) − V(s), A = δ + γ λ (1 − done) A′ (Schulman et al. 2016, equation 16, as rsl_rl writes it).
 *  Time-outs are no ends to learn from: their rewards must already hold γ V(s), see {@link bootstrapTimeOuts}.
 *  @param rewards (steps · n) @param values (steps · n) @param dones (steps · n) 1 where the episode ended with the step
 *  @param lastValues (n) value of the state after the last step */
export function computeReturns(
  out: Returns,
  rewards: Float32Array,
  values: Float32Array,
  dones: Uint8Array,
  lastValues: Float32Array,
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

/** An episode cut by time would have gone on: its last reward gets γ V(s) of the state it was cut in (rsl_rl's reading:
 *  the value before the step stands for the one after). Changes `rewards`. All (steps · n). */
export function bootstrapTimeOuts(
  rewards: Float32Array,
  values: Float32Array,
  timeOuts: Uint8Array,
  gamma: number,
): void {
  for (let at = 0; at < rewards.length; at++) {
    if (timeOuts[at] === 1) rewards[at]! += gamma * values[at]!;
  }
}
