import { execa } from 'execa';
import { expect, test } from 'vitest';
import { evaluatePlainly, someWeights } from '../support/networks.ts';
import { randomFrom } from '../support/random.ts';

const SIZES = [154, 600, 64, 29] as const;
const ROWS = 23;
/** Runs in a process of its own, because the kernels are chosen once per process. */
const SCRIPT = `
  import { readFileSync } from 'node:fs';
  import { createPolicy } from './src/policy/create-policy.ts';
  import { useFusedKernels } from './src/policy/kernels/kernels.ts';
  import { someWeights } from './test/support/networks.ts';
  import { randomFrom } from './test/support/random.ts';

  useFusedKernels();
  const [weights, random] = [someWeights([${SIZES}], 4), randomFrom(5)];
  const x = Float32Array.from({ length: ${ROWS * SIZES[0]} }, () => 4 * random() - 2);
  const [batch, single] = [createPolicy(weights, ${ROWS}), createPolicy(weights, 1)];
  const all = new Float32Array(${ROWS * SIZES[3]});
  batch.evaluate(x, all, ${ROWS});
  const alone = [];
  for (let row = 0; row < ${ROWS}; row += 1) {
    const out = new Float32Array(${SIZES[3]});
    single.evaluate(x.subarray(${SIZES[0]} * row, ${SIZES[0]} * (row + 1)), out, 1);
    alone.push(...out);
  }
  const fused = WebAssembly.validate(readFileSync('src/policy/kernels/kernels-fused.wasm'));
  console.log(JSON.stringify({ fused, all: [...all], alone }));
`;

test('the fused kernels agree with plain double precision, and a row does not depend on the rest of the batch', async () => {
  const { stdout } = await execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT]);
  const { fused, all, alone } = JSON.parse(stdout) as { fused: boolean; all: number[]; alone: number[] };
  expect(fused).toBe(true);
  expect(alone).toEqual(all);
  const random = randomFrom(5);
  const x = Float32Array.from({ length: ROWS * SIZES[0] }, () => 4 * random() - 2);
  for (let row = 0; row < ROWS; row += 1) {
    const wanted = evaluatePlainly(someWeights(SIZES, 4), x.subarray(SIZES[0] * row, SIZES[0] * (row + 1)));
    for (const [i, value] of wanted.entries())
      expect(Math.abs(all[SIZES[3] * row + i]! - value)).toBeLessThan(2e-5 * Math.max(1, Math.abs(value)));
  }
});
