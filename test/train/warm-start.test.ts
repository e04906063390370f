import { expect, test } from 'vitest';
import { builtinAgent } from '../../src/mdp/tasks/agent-profile.ts';
import { createActorCritic } from '../../src/train/ppo/actor-critic.ts';
import { RunningNormalizer } from '../../src/train/ppo/running-normalizer.ts';
import { restoreSnapshot, takeSnapshot } from '../../src/train/ppo/snapshot.ts';
import { warmStart } from '../../src/train/ppo/warm-start.ts';

const agent = builtinAgent('x', 3);
const create = (seed: number) =>
  createActorCritic({ agent, actorDim: 5, criticDim: 7, actionDim: 3, maxRows: 4, seed });

/** Networks as a long training leaves them: collapsed exploration, many observations, moments of Adam. */
function trained() {
  const networks = create(1);
  networks.actor.std.set([0.02, 0.1, 0.7]);
  networks.actor.steps = 5000;
  networks.actor.moments[0].fill(0.5);
  networks.actorNormalizer!.mean.fill(2);
  networks.actorNormalizer!.count = 3e6;
  return takeSnapshot(networks, { iteration: 900, envSteps: 2.7e6, learningRate: 1e-5 });
}

test('a start copies networks and normalisers; iteration, steps and optimiser start at zero', () => {
  const from = trained();
  const start = warmStart(from, agent);
  expect(start.actor.layers).toEqual(from.actor.layers);
  expect(start.critic.layers).toEqual(from.critic.layers);
  expect(start.actor.normalizer!.mean).toEqual(from.actor.normalizer!.mean);
  expect([start.iteration, start.envSteps, start.optimizer.steps]).toEqual([0, 0, 0]);
  for (const moment of start.optimizer.actor.layers)
    for (const { weight, bias } of moment) expect([...weight, ...bias].every((value) => value === 0)).toBe(true);
  const networks = create(2);
  restoreSnapshot(networks, start);
  expect(networks.actor.steps).toBe(0);
  expect(networks.actor.layers()).toEqual(from.actor.layers);
});

test('a start raises the exploration where the earlier training had lowered it, and keeps it elsewhere', () => {
  const { std } = warmStart(trained(), agent).actor;
  expect([...std!].map((value) => Number(value.toFixed(3)))).toEqual([0.3, 0.3, 0.7]);
});

test('a copied normaliser adapts to the observations of the new motion', () => {
  const networks = create(2);
  restoreSnapshot(networks, warmStart(trained(), agent));
  const normalizer = networks.actorNormalizer!;
  const moments = new Float64Array(RunningNormalizer.momentsLength(5));
  // 100 iterations of 3072 observations around 4, where the former training had seen 2
  moments.set([307_200, 4, 4, 4, 4, 4]);
  normalizer.merge(moments);
  expect(normalizer.mean[0]).toBeGreaterThan(3.4);
});

test('a start does not change the checkpoint that it copies', () => {
  const from = trained();
  const before = structuredClone(from);
  warmStart(from, agent);
  expect(from).toEqual(before);
});
