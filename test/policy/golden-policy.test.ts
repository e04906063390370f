import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readOnnxFile } from '../../src/formats/onnx/read-onnx-file.ts';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { onnxPolicy } from '../../src/policy/onnx/onnx-policy.ts';
import { hasKit, KIT } from '../support/kit.ts';

interface Golden {
  readonly closed_loop: readonly {
    readonly steps: readonly { readonly obs: readonly number[]; readonly action: readonly number[] }[];
  }[];
}

describe.skipIf(!hasKit)('the real policy of the kit', () => {
  const folder = `${KIT}/policies/dance1_subject2`;
  const weights = hasKit ? onnxPolicy(readOnnxFile(`${folder}/policy.onnx`)) : null;

  test("the kit's policy is 154 → 512 → 256 → 128 → 29 with ELU and a normaliser", () => {
    expect(weights!.layers.map(({ inputs, outputs }) => [inputs, outputs])).toEqual([
      [154, 512],
      [512, 256],
      [256, 128],
      [128, 29],
    ]);
    expect(weights!.activation).toBe('elu');
    expect(weights!.normalizer!.mean).toHaveLength(154);
  });

  test("the kit's policy gives the same actions as onnxruntime, within the file's rounding", () => {
    const golden = JSON.parse(readFileSync(`${folder}/golden.json`, 'utf8')) as Golden;
    const steps = golden.closed_loop.flatMap((run) => run.steps);
    const policy = createPolicy(weights!, steps.length);
    const out = new Float32Array(steps.length * 29);
    policy.evaluate(Float32Array.from(steps.flatMap((step) => step.obs)), out, steps.length);
    const wanted = steps.flatMap((step) => step.action);
    const worst = Math.max(...wanted.map((value, i) => Math.abs(value - out[i]!)));
    expect(steps.length).toBe(8);
    // Observations are rounded to 6 decimals, and the normaliser divides some by 0.01.
    expect(worst).toBeLessThan(1e-5);
  });
});
