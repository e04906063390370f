/** Claim: a learning step of the built-in trainer takes at most 0.4 of the CPU of jax-js for the same loss and
 *  gradients. A step is: both networks forward, PPO's loss, backward, clipped Adam, over one minibatch. Its networks
 *  reach at least 0.35 of the peak of one core with four lanes (the width of WebAssembly).
 *
 *    learning.bench.ts [--reps 9] [--rows 768]
 *
 *  Uses the networks of the plain task in the built-in profile, for the built-in robot and, with the kit, for the G1.
 *  jax-js compiles the loss and Adam to WebAssembly; its gradients are compared with ours first. The two alternate in
 *  rounds and are compared by CPU time. A C program (bench/native/float-peak.c) measures the peak. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { init, jit, nn, numpy as np, valueAndGrad } from '@jax-js/jax';
import type { DenseLayer } from '../src/policy/policy.ts';
import type { RobotFacts } from '../src/robots/robot-facts.ts';
import type { LossRows } from '../src/train/ppo/ppo-loss.ts';
import { hasKit } from '../test/support/kit.ts';
import { preparedG1, preparedHumanoid } from '../test/support/robots.ts';
import { compileC } from './harness/native.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { medianOf } from './harness/statistics.ts';

const { baseTasks } = await fromDist<typeof import('../src/mdp/tasks/base-tasks.ts')>('mdp/tasks/base-tasks.js');
const { LIBRARY } = await fromDist<typeof import('../src/mdp/library.ts')>('mdp/library.js');
const { taskEffect } = await fromDist<typeof import('../src/presets/task-effect.ts')>('presets/task-effect.js');
const { trainedTask } = await fromDist<typeof import('../src/train/builtin-profile.ts')>('train/builtin-profile.js');
const { createActorCritic } =
  await fromDist<typeof import('../src/train/ppo/actor-critic.ts')>('train/ppo/actor-critic.js');
const { addEntropyGradient, logNormaliser, logProbability, ppoLoss } =
  await fromDist<typeof import('../src/train/ppo/ppo-loss.ts')>('train/ppo/ppo-loss.js');

const { values: options } = parseArgs({
  options: { reps: { type: 'string', default: '9' }, rows: { type: 'string', default: '768' } },
});
const rows = Number(options.rows);
/** approximate CPU time of a round, ms */
const ROUND_MS = 300;
/** Largest allowed difference of gradients relative to their largest value: float32 sums depend on the order. */
const SAME_GRADIENTS = 1e-3;
const RATE = 1e-4;
const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

type Arrays = { [name: string]: np.Array };

function noise(length: number, scale: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, k) => scale * Math.sin(12.9898 * (k + 1) * (seed + 1)));
}

