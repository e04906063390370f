import { expect, test } from 'vitest';
import { TrainableNetwork } from '../../src/policy/training/trainable-network.ts';
import { AveragedActor } from '../../src/train/ppo/averaged-actor.ts';

function actorOf(value: number): { actor: TrainableNetwork; set: (value: number) => void } {
  const actor = new TrainableNetwork({ sizes: [2, 3, 2], activation: 'elu', maxRows: 1, stdDim: 2 });
  const set = (next: number) => {
    const fill = (length: number) => new Float32Array(length).fill(next);
    actor.load(
      actor.layers().map((layer) => ({ ...layer, weight: fill(layer.weight.length), bias: fill(layer.outputs) })),
    );
    actor.std.fill(next);
  };
  set(value);
  return { actor, set };
}

/** all values of the averaged layers and standard deviations */
const valuesOf = (averaged: AveragedActor) => [
  ...averaged.layers().flatMap(({ weight, bias }) => [...weight, ...bias]),
  ...averaged.std,
];
const same = (values: readonly number[]) => {
  expect(Math.max(...values) - Math.min(...values)).toBeLessThan(1e-6);
  return values[0]!;
};

test('the average of the first iterations follows the actor, that of many covers a tenth of them', () => {
  const { actor, set } = actorOf(7);
  const averaged = new AveragedActor(actor);
  expect(same(valuesOf(averaged))).toBe(7);
  for (let iteration = 1; iteration <= 500; iteration++) {
    set(iteration);
    averaged.add();
    // An average over a horizon of h iterations lags behind a constant change by about h − 1.
    if (iteration === 10) expect(same(valuesOf(averaged))).toBe(10);
  }
  expect(500 - same(valuesOf(averaged))).toBeGreaterThan(40);
  expect(500 - same(valuesOf(averaged))).toBeLessThan(50);
});

test('the average of a checkpoint goes on where it was saved', () => {
  const { actor, set } = actorOf(7);
  const resumed = new AveragedActor(actor, 500);
  set(57);
  resumed.add();
  expect(same(valuesOf(resumed))).toBeCloseTo(7 + 50 / 50.1, 4);
});

test('the average cancels noise, does not change the actor, and restarts with another actor', () => {
  const { actor, set } = actorOf(0);
  const averaged = new AveragedActor(actor);
  for (let iteration = 1; iteration <= 1000; iteration++) {
    set(iteration % 2 === 0 ? 1 : -1);
    averaged.add();
  }
  expect(Math.abs(same(valuesOf(averaged)))).toBeLessThan(0.02);
  expect(actor.std[0]).toBe(1);
  set(5);
  averaged.restart();
  expect(same(valuesOf(averaged))).toBe(5);
});
