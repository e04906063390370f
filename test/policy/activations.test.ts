import { execa } from 'execa';
import { describe, expect, test } from 'vitest';

/** Large values, ends of the range of the exponential function and of its polynomial, and values between them. */
const VALUES = [-1e6, -100, -87.4, -20, -9.1, -1, -0.35, -1e-3, -1e-30, 0, 1e-30, 1e-3, 0.35, 1, 9.1, 20, 88.1, 1e6];
const KINDS = ['elu', 'relu', 'tanh', 'silu'] as const;
/** Runs in a process of its own, because the kernels are chosen once per process. */
const script = (isFused: boolean) => `
  import { ACTIVATION, KernelMemory, useFusedKernels } from './src/policy/kernels/kernels.ts';

  if (${isFused}) useFusedKernels();
  const memory = new KernelMemory();
  const values = ${JSON.stringify(VALUES)};
  const count = 8 * Math.ceil((values.length + 1) / 8);
  const [x, gradient] = [memory.take(count), memory.take(count)];
  const kernels = memory.open();
  const results = ${JSON.stringify(KINDS)}.map((kind) => {
    const [own, slope] = [memory.view(x, count), memory.view(gradient, count)];
    own.set([...values, Number.NaN]);
    slope.fill(1);
    if (kind === 'silu') kernels.activateBack(ACTIVATION[kind], count, x, gradient);
    kernels.activate(ACTIVATION[kind], count, x);
    if (kind !== 'silu') kernels.activateBack(ACTIVATION[kind], count, x, gradient);
    return { out: [...own], slopes: [...slope] };
  });
  console.log(JSON.stringify(results));
`;

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const WANTED = {
  elu: { value: (x: number) => (x > 0 ? x : Math.expm1(x)), slope: (x: number) => (x > 0 ? 1 : Math.exp(x)) },
  relu: { value: (x: number) => Math.max(0, x), slope: (x: number) => (x > 0 ? 1 : 0) },
  tanh: { value: Math.tanh, slope: (x: number) => 1 - Math.tanh(x) ** 2 },
  silu: {
    value: (x: number) => x * sigmoid(x),
    slope: (x: number) => sigmoid(x) * (1 + x * (1 - sigmoid(x))),
  },
};

describe.each([
  ['fused', true],
  ['other', false],
] as const)('with the %s kernels', (_, isFused) => {
  test('activations and their slopes are those of Math, also at the ends of the range; NaN stays NaN', async () => {
    const { stdout } = await execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script(isFused)]);
    const results = JSON.parse(stdout) as { out: (number | null)[]; slopes: (number | null)[] }[];
    for (const [k, kind] of KINDS.entries()) {
      const { out, slopes } = results[k]!;
      for (const [i, x] of VALUES.entries()) {
        const wanted = [WANTED[kind].value(x), WANTED[kind].slope(x)] as const;
        const scale = Math.max(1, Math.abs(wanted[0]));
        expect(Math.abs(out[i]! - wanted[0]), `${kind}(${x}) is ${out[i]}`).toBeLessThan(4e-7 * scale);
        expect(Math.abs(slopes[i]! - wanted[1]), `the slope of ${kind} at ${x} is ${slopes[i]}`).toBeLessThan(1e-6);
      }
      // JSON has no NaN.
      if (kind !== 'relu') expect(out[VALUES.length]).toBeNull();
    }
  });
});
