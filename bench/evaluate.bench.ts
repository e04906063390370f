/** Claim: an evaluation takes at most 3 × the CPU of the bare physics of its control steps, and all cores together
 *  are at least 0.8 × cores times as fast as one.
 *
 *    evaluate.bench.ts [--starts 16] [--horizon 10]
 *
 *  Evaluates five clips under nominal conditions. With the kit: the kit's policy on the G1 with the kit's clips.
 *  Without it: zero actions on the built-in robot. The cost is measured over four starts; the bare physics are
 *  `mj_step`s of states of the same episodes. Scaling is measured with the whole job as the service runs it,
 *  including the start of its process, over `--starts` starts, so that the work is long compared with that start.
 *  The start of the job is measured separately: the same job with one start per clip and episodes of one control
 *  step. Each time is the better of two. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { EvaluationOrder } from '../src/evaluate/evaluation-order.ts';
import { PROCEDURAL_CLIPS } from '../src/motion/procedural/generate-clip.ts';
import { builtinClip, KIT_CLIPS, kitClip } from '../test/support/clips.ts';
import { addKitRun } from '../test/support/deploy-run.ts';
import { hasKit } from '../test/support/kit.ts';
import { preparedG1, preparedHumanoid } from '../test/support/robots.ts';
import { addSmallRun } from '../test/support/small-run.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { loadMujoco } = await fromDist<typeof import('../src/sim/mujoco.ts')>('sim/mujoco.js');
const { openClipRobot } = await fromDist<typeof import('../src/motion/clip-robot.ts')>('motion/clip-robot.js');
const { convertClip } = await fromDist<typeof import('../src/motion/convert/convert-clip.ts')>(
  'motion/convert/convert-clip.js',
);
const { formatMotionNpz } =
  await fromDist<typeof import('../src/formats/motion-npz-write.ts')>('formats/motion-npz-write.js');
const { loadMotionLibrary } = await fromDist<typeof import('../src/motion/library/load-motion-library.ts')>(
  'motion/library/load-motion-library.js',
);
const { readRunSetup } = await fromDist<typeof import('../src/play/run-setup/read-run-setup.ts')>(
  'play/run-setup/read-run-setup.js',
);
const { withCondition } = await fromDist<typeof import('../src/mdp/conditions/with-condition.ts')>(
  'mdp/conditions/with-condition.js',
);
const { createPolicy } = await fromDist<typeof import('../src/policy/create-policy.ts')>('policy/create-policy.js');
const { planEpisodes, planUnits } =
  await fromDist<typeof import('../src/evaluate/episodes.ts')>('evaluate/episodes.js');
const { evaluationTask, runUnit } =
  await fromDist<typeof import('../src/evaluate/run-unit.ts')>('evaluate/run-unit.js');
const { ownCommand } = await fromDist<typeof import('../src/jobs/own-command.ts')>('jobs/own-command.js');

const { values: options } = parseArgs({
  options: { starts: { type: 'string', default: '16' }, horizon: { type: 'string', default: '10' } },
});
const [STARTS, HORIZON] = [Number(options.starts), Number(options.horizon)];
/** Number of starts over which the cost is measured. */
const COST_STARTS = 4;
const REPEATS = 2;
/** Every this many control steps, a state is recorded for the bare physics. */
const RECORD_EVERY = 7;

const folder = temporaryFolder('motion-studio-bench-');
const mj = await loadMujoco();

/** Writes the run and the clips into the folder. @returns the order of their evaluation */
async function prepare(): Promise<EvaluationOrder> {
  const prepared = await (hasKit ? preparedG1() : preparedHumanoid());
  const { facts } = prepared;
  const robot = { facts, physicsPath: path.join(prepared.folder, 'physics.mjb') };
  const clipRobot = await openClipRobot(robot);
  const clips = hasKit
    ? KIT_CLIPS.map((name) => ({ name, rows: kitClip(name) }))
    : PROCEDURAL_CLIPS.slice(0, 5).map((name) => ({ name, rows: builtinClip(name) }));
  const files = clips.map(({ name, rows }) => {
    const file = path.join(folder, `${name}.npz`);
    const { motion } = convertClip(clipRobot, rows, { outputFps: 50, debiasZ: false });
    writeFileSync(file, Buffer.concat(formatMotionNpz(motion, '{}')));
    return { name, path: file };
  });
  const run = hasKit ? addKitRun(folder) : addSmallRun(folder, facts.joints.length);
  return {
    version: 1,
    folder: path.join(folder, 'evaluation'),
    run: { folder: run, format: 'deploy' },
    checkpoints: ['policy.onnx'],
    conditions: [{ name: 'nominal' }],
    robot,
    files,
    clips: files.map(({ name }) => name),
    starts: STARTS,
    horizonS: HORIZON,
    seed: 0,
    gate: null,
    scores: null,
    threads: 1,
  };
}

function cpuMs(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e3;
}

