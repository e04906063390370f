import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/policy/create-policy.ts';
import type { Activation } from '../../../src/policy/policy.ts';
import { TrainableNetwork } from '../../../src/policy/training/trainable-network.ts';

const SIZES = [13, 32, 21, 7];
const ROWS = 37;

/** Returns noise that is the same in every run. */
function noise(length: number, scale: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, k) => scale * Math.sin(12.9898 * (k + 1) * (seed + 1)));
}

function network(activation: Activation, stdDim = 0): TrainableNetwork {
  const made = new TrainableNetwork({ sizes: SIZES, activation, maxRows: 40, stdDim });
  made.load(
    SIZES.slice(1).map((outputs, k) => {
      const inputs = SIZES[k]!;
      return { inputs, outputs, weight: noise(inputs * outputs, 0.4, k), bias: noise(outputs, 0.2, k + 9) };
    }),
  );
  return made;
}

const input = noise(ROWS * 13, 1, 30);
/** The loss is Σ slopes · output, so its gradient by the outputs is `slopes`. */
const slopes = noise(ROWS * 7, 1, 31);

function lossOf(net: TrainableNetwork): number {
  const out = new Float32Array(ROWS * 7);
  net.forward(input, out, ROWS);
  return out.reduce((sum, value, k) => sum + value * slopes[k]!, 0);
}

test('a trainable network gives the same outputs as a policy with its weights', () => {
  const net = network('elu');
  const out = new Float32Array(ROWS * 7);
  net.forward(input, out, ROWS);
  const expected = new Float32Array(ROWS * 7);
  createPolicy({ normalizer: null, layers: net.layers(), activation: 'elu' }, ROWS).evaluate(input, expected, ROWS);
  for (const [k, value] of out.entries()) expect(value).toBeCloseTo(expected[k]!, 5);
});

test.for<Activation>(['elu', 'relu', 'tanh', 'silu'])('gradients agree with finite differences: %s', (activation) => {
  const net = network(activation);
  lossOf(net);
  net.zeroGradients();
  net.backward(slopes, ROWS);
  const gradients = net.gradients.slice();
  const largest = gradients.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  let checked = 0;
  for (let k = 0; k < net.parameters.length; k += 11) {
    const at = net.parameters[k]!;
    const h = 2e-3;
    const moved = (by: number) => {
      net.parameters[k] = at + by;
      net.repack();
      return lossOf(net);
    };
    const slope = (moved(h) - moved(-h)) / (2 * h);
    moved(0);
    // Skip padding. Its gradient is 0, because the outputs that depend on it are not used.
    if (at === 0 && gradients[k] === 0) continue;
    checked += 1;
    expect(Math.abs(gradients[k]! - slope)).toBeLessThan(0.01 * largest);
  }
  expect(checked).toBeGreaterThan(60);
});

test('gradients of parts of a batch add up to those of the batch', () => {
  const net = network('elu');
  lossOf(net);
  net.zeroGradients();
  net.backward(slopes, ROWS);
  const whole = net.gradients.slice();
  net.zeroGradients();
  const out = new Float32Array(40 * 7);
  for (const [from, to] of [
    [0, 20],
    [20, ROWS],
  ] as const) {
    net.forward(input.subarray(from * 13, to * 13), out, to - from);
    net.backward(slopes.subarray(from * 7, to * 7), to - from);
  }
  for (const [k, value] of net.gradients.entries()) expect(value).toBeCloseTo(whole[k]!, 3);
});

test('Adam steps follow the definition, also for standard deviations', () => {
  const net = network('tanh', 3);
  net.std.set([0.4, 0.5, 0.6]);
  const [theta, m, v] = [[...net.parameters], net.parameters.map(() => 0), net.parameters.map(() => 0)];
  for (let step = 1; step <= 3; step++) {
    net.zeroGradients();
    lossOf(net);
    net.backward(slopes, ROWS);
    net.stdGradients.set([1, -2, 3]);
    const scale = 0.5;
    for (const [k, gradient] of net.gradients.entries()) {
      const g = gradient * scale;
      m[k] = 0.9 * m[k]! + 0.1 * g;
      v[k] = 0.999 * v[k]! + 0.001 * g * g;
      theta[k]! -= (1e-3 * (m[k]! / (1 - 0.9 ** step))) / (Math.sqrt(v[k]! / (1 - 0.999 ** step)) + 1e-8);
    }
    net.step(1e-3, scale);
  }
  for (const [k, value] of net.parameters.entries()) expect(value).toBeCloseTo(theta[k]!, 4);
  expect(net.std[0]).toBeLessThan(0.4);
});

test('a network learns the sine of a sum', () => {
  const net = new TrainableNetwork({ sizes: [2, 32, 1], activation: 'tanh', maxRows: 64 });
  net.load([
    { inputs: 2, outputs: 32, weight: noise(64, 0.7, 1), bias: noise(32, 0.7, 2) },
    { inputs: 32, outputs: 1, weight: noise(32, 0.17, 3), bias: new Float32Array(1) },
  ]);
  const x = noise(128, 1.5, 4);
  const y = Float32Array.from({ length: 64 }, (_, k) => Math.sin(x[2 * k]! + x[2 * k + 1]!));
  const out = new Float32Array(64);
  const error = () => out.reduce((sum, value, k) => sum + (value - y[k]!) ** 2, 0) / 64;
  net.forward(x, out, 64);
  const before = error();
  for (let step = 0; step < 400; step++) {
    net.forward(x, out, 64);
    net.zeroGradients();
    net.backward(
      out.map((value, k) => (2 * (value - y[k]!)) / 64),
      64,
    );
    net.step(0.01);
  }
  net.forward(x, out, 64);
  expect(before).toBeGreaterThan(0.2);
  expect(error()).toBeLessThan(0.005);
});

test.for<Activation>(['elu', 'silu'])('a network takes the memory per row that it states: %s', (activation) => {
  const sizes = [53, 40, 24, 5];
  const bytes = (maxRows: number) => new TrainableNetwork({ sizes, activation, maxRows }).parameters.buffer.byteLength;
  const perRow = (bytes(20_000) - bytes(4000)) / 16_000 / Float32Array.BYTES_PER_ELEMENT;
  // Memory grows in pages.
  expect(Math.abs(perRow - TrainableNetwork.floatsPerRow({ sizes, activation }))).toBeLessThan(2);
});
