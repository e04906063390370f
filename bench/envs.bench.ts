/** Claim: tracking environments cost little more than their physics, and their speed scales with threads.
 *
 *  - observations (actor and critic, with noise), rewards, terminations, events and resets of the plain task cost at
 *    most 25 % of the CPU of the bare `mj_step` of the same states;
 *  - all cores together make at least 0.7 × cores as many environment steps per second as one core;
 *  - 4096 environments take less than 300 MB.
 *
 *    envs.bench.ts [--seconds 2] [--reps 3] */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { printTable, writeResult } from './harness/report.ts';
import { median } from './harness/statistics.ts';
import { startThread } from './harness/thread.ts';
import { loadMujoco, TRACKED, type TrackingParts, trackingEnvironments, trackingParts } from './harness/tracking.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '2' }, reps: { type: 'string', default: '3' } },
});
const SECONDS = Number(options.seconds);
const REPS = Number(options.reps);
const COUNTS = [1, 32, 256, 1024];
/** Number of recorded states that the bare loop repeats. */
const RECORDED = 1024;
const DECIMATION = 4;
const MANY = 4096;
const cores = availableParallelism();
const mj = await loadMujoco();

/** Duration of one kind of work before the other kind runs, ms. Both kinds are then affected by the same
 *  disturbances of the machine. */
const SLICE = 100;

/** Accumulates time and CPU time of one kind of work. */
class Cost {
  #count = 0;
  #ms = 0;
  #cpu = 0;

  /** Repeats `step`, which makes `each` environment steps, for the duration of one slice. */
  slice(each: number, step: () => void): void {
    const cpu = process.cpuUsage();
    const start = performance.now();
    do {
      step();
      this.#count += each;
    } while (performance.now() - start < SLICE);
    this.#ms += performance.now() - start;
    const used = process.cpuUsage(cpu);
    this.#cpu += used.user + used.system;
  }

