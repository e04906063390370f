import { describe, expect, test } from 'vitest';
import { createPolicy } from '../../src/policy/create-policy.ts';
import type { PolicyWeights } from '../../src/policy/policy.ts';
import { evaluatePlainly, someWeights } from '../support/networks.ts';
import { randomFrom } from '../support/random.ts';

describe('the kernels', () => {
  test.each(['elu', 'relu', 'tanh', 'silu'] as const)(
    '%s: the kernels agree with plain double precision',
    (activation) => {
      const network = { ...someWeights([37, 65, 40, 9], 2), activation };
      const random = randomFrom(7);
      const rows = 23;
      const x = Float32Array.from({ length: rows * 37 }, () => 6 * random() - 3);
      const out = new Float32Array(rows * 9);
      createPolicy(network, rows).evaluate(x, out, rows);
      for (let row = 0; row < rows; row += 1) {
        const wanted = evaluatePlainly(network, x.subarray(37 * row, 37 * (row + 1)));
        for (const [i, value] of wanted.entries())
          expect(Math.abs(out[9 * row + i]! - value)).toBeLessThan(2e-5 * Math.max(1, Math.abs(value)));
      }
    },
  );

  test('a row gives the same bits whatever the rest of the batch is', () => {
    const network = someWeights([154, 600, 64, 29], 4);
    const random = randomFrom(5);
    const rows = 131;
    const x = Float32Array.from({ length: rows * 154 }, () => 4 * random() - 2);
    const alone = new Float32Array(29);
    const all = new Float32Array(rows * 29);
    createPolicy(network, rows).evaluate(x, all, rows);
    for (let row = 0; row < rows; row += 1) {
      createPolicyOnce(network).evaluate(x.subarray(154 * row, 154 * (row + 1)), alone, 1);
      expect(Buffer.compare(Buffer.from(alone.buffer), Buffer.from(all.slice(29 * row, 29 * (row + 1)).buffer))).toBe(
        0,
      );
    }
    const spoiled = x.slice();
    spoiled.fill(Number.NaN, 154 * 3, 154 * 4);
    const beside = new Float32Array(rows * 29);
    createPolicy(network, rows).evaluate(spoiled, beside, rows);
    expect(beside.subarray(29 * 3, 29 * 4).every(Number.isNaN)).toBe(true);
    expect(beside.subarray(0, 29 * 3)).toEqual(all.subarray(0, 29 * 3));
    expect(beside.subarray(29 * 4)).toEqual(all.subarray(29 * 4));
  });
});

let once: ReturnType<typeof createPolicy> | null = null;
function createPolicyOnce(network: PolicyWeights) {
  once ??= createPolicy(network, 1);
  return once;
}