function subject({ facts }: { readonly facts: RobotFacts }) {
  const task = trainedTask(baseTasks(facts)[0]!.config, 'builtin');
  const { observations } = taskEffect(task, facts, LIBRARY);
  const [actorDim, criticDim] = [observations['actor']!, observations['critic']!];
  const actionDim = facts.joints.length;
  const { agent } = task;
  const networks = createActorCritic({ agent, actorDim, criticDim, actionDim, maxRows: rows, seed: 1 });
  const { actor, critic } = networks;
  const std = Float32Array.from(actor.std);
  const oldMeans = noise(rows * actionDim, 0.1, 1);
  const actions = oldMeans.map((mean, k) => mean + noise(rows * actionDim, 0.5, 2)[k]!);
  const batch: LossRows = {
    rows,
    actionDim,
    actions,
    oldMeans,
    oldStd: std,
    oldLogProb: Float32Array.from({ length: rows }, (_, row) =>
      logProbability(actions, oldMeans, std, logNormaliser(std), row * actionDim),
    ),
    advantages: noise(rows, 1.3, 3),
    returns: noise(rows, 2, 4),
    oldValues: noise(rows, 1, 5),
  };
  const input = { actor: noise(rows * actorDim, 1.2, 6), critic: noise(rows * criticDim, 1.2, 7) };
  const means = new Float32Array(rows * actionDim);
  const values = new Float32Array(rows);
  const outputs = { means, std: actor.std, values };
  const slopes = {
    means: new Float32Array(rows * actionDim),
    std: new Float32Array(actionDim),
    values: new Float32Array(rows),
  };
  const gradients = () => {
    actor.forward(input.actor, means, rows);
    critic.forward(input.critic, values, rows);
    slopes.std.fill(0);
    ppoLoss(batch, outputs, agent.algorithm, rows, slopes);
    addEntropyGradient(slopes.std, actor.std, agent.algorithm.entropy_coef);
    actor.zeroGradients();
    critic.zeroGradients();
    actor.backward(slopes.means, rows);
    critic.backward(slopes.values, rows);
    actor.stdGradients.set(slopes.std);
  };
  const step = () => {
    gradients();
    for (const network of [actor, critic]) network.step(RATE, Math.min(1, 1 / network.gradientNorm));
  };
  const networkStep = () => {
    actor.forward(input.actor, means, rows);
    critic.forward(input.critic, values, rows);
    actor.backward(slopes.means, rows);
    critic.backward(slopes.values, rows);
  };
  const multiplications = [actor, critic]
    .flatMap((network) => network.layers())
    .reduce((sum, { inputs, outputs }) => sum + inputs * outputs, 0);
  const firstLayers = [actor, critic].reduce((sum, network) => {
    const [first] = network.layers();
    return sum + first!.inputs * first!.outputs;
  }, 0);
  // Forward, gradient of the weights, gradient of the inputs (not needed for the first layers).
  const flops = 2 * rows * (3 * multiplications - firstLayers);
  return { agent, networks, batch, input, gradients, step, networkStep, flops, actorDim, criticDim, actionDim };
}

