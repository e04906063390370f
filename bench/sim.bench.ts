/** Claim: a frame costs little compared with physics, and leaves the service at once.
 *
 *  - one thread builds and publishes complete frames (interpolated clip, kinematics of all bodies, header, ring) faster
 *    than a bare loop of mj_step steps the same robot;
 *  - a frame of a grid of 64 robots costs less than twice the bare kinematics of its poses;
 *  - from publishing a frame in the sim worker to receiving it in the main thread: p50 < 0.1 ms, p99 < 4 ms at 500
 *    frames/s.
 *
 *    sim.bench.ts [--seconds 3] [--latency-seconds 10] [--reps 5] */

import path from 'node:path';
import { parseArgs } from 'node:util';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { median, quantile } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    reps: { type: 'string', default: '5' },
    'latency-seconds': { type: 'string', default: '10' },
  },
});
const SECONDS = Number(options.seconds);
const REPS = Number(options.reps);

const { loadMujoco } = await fromDist<typeof import('../src/sim/mujoco.ts')>('sim/mujoco.js');
const { BodyPoses } = await fromDist<typeof import('../src/sim/body-poses.ts')>('sim/body-poses.js');
const { FrameBuilder } = await fromDist<typeof import('../src/sim/frame-builder.ts')>('sim/frame-builder.js');
const { SceneManager } = await fromDist<typeof import('../src/scene/scene-manager.ts')>('scene/scene-manager.js');
const { prepareInThread } = await fromDist<typeof import('../src/workers/robots/prepare-robot.ts')>(
  'workers/robots/prepare-robot.js',
);
const { SimClient } = await fromDist<typeof import('../src/workers/sim/sim-client.ts')>('workers/sim/sim-client.js');
const { BUILTIN } = await fromDist<typeof import('../src/robots/robot-source.ts')>('robots/robot-source.js');
const { qposOf } = await fromDist<typeof import('../src/robots/robot-facts.ts')>('robots/robot-facts.js');
const { monotonicMs } = await fromDist<typeof import('../src/core/frame-ring.ts')>('core/frame-ring.js');
const { generateClip } = await fromDist<typeof import('../src/motion/procedural/generate-clip.ts')>(
  'motion/procedural/generate-clip.js',
);

/** Number of robots in a grid, the largest possible. */
const GRID = 64;
const PREVIEW = { speed: 1, loop: true, ghost: false, keybodies: false, contacts: false, trail: false };
const cache = temporaryFolder('bench-sim-');
const { facts, folder } = await prepareInThread({ source: BUILTIN, cache });
const physicsPath = path.join(folder, 'physics.mjb');
const mj = await loadMujoco();
const { readFileSync } = await import('node:fs');
mj.FS.writeFile('/bench.mjb', readFileSync(physicsPath));
const loadModel = () => mj.MjModel.from_binary_path('/bench.mjb', new mj.MjVFS());
const restPose = qposOf(
  facts.rootHeight,
  facts.joints.map((joint) => joint.default),
);

/** Reads the rows of the walking clip as the service plays them: quaternions wxyz. */
function walkingClip() {
  const { frames, width, fps } = generateClip('walk_forward');
  const rows = Float64Array.from(frames);
  for (let at = 0; at < rows.length; at += width)
    rows.set([frames[at + 6]!, frames[at + 3]!, frames[at + 4]!, frames[at + 5]!], at + 3);
  return { name: 'walk_forward', fps, frames: rows.length / width, rows };
}

/** Calls `step` for `SECONDS` seconds. @returns calls per second */
function rate(step: () => void): number {
  const end = performance.now() + 1e3 * SECONDS;
  const start = performance.now();
  let count = 0;
  while (performance.now() < end) {
    for (let k = 0; k < 50; k++) step();
    count += 50;
  }
  return (count / (performance.now() - start)) * 1e3;
}

/** Returns a function that publishes one frame. @param robots above 1: a grid with this many clips */
function publisher(robots: number): () => void {
  const frames = new FrameBuilder(
    () => {},
    () => {},
    0,
  );
  const scenes = new SceneManager(frames, () => {});
  const wiring = { anchor: 0, keybodies: [], feet: [], ends: [], footSoleZ: 0 };
  const poses = new BodyPoses(mj, loadModel());
  scenes.setRobot({ poses, wiring }, restPose, false, { modelVersion: 1, terrainVersion: 1 });
  const clip = walkingClip();
  if (robots === 1) scenes.openClip(clip, PREVIEW);
  else
    scenes.openGrid(
      Array.from({ length: robots }, () => clip),
      PREVIEW,
    );
  return () => scenes.tick(1 / 60);
}

