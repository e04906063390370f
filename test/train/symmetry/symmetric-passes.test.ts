import { describe, expect, test } from 'vitest';
import { KernelMemory } from '../../../src/policy/kernels/kernels.ts';
import type { Activation } from '../../../src/policy/policy.ts';
import { TrainableNetwork } from '../../../src/policy/training/trainable-network.ts';
import type { ActorCritic } from '../../../src/train/ppo/actor-critic.ts';
import { foldedWidth, foldOf, unfoldRows } from '../../../src/train/symmetry/fold.ts';
import { NetworkSymmetry, SymmetricNetworks } from '../../../src/train/symmetry/network-symmetry.ts';
import { RowFolder } from '../../../src/train/symmetry/row-folder.ts';
import type { SignedPermutation } from '../../../src/train/symmetry/signed-permutation.ts';
import { SymmetricPasses } from '../../../src/train/symmetry/symmetric-passes.ts';
import { randomFrom } from '../../support/random.ts';

/** Pairs that swap with either sign, values that change their sign, and values that stay. */
const MIXED: SignedPermutation = {
  from: Int32Array.of(1, 0, 3, 2, 4, 5, 6, 9, 8, 7),
  sign: Float32Array.of(1, 1, -1, -1, -1, 1, -1, 1, 1, 1),
};
const SIGNS_ONLY: SignedPermutation = { from: Int32Array.of(0, 1), sign: Float32Array.of(-1, 1) };
const UNCHANGED: SignedPermutation = { from: Int32Array.of(0), sign: Float32Array.of(1) };
/** Pairs of neighbours. Folded, they have more inputs than the kernels multiply at once (512). */
const MANY: SignedPermutation = {
  from: Int32Array.from({ length: 1100 }, (_, k) => k ^ 1),
  sign: Float32Array.from({ length: 1100 }, (_, k) => (k % 4 < 2 ? 1 : -1)),
};
/** Neither a multiple of the rows that a kernel computes at once, nor the limit of the network. */
const ROWS = 13;

/** Two equal symmetric networks, of which the second computes its passes folded. */
function networks(
  input: SignedPermutation,
  output: SignedPermutation,
  hidden: readonly number[],
  activation: Activation,
) {
  const sizes = [input.from.length, ...hidden, output.from.length];
  const random = randomFrom(11);
  const draw = (length: number) => Float32Array.from({ length }, () => 2 * random() - 1);
  const layers = sizes.slice(1).map((outputs, k) => {
    const inputs = sizes[k]!;
    return { inputs, outputs, weight: draw(outputs * inputs), bias: draw(outputs) };
  });
  const [usual, folded] = [0, 1].map(() => {
    const net = new TrainableNetwork({ sizes, activation, maxRows: ROWS + 3 });
    const symmetry = new NetworkSymmetry(net, input, output);
    net.load(layers);
    symmetry.copy(net.parameters);
    net.repack();
    return { net, symmetry };
  }) as [{ net: TrainableNetwork; symmetry: NetworkSymmetry }, { net: TrainableNetwork; symmetry: NetworkSymmetry }];
  folded.net.usePasses(new SymmetricPasses(folded.net, input, output));
  return { usual, folded, draw };
}

function outputs(net: TrainableNetwork, input: Float32Array): Float32Array {
  const out = new Float32Array(ROWS * net.outputs);
  net.forward(input, out, ROWS);
  return out;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return Math.max(...a.map((value, k) => Math.abs(value - b[k]!)));
}

describe.each([
  ['a policy', MIXED, MIXED, [16, 8], 'elu'],
  ['a critic', MIXED, UNCHANGED, [12, 6, 2], 'tanh'],
  ['values that only change signs', SIGNS_ONLY, SIGNS_ONLY, [24], 'silu'],
  ['an input without odd values', UNCHANGED, MIXED, [8, 8], 'relu'],
  ['many inputs', MANY, MIXED, [16, 8], 'elu'],
] as const)('%s', (_, input, output, hidden, activation) => {
  test('folded passes give the outputs and the mean gradients of the usual ones, also while the network learns', () => {
    const { usual, folded, draw } = networks(input, output, hidden, activation);
    for (let step = 0; step < 5; step++) {
      const rows = draw(ROWS * usual.net.inputs);
      const slopes = draw(ROWS * usual.net.outputs);
      const wanted = outputs(usual.net, rows);
      const size = Math.max(...wanted.map(Math.abs));
      expect(size).toBeGreaterThan(0.01);
      expect(largestDifference(outputs(folded.net, rows), wanted)).toBeLessThan(2e-5 * Math.max(1, size));
      for (const { net, symmetry } of [usual, folded]) {
        net.zeroGradients();
        net.backward(slopes, ROWS);
        symmetry.average(net.gradients);
      }
      const steepest = Math.max(...usual.net.gradients.map(Math.abs));
      expect(steepest).toBeGreaterThan(0.1);
      expect(largestDifference(folded.net.gradients, usual.net.gradients)).toBeLessThan(1e-4 * Math.max(1, steepest));
      // Both learn from the same gradients, because Adam divides by gradients that may be nearly 0.
      folded.net.gradients.set(usual.net.gradients);
      for (const { net } of [usual, folded]) net.step(1e-2);
    }
    expect(folded.symmetry.isSymmetric(folded.net.parameters)).toBe(true);
  });
});

