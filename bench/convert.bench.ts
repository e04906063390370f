/** Claim: converting clips costs little more than computing the kinematics of their frames, and uses all cores.
 *
 *  - With one thread, by thread CPU time: the bare loop of mj_kinematics, mj_comPos and mj_comVel over the same number
 *    of frames takes at least half as long as the conversion with reading and writing.
 *  - With all threads and no open stream: the service converts at least 0.8 × as much faster than with one thread as
 *    threads compute that share nothing, and uses less than 1.5 GB of memory. This holds for CSV and for BONES-SEED clips.
 *  - While all threads work, the stream keeps its rate: p99 of the time between frames is below 2 intervals.
 *
 *    convert.bench.ts [--clips 1000] [--seed-clips 556] [--reps 5]
 *
 *  556 BONES-SEED clips are a million frames.
 *
 *  The benchmark generates the clips by a formula. If the kit (MOTION_STUDIO_KIT) is present, the robot is the kit's
 *  G1, and the kit's clips are added. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import WebSocket from 'ws';
import { g1Spec, hasKit, KIT } from '../test/support/kit.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile } from './harness/server-process.ts';
import { median, quantile } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    clips: { type: 'string', default: '1000' },
    'seed-clips': { type: 'string', default: '556' },
    reps: { type: 'string', default: '5' },
  },
});
const CLIPS = Number(options.clips);
const SEED_CLIPS = Number(options['seed-clips']);
const ROWS = 450;
/** Number of rows of a BONES-SEED clip. At 120 rows a second, it is as long as the other clips. */
const SEED_ROWS = 4 * ROWS;
const CORES = availableParallelism();

const { prepareRobot } = await fromDist<typeof import('../src/robots/prepared-robot.ts')>('robots/prepared-robot.js');
const { BUILTIN } = await fromDist<typeof import('../src/robots/robot-source.ts')>('robots/robot-source.js');
const { formatYaml } = await fromDist<typeof import('../src/core/yaml-file.ts')>('core/yaml-file.js');
const { formatClipCsv } = await fromDist<typeof import('../src/formats/csv.ts')>('formats/csv.js');

const base = temporaryFolder('bench-convert-');
const robotId = hasKit ? 'g1' : BUILTIN.id;
const workspace = path.join(base, 'workspace');
const dataset = path.join(workspace, 'data', robotId, 'many');
mkdirSync(dataset, { recursive: true });
if (hasKit) {
  const folder = path.join(workspace, 'robots/g1');
  mkdirSync(folder, { recursive: true });
  copyFileSync(`${KIT}/robots/g1_nomesh/g1_nomesh.xml`, path.join(folder, 'g1.xml'));
  writeFileSync(path.join(folder, 'robot.yaml'), formatYaml(g1Spec()));
  mkdirSync(path.join(workspace, '.studio'));
  writeFileSync(path.join(workspace, '.studio/state.json'), JSON.stringify({ robot: 'g1' }));
}
const { facts, folder } = await prepareRobot(
  hasKit ? { kind: 'folder', id: 'g1', folder: path.join(workspace, 'robots/g1') } : BUILTIN,
  path.join(base, 'cache'),
);
const robot = { physicsPath: path.join(folder, 'physics.mjb'), facts };