  /** environment steps per second */
  get rate(): number {
    return (1e3 * this.#count) / this.#ms;
  }

  /** CPU time per environment step, µs */
  get cpu(): number {
    return this.#cpu / this.#count;
  }
}

/** Prepares the bare physics of the environments: records their states, then only steps these states. */
async function bareStep(parts: TrackingParts, n: number): Promise<() => void> {
  const states: Record<'qpos' | 'qvel' | 'qacc_warmstart' | 'ctrl', Float64Array>[] = [];
  let calls = 0;
  const envs = await trackingEnvironments(parts, { n, firstEnv: 0, total: n }, (data) => {
    if (calls++ % DECIMATION !== 0) return;
    const { qpos, qvel, qacc_warmstart, ctrl } = data as unknown as (typeof states)[number];
    states.push({ qpos: qpos.slice(), qvel: qvel.slice(), qacc_warmstart: qacc_warmstart.slice(), ctrl: ctrl.slice() });
  });
  const actions = new Float32Array(n * envs.actionDim);
  for (let step = 0; step < 20; step++) envs.step(actions);
  states.length = 0;
  while (states.length < RECORDED) envs.step(actions);
  envs.delete();
  mj.FS.writeFile('/bare.mjb', readFileSync(parts.physicsPath));
  const noFiles = new mj.MjVFS();
  const model = mj.MjModel.from_binary_path('/bare.mjb', noFiles);
  noFiles.delete();
  if (model.nv >= 30) model.opt.jacobian = mj.mjtJacobian.mjJAC_SPARSE.value;
  const data = new mj.MjData(model);
  let at = 0;
  return () => {
    // Read the views on each call: creating environments may grow MuJoCo's heap, which detaches older views.
    const { qpos, qvel, qacc_warmstart, ctrl } = data as unknown as (typeof states)[number];
    for (let env = 0; env < n; env++) {
      const state = states[at]!;
      at = (at + 1) % states.length;
      qpos.set(state.qpos);
      qvel.set(state.qvel);
      qacc_warmstart.set(state.qacc_warmstart);
      ctrl.set(state.ctrl);
      for (let substep = 0; substep < DECIMATION; substep++) mj.mj_step(model, data);
    }
  };
}

async function measure(robot: (typeof TRACKED)[number], parts: TrackingParts, n: number) {
  const bare = await bareStep(parts, n);
  const envs = await trackingEnvironments(parts, { n, firstEnv: 0, total: n });
  const actions = new Float32Array(n * envs.actionDim);
  for (let env = 0; env < 1500; env += n) envs.step(actions); // warm-up: V8 optimises the code
  const costs: { readonly full: Cost; readonly bare: Cost }[] = [];
  for (let rep = 0; rep < REPS; rep++) {
    const cost = { full: new Cost(), bare: new Cost() };
    const end = performance.now() + 2e3 * SECONDS;
    while (performance.now() < end) {
      cost.full.slice(n, () => envs.step(actions));
      cost.bare.slice(n, bare);
    }
    costs.push(cost);
  }
  envs.delete();
  return {
    robot,
    envs: n,
    rate: median(costs.map(({ full }) => full.rate)),
    bareRate: median(costs.map((cost) => cost.bare.rate)),
    cpu: median(costs.map(({ full }) => full.cpu)),
    bareCpu: median(costs.map((cost) => cost.bare.cpu)),
    overhead: median(costs.map((cost) => cost.full.cpu / cost.bare.cpu)) - 1,
  };
}

/** Returns the environment steps per second of `n` environments in `threads` threads. */
async function spread(parts: TrackingParts, n: number, threads: number): Promise<number> {
  const workers = Array.from({ length: threads }, (_, k) => {
    const firstEnv = Math.floor((k * n) / threads);
    const place = { n: Math.floor(((k + 1) * n) / threads) - firstEnv, firstEnv, total: n };
    return startThread('harness/envs.thread.ts', { parts, place });
  });
  const answers = () => Promise.all(workers.map(async (worker) => ((await once(worker, 'message')) as [number])[0]));
  await answers();
  const rates: number[] = [];
  for (let rep = 0; rep <= REPS; rep++) {
    const rated = answers();
    for (const worker of workers) worker.postMessage(SECONDS);
    const sum = (await rated).reduce((total, rate) => total + rate, 0);
    if (rep > 0) rates.push(sum); // the first repetition is a warm-up for V8
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  return median(rates);
}

/** Returns the memory that environments take, MB: their arrays and MuJoCo's heap. */
async function memoryOf(parts: TrackingParts, n: number): Promise<number> {
  const used = () => {
    globalThis.gc?.();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    return arrayBuffers + heapUsed;
  };
  const before = used();
  const envs = await trackingEnvironments(parts, { n, firstEnv: 0, total: n });
  const taken = used() - before;
  envs.delete();
  return taken / 1e6;
}

const rows: Awaited<ReturnType<typeof measure>>[] = [];
const threads: { robot: string; envs: number; threads: number; rate: number }[] = [];
const memory: { robot: string; envs: number; mb: number }[] = [];
for (const robot of TRACKED) {
  const parts = await trackingParts(robot);
  for (const n of COUNTS) rows.push(await measure(robot, parts, n));
  for (let count = 1; count <= cores; count *= 2)
    threads.push({ robot, envs: 256, threads: count, rate: await spread(parts, 256, count) });
  memory.push({ robot, envs: MANY, mb: await memoryOf(parts, MANY) });
}

printTable(
  ['robot', 'envs', 'env-steps/s', 'bare mj_step', 'µs CPU', 'bare', 'overhead'],
  rows.map((row) => [row.robot, row.envs, row.rate, row.bareRate, row.cpu, row.bareCpu, row.overhead]),
);
console.log();
printTable(
  ['robot', 'envs', 'threads', 'env-steps/s'],
  threads.map((row) => [row.robot, row.envs, row.threads, row.rate]),
);
console.log();
printTable(
  ['robot', 'envs', 'MB'],
  memory.map((row) => [row.robot, row.envs, row.mb]),
);

const scaled = TRACKED.map((robot) => {
  const own = threads.filter((row) => row.robot === robot);
  return own[0]!.rate / own[own.length - 1]!.rate;
});
writeResult(
  'envs',
  [
    { name: 'CPU beside physics', value: Math.max(...rows.map((row) => row.overhead)), atMost: 0.25 },
    { name: 'one thread / all threads', value: Math.max(...scaled), atMost: 1 / (0.7 * cores) },
    { name: `MB of ${MANY} environments`, value: Math.max(...memory.map((row) => row.mb)), atMost: 300 },
  ],
  { environments: rows, threads, memory },
);
