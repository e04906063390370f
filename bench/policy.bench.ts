/** Claim: evaluating the network of a policy with our kernels takes at most the CPU of onnxruntime-web with one thread,
 *  for one to a thousand observations, and gives the same actions. The plain loop in JavaScript takes several times as
 *  much.
 *
 *    policy.bench.ts [--reps 15]
 *
 *  Uses two networks with random weights, ELU and a normaliser: that of the built-in trainer (132 → 128 → 128 → 64 →
 *  21) and one of the size of a deployed G1 policy (154 → 512 → 256 → 128 → 29). onnxruntime-web runs the ONNX file
 *  that we export, as single-threaded WASM with SIMD; its calls are asynchronous, because it offers no synchronous
 *  ones. The evaluators alternate in rounds and are compared by CPU time. */
import { parseArgs } from 'node:util';
import * as ort from 'onnxruntime-web';
import type { PolicyWeights } from '../src/policy/policy.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { medianOf } from './harness/statistics.ts';

const { createPolicy } = await fromDist<typeof import('../src/policy/create-policy.ts')>('policy/create-policy.js');
const { exportPolicy } =
  await fromDist<typeof import('../src/policy/onnx/export-policy.ts')>('policy/onnx/export-policy.js');

const { values: options } = parseArgs({ options: { reps: { type: 'string', default: '15' } } });
const NETWORKS = {
  builtin: [132, 128, 128, 64, 21],
  g1: [154, 512, 256, 128, 29],
} as const;
const BATCHES = [1, 16, 64, 256, 1024];
/** Approximate CPU time of a round of one evaluator, ms. */
const ROUND_MS = 30;
/** Largest allowed difference of actions: float32 sums depend on the order. */
const SAME_ACTIONS = 1e-4;

ort.env.wasm.numThreads = 1;
ort.env.wasm.simd = true;

function randomWeights(sizes: readonly number[]): PolicyWeights {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const draw = (length: number, scale: number) => Float32Array.from({ length }, () => random() * scale);
  return {
    layers: sizes.slice(1).map((outputs, k) => {
      const inputs = sizes[k]!;
      return { inputs, outputs, weight: draw(inputs * outputs, 1.5 / Math.sqrt(inputs)), bias: draw(outputs, 0.1) };
    }),
    activation: 'elu',
    normalizer: { mean: draw(sizes[0]!, 1), std: draw(sizes[0]!, 0.5).map((x) => 1 + x), epsilon: 0.01 },
  };
}

/** Evaluates the same network in loops over plain arrays. */
function plainly({ layers, normalizer }: PolicyWeights, x: Float32Array, out: Float32Array, n: number): void {
  const inputs = layers[0]!.inputs;
  let rows = new Float32Array(x.length);
  for (let k = 0; k < x.length; k += 1) {
    const i = k % inputs;
    rows[k] = (x[k]! - normalizer!.mean[i]!) / (normalizer!.std[i]! + normalizer!.epsilon);
  }
  for (const [index, layer] of layers.entries()) {
    const next = index === layers.length - 1 ? out : new Float32Array(n * layer.outputs);
    for (let row = 0; row < n; row += 1)
      for (let o = 0; o < layer.outputs; o += 1) {
        let sum = layer.bias[o]!;
        for (let i = 0; i < layer.inputs; i += 1)
          sum += layer.weight[o * layer.inputs + i]! * rows[row * layer.inputs + i]!;
        next[row * layer.outputs + o] = index === layers.length - 1 || sum > 0 ? sum : Math.expm1(sum);
      }
    rows = next as Float32Array<ArrayBuffer>;
  }
}

type Evaluate = () => unknown;

/** Returns the CPU time of one call, µs. */
async function cpuUs(evaluate: Evaluate, calls: number): Promise<number> {
  const from = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await evaluate();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / calls;
}

const NAMES = ['ours', 'onnxruntime-web', 'plain JavaScript'] as const;
type Name = (typeof NAMES)[number];
const results = [];
for (const [network, sizes] of Object.entries(NETWORKS)) {
  const weights = randomWeights(sizes);
  const session = await ort.InferenceSession.create(exportPolicy(weights, new Map()), { executionProviders: ['wasm'] });
  const multiplications = sizes.slice(1).reduce((sum, outputs, k) => sum + outputs * sizes[k]!, 0);
  for (const n of BATCHES) {
    const policy = createPolicy(weights, n);
    const x = Float32Array.from({ length: n * sizes[0]! }, (_, k) => Math.sin(k * 0.37) * 2);
    const out = new Float32Array(n * policy.outputs);
    const plain = new Float32Array(n * policy.outputs);
    const feeds = { obs: new ort.Tensor('float32', x, [n, sizes[0]!]) };
    const evaluators: Record<Name, Evaluate> = {
      ours: () => policy.evaluate(x, out, n),
      'onnxruntime-web': () => session.run(feeds),
      'plain JavaScript': () => plainly(weights, x, plain, n),
    };
    const { actions } = await session.run(feeds);
    for (const name of NAMES) await evaluators[name]();
    for (const [i, value] of (actions!.data as Float32Array).entries())
      if (Math.abs(value - out[i]!) > SAME_ACTIONS || Math.abs(value - plain[i]!) > SAME_ACTIONS)
        throw new Error(`${network} × ${n}: action ${i} is ${out[i]}, ${plain[i]} plainly, ${value} by onnxruntime`);
    const calls = {} as Record<Name, number>;
    for (const name of NAMES) {
      await cpuUs(evaluators[name], 3);
      calls[name] = Math.max(1, Math.ceil((1e3 * ROUND_MS) / (await cpuUs(evaluators[name], 5))));
    }
    const rounds: Record<Name, number>[] = [];
    for (let round = 0; round < Number(options.reps); round += 1) {
      const us = {} as Record<Name, number>;
      for (const name of NAMES) us[name] = await cpuUs(evaluators[name], calls[name]);
      rounds.push(us);
    }
    const us = Object.fromEntries(NAMES.map((name) => [name, medianOf(rounds, (round) => round[name])])) as Record<
      Name,
      number
    >;
    results.push({
      network,
      n,
      us,
      gflops: (2e-3 * multiplications * n) / us.ours,
      ratio: medianOf(rounds, (round) => round.ours / round['onnxruntime-web']),
    });
  }
  await session.release();
}

printTable(
  ['network', 'observations', ...NAMES.map((name) => `${name}, µs`), 'ours, GFLOP/s', 'CPU, ours / onnxruntime'],
  results.map(({ network, n, us, gflops, ratio }) => [network, n, ...NAMES.map((name) => us[name]), gflops, ratio]),
);
writeResult(
  'policy',
  results.map(({ network, n, ratio }) => ({
    name: `CPU against onnxruntime-web, ${network} × ${n}`,
    value: ratio,
    atMost: 1,
  })),
  { reps: Number(options.reps), networks: NETWORKS, results },
);
