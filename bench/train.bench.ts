/** Claim: the built-in trainer learns on a laptop.
 *
 *  - a squat and steps in place of the built-in robot: after the usual iterations, within 3 minutes, the policy without
 *    noise lasts at least 0.9 of 10 s for every seed, from starts that were not used to choose a checkpoint; zero
 *    action lasts less than half of that;
 *  - with `--all-clips`: the same for all built-in clips in one training, within 10 minutes;
 *  - with the kit's G1 (`--g1`): it tracks the first 10 s of walk1_subject1 for 9 s of 10, completes 0.9 of the
 *    episodes, and keeps bodies within 0.06 m, within 10 minutes;
 *  - all cores make at least 0.7 × cores as many environment steps per second as one core, including learning.
 *
 *    train.bench.ts [--seeds 3] [--clips squat,step_in_place] [--iterations 0] [--all-clips] [--all-iterations 900]
 *                   [--g1] [--g1-seeds 3] [--g1-task G1-SE] [--g1-iterations 0]
 *
 *  Each clip of `--clips` is trained separately. 0 iterations means the number of the task. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { TrainingOrder } from '../src/train/training-order.ts';
import { builtinClip, cutClip, kitClip } from '../test/support/clips.ts';
import { hasKit } from '../test/support/kit.ts';
import { preparedG1, preparedHumanoid } from '../test/support/robots.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';

const { PROCEDURAL_CLIPS } = await fromDist<typeof import('../src/motion/procedural/generate-clip.ts')>(
  'motion/procedural/generate-clip.js',
);
const { baseTasks } = await fromDist<typeof import('../src/mdp/tasks/base-tasks.ts')>('mdp/tasks/base-tasks.js');
const { trainedTask } = await fromDist<typeof import('../src/train/builtin-profile.ts')>('train/builtin-profile.js');
const { ORDER_VERSION } = await fromDist<typeof import('../src/train/training-order.ts')>('train/training-order.js');
const { openClipRobot } = await fromDist<typeof import('../src/motion/clip-robot.ts')>('motion/clip-robot.js');
const { convertClip } = await fromDist<typeof import('../src/motion/convert/convert-clip.ts')>(
  'motion/convert/convert-clip.js',
);
const { formatMotionNpz } =
  await fromDist<typeof import('../src/formats/motion-npz-write.ts')>('formats/motion-npz-write.js');
const { readEvents } = await fromDist<typeof import('../src/formats/event-file/read-events.ts')>(
  'formats/event-file/read-events.js',
);

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    clips: { type: 'string', default: 'squat,step_in_place' },
    iterations: { type: 'string', default: '0' },
    'all-clips': { type: 'boolean', default: false },
    'all-iterations': { type: 'string', default: '900' },
    g1: { type: 'boolean', default: false },
    'g1-clip': { type: 'string', default: 'walk1_subject1' },
    'g1-task': { type: 'string', default: 'G1-SE' },
    'g1-iterations': { type: 'string', default: '0' },
    'g1-seeds': { type: 'string', default: '3' },
  },
});
const MAIN = fileURLToPath(new URL('../dist/cli/job-process.js', import.meta.url));
const CONTROL_HZ = 50;
const EPISODE_S = 10;
const RAW_FPS = 30;
const cores = availableParallelism();
const root = mkdtempSync(path.join(tmpdir(), 'motion-studio-bench-train-'));

interface Course {
  readonly seconds: number;
  readonly peakMb: number;
  /** environment steps per second, median of the iterations, including learning */
  readonly stepsPerSecond: number;
  readonly collectionS: number;
  readonly learningS: number;
  /** evaluations of the policy without noise, by iteration */
  readonly curve: readonly { readonly iteration: number; readonly s: number }[];
  /** from starts that were not used to choose a checkpoint */
  readonly final: { readonly s: number; readonly full: number; readonly tracking: number; readonly bodies: number };
  readonly zeroActionS: number;
}

