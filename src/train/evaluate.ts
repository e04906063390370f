import type { Environments } from '../mdp/environments.ts';
import { bounded, jointRmse, keybodyError } from '../mdp/tracking-errors.ts';
import type { Policy } from '../policy/policy.ts';
import { ACTOR_GROUP, groupOf } from './ppo/rollout.ts';
import type { WorkerGroup } from './ppo/worker-group.ts';

/** Result of a policy without noise: episodes from starts spread over all clips, each at most `maxSteps` long. */
export interface Evaluation {
  readonly episodes: number;
  /** control steps, mean over episodes */
  readonly meanLength: number;
  /** share of episodes that did not end because of a failure */
  readonly full: number;
  /** 0..1, weighted mean of the tracking rewards over all steps */
  readonly tracking: number;
  /** means over all steps: distance of keybodies, m; root mean square error of joints, rad */
  readonly bodyError: number;
  readonly jointError: number;
}

/** Names of the rewards that measure how closely a clip is tracked. */
const TRACKING = /^motion_/;

/** Runs one episode in every environment and averages over the environments of all threads. Every thread calls it.
 *  @param envs environments of an `evaluationConfig`  @param policy null: zero actions @param keybodies indices of
 *  bodies, without counting the world  @param maxSteps control steps of an episode
 *  @throws StopRequested if a stop was requested before the end of the evaluation */
export function evaluate(
  envs: Environments,
  policy: Policy | null,
  keybodies: readonly number[],
  maxSteps: number,
  group: WorkerGroup,
): Evaluation {
  const { n, actionDim, stepS } = envs;
  const observations = groupOf(envs, ACTOR_GROUP);
  const actions = new Float32Array(n * actionDim);
  const weights = envs.rewardNames.map((name, k) => (TRACKING.test(name) ? envs.rewardWeights[k]! : 0));
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const running = new Uint8Array(n).fill(1);
  // episodes, steps, full episodes, tracking, body error, joint error
  const sums = new Float64Array(6);
  sums[0] = n;
  let left = n;
  envs.active = n;
  const addStep = (env: number) => {
    sums[1]! += 1;
    sums[4]! += bounded(keybodyError(envs.state, keybodies, env));
    sums[5]! += bounded(jointRmse(envs.state, env));
  };
  const ended = new Uint8Array(n);
  // Read the last state of an episode here, because the reset in the same step overwrites it.
  envs.onEnd = (env) => {
    if (running[env] === 1) addStep(env);
    ended[env] = 1;
  };
  envs.reset();
  for (let step = 0; step < maxSteps && left > 0 && !group.isStopRequested; step++) {
    policy?.evaluate(observations.values, actions, envs.active);
    ended.fill(0);
    envs.step(actions);
    for (let env = 0; env < envs.active; env++) {
      if (running[env] === 0) continue;
      if (ended[env] === 0) addStep(env);
      for (let k = 0; k < weights.length; k++) {
        if (weights[k]! > 0) sums[3]! += envs.rewardTerms[env * weights.length + k]! / (stepS * weightSum);
      }
      if (envs.terminated[env] === 0) continue;
      running[env] = 0;
      left -= 1;
    }
    while (envs.active > 1 && running[envs.active - 1] === 0) envs.active -= 1;
  }
  envs.onEnd = null;
  envs.active = n;
  group.endIfStopped();
  sums[2] = left;
  const [episodes, steps, full, tracking, bodies, joints] = [...group.total(sums)] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    episodes,
    meanLength: steps / episodes,
    full: full / episodes,
    tracking: tracking / steps,
    bodyError: bodies / steps,
    jointError: joints / steps,
  };
}
