import { describe, expect, test } from 'vitest';
import type { Activation } from '../../../src/policy/policy.ts';
import { TrainableNetwork } from '../../../src/policy/training/trainable-network.ts';
import { NetworkSymmetry } from '../../../src/train/symmetry/network-symmetry.ts';
import { mirrorValues, type SignedPermutation } from '../../../src/train/symmetry/signed-permutation.ts';
import { randomFrom } from '../../support/random.ts';

/** Pairs that swap with a sign, one value that changes its sign, and one that stays. */
const INPUT: SignedPermutation = {
  from: Int32Array.of(1, 0, 3, 2, 4, 5),
  sign: Float32Array.of(1, 1, -1, -1, -1, 1),
};
const OUTPUT: SignedPermutation = { from: Int32Array.of(1, 0, 2), sign: Float32Array.of(-1, -1, -1) };
const ROWS = 16;

/** A network with random parameters, and its symmetry. */
function network(hidden: readonly number[], activation: Activation = 'elu') {
  const sizes = [INPUT.from.length, ...hidden, OUTPUT.from.length];
  const random = randomFrom(7);
  const net = new TrainableNetwork({ sizes, activation, maxRows: 2 * ROWS, stdDim: OUTPUT.from.length });
  net.load(
    sizes.slice(1).map((outputs, k) => ({
      inputs: sizes[k]!,
      outputs,
      weight: Float32Array.from({ length: outputs * sizes[k]! }, () => random() - 0.5),
      bias: Float32Array.from({ length: outputs }, () => random() - 0.5),
    })),
  );
  net.std.set([0.3, 0.4, 0.5]);
  return { net, symmetry: new NetworkSymmetry(net, INPUT, OUTPUT), random };
}

function symmetricNetwork(hidden: readonly number[], activation?: Activation) {
  const made = network(hidden, activation);
  made.symmetry.copy(made.net.parameters);
  made.net.repack();
  return made;
}

const draw = (random: () => number, length: number) => Float32Array.from({ length }, () => 2 * random() - 1);

function mirror(rows: Float32Array, permutation: SignedPermutation): Float32Array {
  const out = new Float32Array(rows.length);
  mirrorValues(rows, permutation, out);
  return out;
}

function outputs(net: TrainableNetwork, input: Float32Array): Float32Array {
  const rows = input.length / net.inputs;
  const out = new Float32Array(rows * net.outputs);
  net.forward(input, out, rows);
  return out;
}

describe.each([
  [[16, 8], 'elu'],
  [[7, 5], 'tanh'],
  [[9], 'silu'],
] as const)('hidden layers %j, %s', (hidden, activation) => {
  test('a symmetric network gives the mirrored output for the mirrored input; another network does not', () => {
    const { net, symmetry, random } = network(hidden, activation);
    const input = draw(random, ROWS * net.inputs);
    const difference = () => {
      const [images, wanted] = [outputs(net, mirror(input, INPUT)), mirror(outputs(net, input), OUTPUT)];
      return Math.max(...images.map((value, k) => Math.abs(value - wanted[k]!)));
    };
    expect(symmetry.isSymmetric(net.parameters)).toBe(false);
    expect(difference()).toBeGreaterThan(0.1);
    symmetry.copy(net.parameters);
    net.repack();
    expect(symmetry.isSymmetric(net.parameters)).toBe(true);
    expect(difference()).toBeLessThan(1e-5);
    expect(net.std[0]).toBe(net.std[1]);
  });

  test('symmetric gradients are those of the rows and their mirror images, so steps keep the symmetry', () => {
    const { net, symmetry, random } = symmetricNetwork(hidden, activation);
    const input = draw(random, ROWS * net.inputs);
    const slopes = draw(random, ROWS * net.outputs);
    const both = (rows: Float32Array, permutation: SignedPermutation) =>
      Float32Array.from([...rows, ...mirror(rows, permutation)]);
    outputs(net, both(input, INPUT));
    net.zeroGradients();
    net.backward(
      both(slopes, OUTPUT).map((slope) => slope / 2),
      2 * ROWS,
    );
    const wanted = net.gradients.slice();
    outputs(net, input);
    net.zeroGradients();
    net.backward(slopes, ROWS);
    expect(Math.max(...net.gradients.map((value, k) => Math.abs(value - wanted[k]!)))).toBeGreaterThan(0.1);
    symmetry.average(net.gradients);
    expect(Math.max(...net.gradients.map((value, k) => Math.abs(value - wanted[k]!)))).toBeLessThan(1e-5);
    for (let k = 0; k < 20; k++) {
      net.zeroGradients();
      outputs(net, draw(random, ROWS * net.inputs));
      net.backward(draw(random, ROWS * net.outputs), ROWS);
      net.stdGradients.set(draw(random, net.outputs));
      symmetry.average(net.gradients);
      net.step(1e-2);
    }
    expect(symmetry.isSymmetric(net.parameters)).toBe(true);
  });
});