/** Trains in a separate process, as the service does. */
async function train(order: TrainingOrder): Promise<Course> {
  mkdirSync(order.runFolder, { recursive: true });
  const file = path.join(order.runFolder, '..', `${path.basename(order.runFolder)}.json`);
  writeFileSync(file, JSON.stringify(order));
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, 'train', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  let peakKb = 0;
  const watch = setInterval(() => {
    try {
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]));
    } catch {
      // Without /proc, or after the process has ended, there is no value.
    }
  }, 500);
  const [code] = (await once(child, 'close')) as [number];
  clearInterval(watch);
  if (code !== 0) throw new Error(`the trainer ended with ${code}:\n${output.slice(-2000)}`);
  const seconds = (performance.now() - start) / 1e3;
  const scalars = new Map<string, [step: number, value: number][]>();
  const events = readdirSync(order.runFolder).find((name) => name.includes('tfevents'))!;
  readEvents(readFileSync(path.join(order.runFolder, events)), (tag, step, value) => {
    const points = scalars.get(tag) ?? [];
    points.push([step, value]);
    scalars.set(tag, points);
  });
  const medianOf = (tag: string) => {
    const values = (scalars.get(tag) ?? []).map(([, value]) => value).sort((a, b) => a - b);
    return values[values.length >> 1] ?? Number.NaN;
  };
  const last = /from other starts: ([\d.]+) s, ([\d.]+) % full, tracking ([\d.]+), bodies ([\d.]+) m/.exec(output);
  console.log(`${path.basename(order.runFolder)}: ${seconds.toFixed(0)} s, evaluated ${last?.[0] ?? 'not'}`);
  return {
    seconds,
    peakMb: peakKb / 1024,
    stepsPerSecond: medianOf('Perf/total_fps'),
    collectionS: medianOf('Perf/collection_time'),
    learningS: medianOf('Perf/learning_time'),
    curve: (scalars.get('Eval/mean_episode_length') ?? []).map(([iteration, steps]) => ({
      iteration: iteration + 1,
      s: Number((steps / CONTROL_HZ).toFixed(2)),
    })),
    final: {
      s: Number(last?.[1]),
      full: Number(last?.[2]) / 100,
      tracking: Number(last?.[3]),
      bodies: Number(last?.[4]),
    },
    zeroActionS: (scalars.get('Eval/zero_action_mean_episode_length')?.[0]?.[1] ?? Number.NaN) / CONTROL_HZ,
  };
}

async function orderFor(
  robot: 'humanoid' | 'g1',
  clips: readonly string[],
  changes: { readonly iterations: number; readonly seed: number; readonly threads?: number; readonly name: string },
): Promise<TrainingOrder> {
  const { folder, facts } = await (robot === 'g1' ? preparedG1() : preparedHumanoid());
  const physicsPath = path.join(folder, 'physics.mjb');
  const clipRobot = await openClipRobot({ physicsPath, facts });
  const library = path.join(root, `npz-${robot}`);
  mkdirSync(library, { recursive: true });
  const files = clips.map((name) => {
    const rows =
      robot === 'g1'
        ? cutClip(kitClip(name as Parameters<typeof kitClip>[0]), 0, RAW_FPS * EPISODE_S + 1)
        : builtinClip(name as Parameters<typeof builtinClip>[0]);
    const file = path.join(library, `${name}.npz`);
    const { motion } = convertClip(clipRobot, rows, { outputFps: CONTROL_HZ, debiasZ: false });
    writeFileSync(file, Buffer.concat(formatMotionNpz(motion, '{}')));
    return { name, path: file };
  });
  // A G1 needs observations of its position; without them its heading drifts.
  const tasks = baseTasks(facts);
  const task = robot === 'g1' ? tasks.find(({ name }) => name.endsWith(options['g1-task']))! : tasks[0]!;
  return {
    version: ORDER_VERSION,
    task: task.name,
    config: trainedTask(
      {
        ...task.config,
        agent: { ...task.config.agent, max_iterations: changes.iterations || task.config.agent.max_iterations },
      },
      'builtin',
    ),
    profile: 'builtin',
    robot: { facts, physicsPath },
    dataset: 'bench',
    clips: files,
    seed: changes.seed,
    threads: changes.threads ?? 0,
    runFolder: path.join(root, changes.name),
    resume: null,
    logger: 'tensorboard',
  };
}