test('networks compute their passes by their parameters: folded only while both are symmetric', () => {
  const create = (outputs: number) =>
    new TrainableNetwork({ sizes: [MIXED.from.length, 8, outputs], activation: 'elu', maxRows: ROWS });
  const random = randomFrom(2);
  const draw = (length: number) => Float32Array.from({ length }, () => 2 * random() - 1);
  const [actor, critic, usual] = [create(MIXED.from.length), create(1), create(MIXED.from.length)];
  const networks = new SymmetricNetworks({ actor, critic } as unknown as ActorCritic, {
    actor: MIXED,
    critic: MIXED,
    action: MIXED,
  });
  const rows = draw(ROWS * MIXED.from.length);
  const slopes = draw(ROWS * MIXED.from.length);
  /** Returns outputs and gradients of the actor, and of a network with its parameters and the usual passes. */
  const both = () => {
    usual.parameters.set(actor.parameters);
    usual.repack();
    return [actor, usual].map((net) => {
      const out = outputs(net, rows);
      net.zeroGradients();
      net.backward(slopes, ROWS);
      return { out, gradients: net.gradients.slice() };
    }) as [{ out: Float32Array; gradients: Float32Array }, { out: Float32Array; gradients: Float32Array }];
  };
  for (const net of [actor, critic]) net.parameters.set(draw(net.parameters.length));
  networks.makeSymmetric();
  expect(networks.choosePasses()).toBe(true);
  const symmetric = both();
  expect(largestDifference(symmetric[0].out, symmetric[1].out)).toBeLessThan(1e-5);
  // Folded passes give other gradients, whose mean over both partners is the usual one.
  expect(largestDifference(symmetric[0].gradients, symmetric[1].gradients)).toBeGreaterThan(0.01);

  actor.parameters.set(draw(actor.parameters.length));
  actor.repack();
  expect(networks.choosePasses()).toBe(false);
  const other = both();
  expect(largestDifference(other[0].out, other[1].out)).toBe(0);
  expect(largestDifference(other[0].gradients, other[1].gradients)).toBe(0);

  networks.makeSymmetric();
  expect(networks.choosePasses()).toBe(true);
  const again = both();
  expect(largestDifference(again[0].out, again[1].out)).toBeLessThan(1e-5);
  expect(largestDifference(again[0].gradients, again[1].gradients)).toBeGreaterThan(0.01);
});

test('a row does not depend on the other rows, nor on a larger batch before', () => {
  const { folded, draw } = networks(MIXED, MIXED, [16, 8], 'elu');
  const rows = draw(ROWS * MIXED.from.length);
  const all = outputs(folded.net, rows);
  for (let row = 0; row < ROWS; row++) {
    const [from, to] = [row * MIXED.from.length, (row + 1) * MIXED.from.length];
    const alone = new Float32Array(MIXED.from.length);
    folded.net.forward(rows.subarray(from, to), alone, 1);
    expect([...alone]).toEqual([...all.subarray(from, to)]);
  }
});

test('hidden layers of an odd width cannot be folded', () => {
  expect([SymmetricPasses.canFold([8, 7]), SymmetricPasses.canFold([8, 6])]).toEqual([false, true]);
  const net = new TrainableNetwork({ sizes: [10, 7, 10], activation: 'elu', maxRows: 1 });
  expect(() => new SymmetricPasses(net, MIXED, MIXED)).toThrow(/even/);
});

test('folding has sums and differences of pairs; unfolding is its transpose', () => {
  const fold = foldOf(MIXED);
  expect([...fold.even.first]).toEqual([0, 2, 5, 7, 8]);
  expect([...fold.odd.first]).toEqual([0, 2, 4, 6, 7]);
  const width = foldedWidth(fold);
  const memory = new KernelMemory();
  const folder = new RowFolder(memory, fold, 2);
  const at = memory.take(2 * width);
  folder.open(memory.open());
  const random = randomFrom(3);
  const rows = Float32Array.from({ length: 2 * MIXED.from.length }, random);
  folder.fold(rows, at, 2);
  const folded = memory.view(at, 2 * width);
  expect(folded[0]).toBe(Math.fround(rows[0]! + rows[1]!));
  const other = Float32Array.from({ length: folded.length }, random);
  const unfolded = new Float32Array(rows.length);
  unfoldRows(other, fold, unfolded, 2);
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, k) => sum + value * b[k]!, 0);
  expect(dot(folded, other)).toBeCloseTo(dot(rows, unfolded), 4);
});