/** Returns a function that computes the bare kinematics of the poses of a grid. */
function kinematics(robots: number): () => void {
  const model = loadModel();
  const data = new mj.MjData(model);
  const { qpos } = data;
  const { rows } = walkingClip();
  return () => {
    for (let k = 0; k < robots; k++) {
      for (let at = 0; at < restPose.length; at++) qpos[at] = rows[at]!;
      mj.mj_kinematics(model, data);
    }
  };
}

function stepper(): () => void {
  const model = loadModel();
  const data = new mj.MjData(model);
  data.qpos.set(restPose);
  data.ctrl.set(facts.joints.map((joint) => joint.default));
  let steps = 0;
  return () => {
    mj.mj_step(model, data);
    steps += 1;
    if (steps % 400 === 0) data.qpos.set(restPose); // before it falls: contacts differ when lying
  };
}

const publish = publisher(1);
const step = stepper();
const publishGrid = publisher(GRID);
const poseGrid = kinematics(GRID);
for (const warmUp of [publish, step, publishGrid, poseGrid]) rate(warmUp); // warm-up: V8 optimises the code
const frameRates: number[] = [];
const stepRates: number[] = [];
const gridRates: number[] = [];
const poseRates: number[] = [];
for (let rep = 0; rep < REPS; rep++) {
  frameRates.push(rate(publish));
  stepRates.push(rate(step));
  gridRates.push(rate(publishGrid));
  poseRates.push(rate(poseGrid));
}

/** Measures the latency from publishing in the worker to reading in this thread, ms. */
async function latencies(): Promise<Float64Array> {
  const sim = new SimClient(500, { playedOut: () => {}, warning: () => {}, crashed: () => {} });
  await sim.ready;
  await sim.call({
    type: 'robot',
    robot: {
      physicsPath,
      wiring: { anchor: 0, keybodies: [], feet: [], ends: [], footSoleZ: 0 },
      qpos: restPose,
      showWiring: false,
      modelVersion: 1,
      terrainVersion: 1,
    },
  });
  await sim.call({ type: 'open', clip: walkingClip(), id: 1, options: PREVIEW });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const seconds = Number(options['latency-seconds']);
  const values = new Float64Array(500 * seconds * 2);
  let count = 0;
  let last = 0;
  const stop = sim.onFrame(() => {
    last = sim.readLatest(last, (_bytes, _seq, publishedMs) => {
      values[count++] = monotonicMs() - publishedMs;
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 1e3 * seconds));
  stop();
  await sim.close();
  return values.subarray(0, count);
}
const delays = await latencies();
const framesPerS = delays.length / Number(options['latency-seconds']);

const frames = median(frameRates);
const steps = median(stepRates);
const grids = median(gridRates);
const poses = median(poseRates);
printTable(
  ['figure', 'value'],
  [
    ['frames built and published /s, unpaced', frames],
    ['bare mj_step /s', steps],
    [`frames of a grid of ${GRID} /s, unpaced`, grids],
    [`${GRID} bare mj_kinematics /s`, poses],
    ['frames/s asked 500, read', framesPerS],
    ['publish → main thread p50, ms', quantile(delays, 0.5)],
    ['publish → main thread p99, ms', quantile(delays, 0.99)],
  ],
);
writeResult(
  'sim',
  [
    { name: 'a frame / a physics step', value: steps / frames, atMost: 1 },
    { name: `a frame of ${GRID} robots / their bare kinematics`, value: poses / grids, atMost: 2 },
    { name: 'publish to main thread p50 at 500 Hz, ms', value: quantile(delays, 0.5), atMost: 0.1 },
    { name: 'publish to main thread p99 at 500 Hz, ms', value: quantile(delays, 0.99), atMost: 4 },
  ],
  {
    frames_per_s: frames,
    mj_steps_per_s: steps,
    grid_frames_per_s: grids,
    grid_kinematics_per_s: poses,
    read_at_500: framesPerS,
  },
);