const seeds = Array.from({ length: Number(options.seeds) }, (_, k) => k + 1);
const courses: { readonly name: string; readonly course: Course }[] = [];
for (const clip of options.clips.split(',')) {
  for (const seed of seeds) {
    const order = await orderFor('humanoid', [clip], {
      iterations: Number(options.iterations),
      seed,
      name: `${clip}-${seed}`,
    });
    courses.push({ name: `${clip}, seed ${seed}`, course: await train(order) });
  }
}
const allClips: typeof courses = [];
if (options['all-clips']) {
  const iterations = Number(options['all-iterations']);
  const order = await orderFor('humanoid', PROCEDURAL_CLIPS, { iterations, seed: 1, name: 'all-clips' });
  allClips.push({ name: 'all built-in clips', course: await train(order) });
}
const oneThread = await train(
  await orderFor('humanoid', ['squat'], { iterations: 12, seed: 1, threads: 1, name: 'one' }),
);
const allThreads = await train(await orderFor('humanoid', ['squat'], { iterations: 12, seed: 1, name: 'all' }));
const g1: typeof courses = [];
if (options.g1 && hasKit) {
  for (let seed = 1; seed <= Number(options['g1-seeds']); seed++) {
    const iterations = Number(options['g1-iterations']);
    const order = await orderFor('g1', [options['g1-clip']], { iterations, seed, name: `g1-${seed}` });
    g1.push({ name: `G1 ${options['g1-clip']}, seed ${seed}`, course: await train(order) });
  }
}
rmSync(root, { recursive: true });

printTable(
  ['training', 's', 'env-steps/s', 'zero action s', 'tracked s of 10', 'whole episodes', 'bodies m', 'MB'],
  [...courses, ...allClips, ...g1].map(({ name, course }) => [
    name,
    course.seconds,
    course.stepsPerSecond,
    course.zeroActionS,
    course.final.s,
    course.final.full,
    course.final.bodies,
    course.peakMb,
  ]),
);
const worst = (pick: (course: Course) => number, of = courses) => Math.max(...of.map(({ course }) => pick(course)));
writeResult(
  'train',
  [
    { name: '0.9 of 10 s / tracked, worst seed', value: worst(({ final }) => 9 / final.s), atMost: 1 },
    { name: 's of a training / 180', value: worst(({ seconds }) => seconds / 180), atMost: 1 },
    {
      name: 'zero action / half of tracked',
      value: worst(({ final, zeroActionS }) => (2 * zeroActionS) / final.s),
      atMost: 1,
    },
    {
      name: 'one thread / all threads, steps a second',
      value: oneThread.stepsPerSecond / allThreads.stepsPerSecond,
      atMost: 1 / (0.7 * cores),
    },
    ...(allClips.length === 0
      ? []
      : [
          { name: 'all clips: 0.9 of 10 s / tracked', value: worst(({ final }) => 9 / final.s, allClips), atMost: 1 },
          {
            name: 'all clips: s of the training / 600',
            value: worst(({ seconds }) => seconds / 600, allClips),
            atMost: 1,
          },
        ]),
    ...(g1.length === 0
      ? []
      : [
          { name: 'G1: 9 s / tracked of 10', value: worst(({ final }) => 9 / final.s, g1), atMost: 1 },
          { name: 'G1: 0.9 / whole episodes', value: worst(({ final }) => 0.9 / final.full, g1), atMost: 1 },
          { name: 'G1: m of bodies', value: worst(({ final }) => final.bodies, g1), atMost: 0.06 },
          { name: 'G1: s of a training / 600', value: worst(({ seconds }) => seconds / 600, g1), atMost: 1 },
        ]),
  ],
  {
    seeds: seeds.length,
    trainings: Object.fromEntries([...courses, ...allClips, ...g1].map(({ name, course }) => [name, course])),
    one_thread: {
      steps_per_s: oneThread.stepsPerSecond,
      collection_s: oneThread.collectionS,
      learning_s: oneThread.learningS,
    },
    all_threads: {
      steps_per_s: allThreads.stepsPerSecond,
      collection_s: allThreads.collectionS,
      learning_s: allThreads.learningS,
    },
  },
);