/** The same step in jax-js. */
function inJax({ agent, networks, batch, input, actionDim, actorDim, criticDim }: ReturnType<typeof subject>) {
  const { algorithm } = agent;
  const names = ['actor', 'critic'] as const;
  const paramsOf = (name: (typeof names)[number], layers: readonly DenseLayer[]): [string, np.Array][] =>
    layers.flatMap(({ weight, bias, inputs, outputs }, k): [string, np.Array][] => [
      [`${name}${k}w`, np.array(weight).reshape([outputs, inputs]).transpose()],
      [`${name}${k}b`, np.array(bias)],
    ]);
  const depth = networks.actor.layers().length;
  const forward = (params: Arrays, name: string, x: np.Array) => {
    let out = x;
    for (let k = 0; k < depth; k++) {
      out = np.matmul(out, params[`${name}${k}w`]!).add(params[`${name}${k}b`]!);
      if (k < depth - 1) out = nn.elu(out);
    }
    return out;
  };
  const loss = (params: Arrays, given: Arrays) => {
    const means = forward(params, 'actor', given['actor']!);
    const values = forward(params, 'critic', given['critic']!).reshape([rows]);
    const std = params['std']!;
    const z = given['actions']!.sub(means).div(std.ref);
    const logStd = np.log(std).sum();
    const logProb = z.ref
      .mul(z)
      .sum(1)
      .mul(-0.5)
      .sub(logStd.ref)
      .sub(0.5 * actionDim * Math.log(2 * Math.PI));
    const ratio = np.exp(logProb.sub(given['oldLogProb']!));
    const advantages = given['advantages']!;
    const plain = advantages.ref.mul(-1).mul(ratio.ref);
    const { clip_param: clip } = algorithm;
    const clipped = advantages.mul(-1).mul(np.clip(ratio, 1 - clip, 1 + clip));
    const surrogate = np.maximum(plain, clipped).mean();
    const oldValues = given['oldValues']!;
    const returns = given['returns']!;
    const kept = oldValues.ref.add(np.clip(values.ref.sub(oldValues), -clip, clip)).sub(returns.ref);
    const error = values.sub(returns);
    const value = np.maximum(error.ref.mul(error), kept.ref.mul(kept)).mean();
    return surrogate.add(value.mul(algorithm.value_loss_coef)).sub(logStd.mul(algorithm.entropy_coef));
  };
  const gradient = jit(valueAndGrad(loss));
  const adam = jit((params: Arrays, slopes: Arrays, m: Arrays, v: Arrays, steps: np.Array) => {
    const next: { params: Arrays; m: Arrays; v: Arrays } = { params: {}, m: {}, v: {} };
    const scales: Arrays = {};
    for (const name of names) {
      const own = Object.keys(params).filter((key) => key.startsWith(name) || (name === 'actor' && key === 'std'));
      const squares = own.map((key) => slopes[key]!.ref.mul(slopes[key]!.ref).sum()).reduce((a, b) => a.add(b));
      scales[name] = np.minimum(np.reciprocal(np.sqrt(squares)), 1);
    }
    const [corrected1, corrected2] = [BETA1, BETA2].map((beta) =>
      np
        .exp(steps.ref.mul(Math.log(beta)))
        .mul(-1)
        .add(1),
    ) as [np.Array, np.Array];
    steps.dispose();
    for (const key of Object.keys(params)) {
      const scaled = slopes[key]!.mul(scales[key.startsWith('critic') ? 'critic' : 'actor']!.ref);
      const first = m[key]!.mul(BETA1).add(scaled.ref.mul(1 - BETA1));
      const second = v[key]!.mul(BETA2).add(scaled.ref.mul(scaled).mul(1 - BETA2));
      next.m[key] = first.ref;
      next.v[key] = second.ref;
      const change = first.div(corrected1.ref).div(np.sqrt(second.div(corrected2.ref)).add(EPSILON));
      next.params[key] = params[key]!.sub(change.mul(RATE));
    }
    for (const each of [corrected1, corrected2, ...Object.values(scales)]) each.dispose();
    return next;
  });
  let params: Arrays = Object.fromEntries([
    ...paramsOf('actor', networks.actor.layers()),
    ...paramsOf('critic', networks.critic.layers()),
    ['std', np.array(Float32Array.from(networks.actor.std))],
  ]);
  const zeros = () => Object.fromEntries(Object.entries(params).map(([key, { shape }]) => [key, np.zeros(shape)]));
  let moments = { m: zeros(), v: zeros() };
  let steps = 0;
  const given: Arrays = {
    actor: np.array(input.actor).reshape([rows, actorDim]),
    critic: np.array(input.critic).reshape([rows, criticDim]),
    actions: np.array(batch.actions).reshape([rows, actionDim]),
    oldLogProb: np.array(batch.oldLogProb),
    advantages: np.array(batch.advantages),
    returns: np.array(batch.returns),
    oldValues: np.array(batch.oldValues),
  };
  const keep = (arrays: Arrays) => Object.fromEntries(Object.entries(arrays).map(([key, array]) => [key, array.ref]));
  return {
    gradients: async (): Promise<Map<string, Float32Array>> => {
      const [value, slopes] = gradient(keep(params), keep(given)) as [np.Array, Arrays];
      value.dispose();
      const out = new Map<string, Float32Array>();
      for (const [key, array] of Object.entries(slopes)) out.set(key, (await array.data()) as Float32Array);
      return out;
    },
    step: async () => {
      const [value, slopes] = gradient(keep(params), keep(given)) as [np.Array, Arrays];
      steps += 1;
      const next = adam(params, slopes, moments.m, moments.v, np.array(steps)) as ReturnType<typeof adam>;
      params = next.params as Arrays;
      moments = { m: next.m as Arrays, v: next.v as Arrays };
      await value.data();
      await params['critic0w']!.ref.data();
    },
  };
}

/** Returns the CPU time of one call, µs. */
async function cpuUs(call: () => unknown, calls: number): Promise<number> {
  const from = process.cpuUsage();
  for (let k = 0; k < calls; k++) await call();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / calls;
}