/** Compares the units of an evaluation with the bare physics of their states, in this thread. */
async function ratio(order: EvaluationOrder) {
  const { facts, physicsPath } = order.robot;
  const library = await loadMotionLibrary(order.files!, facts);
  const { trained, policy: weights } = await readRunSetup({ ...order.run, checkpoint: 'policy.onnx', facts });
  const config = evaluationTask(withCondition(trained, order.conditions[0]!, facts));
  const physics = readFileSync(physicsPath);
  const states: Float64Array[][] = [];
  let steps = 0;
  const watched = Object.create(mj, {
    mj_step: {
      value: (...args: Parameters<typeof mj.mj_step>) => {
        const [, data] = args;
        if (steps % config.decimation === 0 && (steps / config.decimation) % RECORD_EVERY === 0)
          states.push([data.qpos, data.qvel, data.qacc_warmstart, data.ctrl].map((view) => Float64Array.from(view)));
        steps += 1;
        mj.mj_step(...args);
      },
    },
  }) as typeof mj;
  const episodes = planEpisodes(library, COST_STARTS, HORIZON);
  const units = planUnits(episodes.length, 1, 1);
  const policy = createPolicy(weights!, 8);
  const play = (own: typeof mj) => {
    const parts = { mj: own, physics, facts, library, seed: 0 };
    for (const { first, count } of units)
      runUnit(parts, { config, policy, episodes: episodes.slice(first, first + count), first });
  };
  play(watched);
  const all = steps;
  const evaluation = cpuMs(() => play(mj));
  mj.FS.writeFile('/bare.mjb', physics);
  const noFiles = new mj.MjVFS();
  const model = mj.MjModel.from_binary_path('/bare.mjb', noFiles);
  noFiles.delete();
  // The same options as in environments.
  const { opt } = model;
  if (model.nv >= 30) opt.jacobian = mj.mjtJacobian.mjJAC_SPARSE.value;
  opt.disableflags |= mj.mjtDisableBit.mjDSBL_ISLAND.value;
  opt.iterations = config.sim.iterations;
  opt.ls_iterations = config.sim.ls_iterations;
  const data = new mj.MjData(model);
  const sampled = cpuMs(() => {
    for (const [qpos, qvel, warmstart, ctrl] of states) {
      data.qpos.set(qpos);
      data.qvel.set(qvel);
      data.qacc_warmstart.set(warmstart);
      data.ctrl.set(ctrl);
      for (let substep = 0; substep < config.decimation; substep += 1) mj.mj_step(model, data);
    }
  });
  const bare = (sampled * all) / (states.length * config.decimation);
  return { controlSteps: all / config.decimation, evaluationMs: evaluation, bareMs: bare, ratio: evaluation / bare };
}

let jobs = 0;
/** Returns the wall time of the whole job, s: the better of two. */
async function jobSeconds(order: EvaluationOrder): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < REPEATS; k++) {
    jobs += 1;
    const place = path.join(folder, `evaluation-${jobs}`);
    mkdirSync(place);
    const file = path.join(folder, `order-${jobs}.json`);
    writeFileSync(file, JSON.stringify({ ...order, folder: place }));
    const [program, ...args] = ownCommand('evaluate', file) as [string, ...string[]];
    const from = performance.now();
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`the evaluation ended with ${code}`);
    best = Math.min(best, (performance.now() - from) / 1e3);
  }
  return best;
}

const order = await prepare();
const cost = await ratio(order);
const times: { threads: number; seconds: number; startUpSeconds: number }[] = [];
for (const threads of threadCounts())
  times.push({
    threads,
    seconds: await jobSeconds({ ...order, threads }),
    startUpSeconds: await jobSeconds({ ...order, threads, starts: 1, horizonS: 1e-3 }),
  });
const speedup = times[0]!.seconds / times.at(-1)!.seconds / times.at(-1)!.threads;
console.log(`${cost.controlSteps} control steps of ${hasKit ? 'the G1' : 'the built-in robot'}`);
printTable(['evaluation, ms CPU', 'bare physics, ms CPU', 'ratio'], [[cost.evaluationMs, cost.bareMs, cost.ratio]]);
console.log(`\nwhole job of 5 clips × ${STARTS} starts × ${HORIZON} s`);
printTable(
  ['threads', 'whole job, s', 'of it start-up, s', 'per core'],
  times.map(({ threads, seconds, startUpSeconds }) => [
    threads,
    seconds,
    startUpSeconds,
    times[0]!.seconds / seconds / threads,
  ]),
);
writeResult(
  'evaluate',
  [
    { name: 'CPU of an evaluation / bare physics', value: cost.ratio, atMost: 3 },
    { name: '0.8 / speed-up per core', value: 0.8 / speedup, atMost: 1 },
  ],
  { cost, starts: STARTS, horizonS: HORIZON, times, speedup },
);

/** Returns 1, 2, 4 … and the number of all cores. */
function threadCounts(): number[] {
  const cores = availableParallelism();
  const counts = [];
  for (let threads = 1; threads < cores; threads *= 2) counts.push(threads);
  return [...counts, cores];
}
