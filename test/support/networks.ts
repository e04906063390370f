import type { Environments } from '../../src/mdp/environments.ts';
import type { AgentConfig } from '../../src/mdp/task-config.ts';
import type { DenseLayer, PolicyWeights } from '../../src/policy/policy.ts';
import { createActorCritic } from '../../src/train/ppo/actor-critic.ts';
import { ACTOR_GROUP, CRITIC_GROUP, groupOf } from '../../src/train/ppo/rollout.ts';
import { randomFrom } from './random.ts';

/** A network whose weights are all different and nonzero. @param sizes [inputs, …hidden, outputs] */
export function someWeights(sizes: readonly number[], seed = 1, normalized = true): PolicyWeights {
  const random = randomFrom(seed);
  const draw = (length: number, scale: number) => Float32Array.from({ length }, () => (2 * random() - 1) * scale);
  const layers = sizes.slice(1).map((outputs, index): DenseLayer => {
    const inputs = sizes[index]!;
    return { inputs, outputs, weight: draw(inputs * outputs, 2 / Math.sqrt(inputs)), bias: draw(outputs, 0.5) };
  });
  const inputs = sizes[0]!;
  const normalizer = {
    mean: draw(inputs, 1),
    std: draw(inputs, 1).map((value) => Math.abs(value) + 0.1),
    epsilon: 0.01,
  };
  return { layers, activation: 'elu', normalizer: normalized ? normalizer : null };
}

/** Evaluates a network in plain double precision. @param x one observation */
export function evaluatePlainly({ layers, normalizer, activation }: PolicyWeights, x: ArrayLike<number>): number[] {
  let row = Array.from(x, (value, i) =>
    normalizer ? (value - normalizer.mean[i]!) / (normalizer.std[i]! + normalizer.epsilon) : value,
  );
  for (const [index, { inputs, outputs, weight, bias }] of layers.entries()) {
    row = Array.from({ length: outputs }, (_, o) =>
      row.reduce((sum, value, i) => sum + value * weight[o * inputs + i]!, bias[o]!),
    );
    if (index < layers.length - 1) row = row.map(ACTIVATIONS[activation]);
  }
  return row;
}

const ACTIVATIONS = {
  elu: (x: number) => (x > 0 ? x : Math.expm1(x)),
  relu: (x: number) => Math.max(0, x),
  tanh: Math.tanh,
  silu: (x: number) => x / (1 + Math.exp(-x)),
} as const;

/** New networks for the environments, for at most 64 rows. */
export function actorCriticFor(envs: Environments, agent: AgentConfig) {
  return createActorCritic({
    agent,
    actorDim: groupOf(envs, ACTOR_GROUP).dim,
    criticDim: groupOf(envs, CRITIC_GROUP).dim,
    actionDim: envs.actionDim,
    maxRows: 64,
    seed: 1,
  });
}