/** Compares losses and gradients of both. @throws Error if they differ */
async function compare(ours: ReturnType<typeof subject>, theirs: ReturnType<typeof inJax>): Promise<void> {
  ours.gradients();
  const given = await theirs.gradients();
  for (const name of ['actor', 'critic'] as const) {
    const network = ours.networks[name];
    for (const [k, { weight, inputs, outputs }] of network.layers(network.gradients).entries()) {
      const other = given.get(`${name}${k}w`)!;
      const largest = weight.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      for (let o = 0; o < outputs; o++)
        for (let i = 0; i < inputs; i++) {
          const off = Math.abs(weight[o * inputs + i]! - other[i * outputs + o]!);
          if (!(off <= SAME_GRADIENTS * largest))
            throw new Error(`${name} layer ${k}: gradient ${weight[o * inputs + i]}, jax-js ${other[i * outputs + o]}`);
        }
    }
  }
  for (const [j, slope] of ours.networks.actor.stdGradients.entries()) {
    const other = given.get('std')![j]!;
    if (!(Math.abs(slope - other) <= SAME_GRADIENTS * Math.max(1, Math.abs(slope))))
      throw new Error(`standard deviation ${j}: gradient ${slope}, jax-js ${other}`);
  }
}

await init('wasm');
const peakProgram = compileC('float-peak');
const peak = peakProgram
  ? (JSON.parse(spawnSync(peakProgram, { encoding: 'utf8' }).stdout) as { lanes4: number; widest: number })
  : { lanes4: Number.NaN, widest: Number.NaN };
const subjects = { 'built-in robot': preparedHumanoid, ...(hasKit ? { G1: preparedG1 } : {}) };
const results = [];
for (const [robot, prepare] of Object.entries(subjects)) {
  const ours = subject(await prepare());
  const theirs = inJax(ours);
  await compare(ours, theirs);
  const calls = { step: ours.step, networks: ours.networkStep, jax: theirs.step };
  const counts = {} as Record<keyof typeof calls, number>;
  for (const [name, call] of Object.entries(calls) as [keyof typeof calls, () => unknown][]) {
    await cpuUs(call, 3);
    counts[name] = Math.max(3, Math.ceil((1e3 * ROUND_MS) / (await cpuUs(call, 5))));
  }
  const rounds: Record<keyof typeof calls, number>[] = [];
  for (let round = 0; round < Number(options.reps); round++) {
    const us = {} as Record<keyof typeof calls, number>;
    for (const [name, call] of Object.entries(calls) as [keyof typeof calls, () => unknown][])
      us[name] = await cpuUs(call, counts[name]);
    rounds.push(us);
  }
  results.push({
    robot,
    networks: `${ours.actorDim}+${ours.criticDim}`,
    stepMs: medianOf(rounds, ({ step }) => step / 1e3),
    jaxMs: medianOf(rounds, ({ jax }) => jax / 1e3),
    networkGflops: ours.flops / 1e3 / medianOf(rounds, ({ networks }) => networks),
    stepGflops: ours.flops / 1e3 / medianOf(rounds, ({ step }) => step),
    ratio: medianOf(rounds, ({ step, jax }) => step / jax),
  });
}
console.log(`peak of one core: ${peak.lanes4} GFLOP/s on four lanes, ${peak.widest} on its widest`);
printTable(
  ['networks of', 'observations', 'step, ms', 'jax-js, ms', 'networks, GFLOP/s', 'step, GFLOP/s', 'CPU, ours / jax-js'],
  results.map((r) => [r.robot, r.networks, r.stepMs, r.jaxMs, r.networkGflops, r.stepGflops, r.ratio]),
);
writeResult(
  'learning',
  results.flatMap(({ robot, ratio, networkGflops }) => [
    { name: `CPU against jax-js, ${robot}`, value: ratio, atMost: 0.4 },
    { name: `0.35 of four lanes' peak / networks, ${robot}`, value: (0.35 * peak.lanes4) / networkGflops, atMost: 1 },
  ]),
  { reps: Number(options.reps), rows, peak, results },
);