/** Generates a clip in which every joint sways. Each seed gives a different clip. */
function swaying(seed: number): string {
  const columns = 7 + facts.joints.length;
  const rows = new Float64Array(ROWS * columns);
  for (let k = 0; k < ROWS; k += 1) {
    const yaw = 0.3 * Math.sin(k / 40 + seed);
    rows.set(
      [k / 90, 0.1 * Math.sin(k / 20 + seed), facts.rootHeight, 0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)],
      k * columns,
    );
    for (let j = 7; j < columns; j += 1) rows[k * columns + j] = 0.15 * Math.sin(k / (9 + (j % 5)) + j + seed);
  }
  return formatClipCsv(rows, columns);
}
for (let k = 0; k < CLIPS; k += 1) writeFileSync(path.join(dataset, `sway${k}.csv`), swaying(k));
/** Writes a clip as BONES-SEED does: 120 frames a second, centimetres, degrees, six decimals. */
function seedClip(seed: number): string {
  const degrees = (angle: number) => ((angle * 180) / Math.PI).toFixed(6);
  const root = ['translateX', 'translateY', 'translateZ', 'rotateX', 'rotateY', 'rotateZ'].map(
    (name) => `root_${name}`,
  );
  const header = ['Frame', ...root, ...facts.joints.map(({ name }) => `${name}_dof`)].join(',');
  const lines = Array.from({ length: SEED_ROWS }, (_, k) => {
    const t = k / 4; // the rate of the other clips is 30
    const position = [t / 90, 0.1 * Math.sin(t / 20 + seed), facts.rootHeight].map((value) => (100 * value).toFixed(6));
    const angles = facts.joints.map((_joint, j) => 0.15 * Math.sin(t / (9 + ((j + 7) % 5)) + j + 7 + seed));
    return [k, ...position, 0, 0, degrees(0.3 * Math.sin(t / 40 + seed)), ...angles.map(degrees)].join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}
const seedClips = Array.from({ length: 20 }, (_, k) => `seed${k}.csv`);
const seedFolder = path.join(base, 'seed');
mkdirSync(seedFolder);
for (const [k, file] of seedClips.entries()) writeFileSync(path.join(seedFolder, file), seedClip(k));
const seedDataset = path.join(workspace, 'data', robotId, 'seed');
mkdirSync(seedDataset);
for (let k = 0; k < SEED_CLIPS; k += 1)
  copyFileSync(path.join(seedFolder, seedClips[k % seedClips.length]!), path.join(seedDataset, `seed${k}.csv`));
const kitClips = hasKit ? readdirSync(`${KIT}/clips`).filter((name) => name.endsWith('.csv')) : [];
for (const clip of kitClips) symlinkSync(`${KIT}/clips/${clip}`, path.join(dataset, clip));

interface ThreadFigures {
  readonly clipS: number;
  readonly frames: number;
  readonly cpuS: number;
  readonly readMs: number;
  readonly computeMs: number;
  readonly writeMs: number;
}

/** Measures one thread in a separate process: the conversion, or the bare kinematics. */
function oneThread(way: 'whole' | 'bare', clips: readonly string[], folder: string): ThreadFigures {
  const out = path.join(base, 'npz');
  mkdirSync(out, { recursive: true });
  const orders = clips.map((file) => ({
    clip: file,
    source: { path: path.join(folder, file), format: 'csv', raw: true, bytes: 1 },
    outputs: [{ path: path.join(out, `${file}.npz`), mirrored: false, refresh: false }],
    notes: [],
    robot,
    options: { inputFps: null, outputFps: 50, debiasZ: false, fixes: null, defaultFps: 30, read: {} },
  }));
  const file = path.join(base, 'orders.json');
  writeFileSync(file, JSON.stringify(orders));
  const program = ['--import', 'tsx', benchFile('servers/convert-clips.ts'), way, file, options.reps];
  const { stdout, status } = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`converting in one thread ended with ${status}`);
  return JSON.parse(stdout) as ThreadFigures;
}

const long = kitClips.length > 0 ? kitClips : Array.from({ length: 20 }, (_, k) => `sway${k}.csv`);
const short = Array.from({ length: 50 }, (_, k) => `sway${k}.csv`);
const figures = [
  { name: kitClips.length > 0 ? 'clips of the kit' : 'clips', clips: long },
  { name: `clips of ${ROWS} rows`, clips: short },
  { name: 'BONES-SEED clips', clips: seedClips, folder: seedFolder },
].map(({ name, clips, folder = dataset }) => {
  const ratios: number[] = [];
  let last: ThreadFigures | null = null;
  for (let rep = 0; rep < 3; rep += 1) {
    last = oneThread('whole', clips, folder);
    ratios.push(oneThread('bare', clips, folder).cpuS / last.cpuS);
  }
  const { clipS, cpuS, readMs, computeMs, writeMs } = last!;
  const wall = readMs + computeMs + writeMs;
  return {
    name,
    ratio: median(ratios),
    clip_s_per_cpu_s: clipS / cpuS,
    read: readMs / wall,
    compute: computeMs / wall,
    write: writeMs / wall,
  };
});

interface ServiceFigures {
  readonly seconds: number;
  readonly peakMb: number;
  readonly intervalsMs: number[];
}

/** Starts the service and converts a whole dataset. */
async function service(threads: number, stream: boolean, name: 'many' | 'seed' = 'many'): Promise<ServiceFigures> {
  writeFileSync(path.join(workspace, 'studio.yaml'), `pool: {threads: ${threads}}\n`);
  rmSync(path.join(workspace, 'data', robotId, name, 'npz'), { recursive: true, force: true });
  const main = benchFile('../dist/cli/main.js');
  const child = spawn(process.execPath, [main, '--port', '0', '--log-level', 'error', '--workspace', workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const address = /http\S+/.exec((await lines.next()).value as string)![0];
  const call = async (way: string, body?: object) => {
    const answer = await fetch(address + way, {
      ...(body
        ? {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json', prefer: 'wait=60' },
          }
        : {}),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  await call(`/api/data/clips?dataset=${name}&size=10`);
  // The threads of the pool load their code and MuJoCo once. This short run makes them do so before the measured run.
  const first = Array.from({ length: 16 }, (_, k) => `${name === 'many' ? 'sway' : 'seed'}${k}`);
  await job(call, { dataset: name, which: 'selected', clips: first });
  const intervals: number[] = [];
  let socket: WebSocket | null = null;
  if (stream) {
    await call('/api/data/load', { dataset: 'many', clip: 'sway0' });
    socket = new WebSocket(`${address.replace('http', 'ws')}/ws`);
    await once(socket, 'open');
    let last = 0;
    await sleep(1000);
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return;
      const { seq } = JSON.parse(data.subarray(4, 4 + data.readUInt32LE(0)).toString()) as { seq: number };
      socket!.send(JSON.stringify({ type: 'ack', seq }));
      const now = performance.now();
      if (last > 0) intervals.push(now - last);
      last = now;
    });
  }
  const seconds = await job(call, { dataset: name, which: 'all' });
  socket?.terminate();
  const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { seconds, peakMb, intervalsMs: intervals };
}

/** Runs a conversion job. @returns the duration that the job recorded, s */
async function job(
  call: (way: string, body?: object) => Promise<Record<string, unknown>>,
  body: object,
): Promise<number> {
  const { job: name, detail } = await call('/api/data/convert', body);
  if (name === undefined) throw new Error(String(detail));
  for (;;) {
    await sleep(50);
    const { status, started, ended, error } = await call(`/api/jobs/${String(name)}?tail=0`);
    if (status === 'running' || status === 'queued') continue;
    if (status !== 'done' || error !== null) throw new Error(`${String(status)}: ${String(error)}`);
    return (Date.parse(ended as string) - Date.parse(started as string)) / 1e3;
  }
}

/** Measures how many times faster all threads together compute than a single thread when they share no data. The factor
 *  is below the number of cores if other virtual machines use the same cores. */
async function plainGain(): Promise<number> {
  const code = `const { parentPort } = require('node:worker_threads');
    const end = performance.now() + 2000;
    let rounds = 0;
    for (let x = 1; performance.now() < end; rounds += 1) for (let k = 0; k < 1e6; k += 1) x = (x * 1664525 + k) | 0;
    parentPort.postMessage(rounds);`;
  const rounds = async (threads: number) => {
    const workers = Array.from({ length: threads }, () => new Worker(code, { eval: true }));
    const counts = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0] as number));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const one = await rounds(1);
  return (await rounds(CORES)) / one;
}

const plain = await plainGain();
const middle = Math.max(1, Math.floor(CORES / 2));
const one = await service(1, false);
const half = await service(middle, false);
const all = await service(0, false);
const seedRuns = {
  one: await service(1, false, 'seed'),
  half: await service(middle, false, 'seed'),
  all: await service(0, false, 'seed'),
};
const streaming = await service(0, true);
const totalS = CLIPS * (ROWS / 30);
const kitS = kitClips.reduce(
  (sum, name) => sum + readFileSync(`${KIT}/clips/${name}`, 'utf8').trim().split('\n').length / 30,
  0,
);

printTable(
  ['one thread', 'bare / whole', 'clip s per CPU s', 'reading', 'computing', 'writing'],
  figures.map(({ name, ratio, clip_s_per_cpu_s, read, compute, write }) => [
    name,
    ratio,
    clip_s_per_cpu_s,
    read,
    compute,
    write,
  ]),
);
const clipS = totalS + kitS;
const seedS = SEED_CLIPS * (SEED_ROWS / 120);
console.log(`${CORES} threads that share nothing compute ${plain.toFixed(2)} × as fast as one`);
printTable(
  ['service', 'clip s per s', 'peak MB'],
  [
    ['1 thread', clipS / one.seconds, one.peakMb],
    [`${middle} threads`, clipS / half.seconds, half.peakMb],
    [`${CORES} threads`, clipS / all.seconds, all.peakMb],
    [`${CORES} threads, streaming`, clipS / streaming.seconds, streaming.peakMb],
    ['BONES-SEED, 1 thread', seedS / seedRuns.one.seconds, seedRuns.one.peakMb],
    [`BONES-SEED, ${middle} threads`, seedS / seedRuns.half.seconds, seedRuns.half.peakMb],
    [`BONES-SEED, ${CORES} threads`, seedS / seedRuns.all.seconds, seedRuns.all.peakMb],
  ],
);
const p99 = quantile(Float64Array.from(streaming.intervalsMs), 0.99);
writeResult(
  'convert',
  [
    ...figures.map(({ name, ratio }) => ({
      name: `CPU of conversion / bare kinematics, ${name}`,
      value: 1 / ratio,
      atMost: 2,
    })),
    {
      name: '0.8 × gain of a plain loop / gain of all threads over one',
      value: (0.8 * plain) / (one.seconds / all.seconds),
      atMost: 1,
    },
    {
      name: '0.8 × gain of a plain loop / gain of all threads over one, BONES-SEED',
      value: (0.8 * plain) / (seedRuns.one.seconds / seedRuns.all.seconds),
      atMost: 1,
    },
    { name: 'peak memory of the service, MB', value: Math.max(all.peakMb, seedRuns.all.peakMb), atMost: 1500 },
    { name: 'p99 between frames during conversion, ms (at 60 Hz)', value: p99, atMost: 2000 / 60 },
  ],
  {
    threads: figures,
    service: {
      plain_gain: plain,
      ...{
        one_s: one.seconds,
        half_s: half.seconds,
        all_s: all.seconds,
        streaming_s: streaming.seconds,
        clip_s: clipS,
      },
      seed: {
        ...{ one_s: seedRuns.one.seconds, half_s: seedRuns.half.seconds, all_s: seedRuns.all.seconds, clip_s: seedS },
      },
    },
    frame_interval_ms: { p50: quantile(Float64Array.from(streaming.intervalsMs), 0.5), p99 },
  },
);
