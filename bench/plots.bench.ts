/** Claim: the plots of a clip cost little more than MuJoCo's own inverse dynamics of the clip, and the first plots
 *  appear soon.
 *
 *  - by CPU time, all plots of a clip with its raw source cost at most 2 × the bare `mj_inverse` of its frames;
 *  - for a clip of four minutes that was just opened, the groups that the page shows first (root, joints, feet) arrive
 *    within 0.3 s, all groups within 1.5 s.
 *
 *    plots.bench.ts [--reps 5]
 *
 *  With the kit (MOTION_STUDIO_KIT) the clip is a walk of the kit's G1, otherwise a repeated clip of the built-in
 *  robot. */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { g1Spec, hasKit, KIT } from '../test/support/kit.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { median, medianOf } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({ options: { reps: { type: 'string', default: '5' } } });
const REPS = Number(options.reps);
const MINUTES = 4;
const FPS = 50;

const { formatYaml } = await fromDist<typeof import('../src/core/yaml-file.ts')>('core/yaml-file.js');
const { openClipRobot } = await fromDist<typeof import('../src/motion/clip-robot.ts')>('motion/clip-robot.js');
const { BUILTIN } = await fromDist<typeof import('../src/robots/robot-source.ts')>('robots/robot-source.js');
const { PREPARED_FILES, prepareRobot } =
  await fromDist<typeof import('../src/robots/prepared-robot.ts')>('robots/prepared-robot.js');
const { plotClip } = await fromDist<typeof import('../src/plots/plot-clip.ts')>('plots/plot-clip.js');
const { poseAt, positionAt } = await fromDist<typeof import('../src/motion/pose-at.ts')>('motion/pose-at.js');
const { loadClip } = await fromDist<typeof import('../src/data/clip/load-clip.ts')>('data/clip/load-clip.js');

const workspace = temporaryFolder('bench-plots-');
const id = hasKit ? 'g1' : 'humanoid';
const samples = path.join(workspace, 'data', id, 'samples');
if (hasKit) {
  const robots = path.join(workspace, 'robots/g1');
  mkdirSync(robots, { recursive: true });
  cpSync(`${KIT}/robots/g1`, robots, { recursive: true });
  writeFileSync(path.join(robots, 'robot.yaml'), formatYaml(g1Spec()));
  mkdirSync(samples, { recursive: true });
  symlinkSync(`${KIT}/clips/walk1_subject1.csv`, path.join(samples, 'walk1_subject1.csv'));
}

const server = await ServerProcess.start(
  [process.execPath, benchFile('../dist/cli/main.js')],
  ['--port', 0, '--workspace', workspace, '--log-level', 'error'],
);
const json = async <T>(where: string, body?: object): Promise<T> => {
  const headers = { 'content-type': 'application/json', prefer: 'wait=60' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
  const response = await fetch(`http://127.0.0.1:${server.port}${where}`, request);
  if (response.status !== 200) throw new Error(`${where}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
};

if (!hasKit) {
  const rows = readFileSync(path.join(samples, 'walk_forward.csv'), 'utf8').trim().split('\n');
  const long = Array.from({ length: MINUTES * 60 * 30 }, (_, k) => rows[k % rows.length]);
  writeFileSync(path.join(samples, 'walk.csv'), `${long.join('\n')}\n`);
}
const clip = hasKit ? 'walk1_subject1' : 'walk';

// Measures the computation itself, in this thread.
const source = hasKit ? ({ kind: 'folder', id, folder: path.join(workspace, 'robots/g1') } as const) : BUILTIN;
const prepared = await prepareRobot(source, path.join(workspace, 'bench-cache'));
const robot = await openClipRobot({
  physicsPath: path.join(prepared.folder, PREPARED_FILES.physics),
  facts: prepared.facts,
});
const { mj, model, data, nq } = robot;
const raw = await loadClip(path.join(samples, `${clip}.csv`), 'csv', {
  columns: nq,
  jointNames: prepared.facts.joints.map((joint) => joint.name),
  fps: 30,
});
const frames = Math.floor(((raw.frames - 1) / raw.fps) * FPS) + 1;
const rows = new Float64Array(frames * nq);
const pose = new Float64Array(nq);
for (let frame = 0; frame < frames; frame += 1) {
  poseAt(pose, raw, nq, positionAt(raw, frame / FPS));
  rows.set(pose, frame * nq);
}
const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
};
/** As for the plots: without contacts and limits, which would cost more. */
model.opt.disableflags |= mj.mjtDisableBit.mjDSBL_CONSTRAINT.value;
const bareInverse = () => {
  const { qpos } = robot.views;
  for (let frame = 0; frame < frames; frame += 1) {
    for (let k = 0; k < nq; k += 1) qpos[k] = rows[frame * nq + k]!;
    mj.mj_inverse(model, data);
  }
};
// The ways alternate, so that a busy moment of the machine does not affect only one of them.
const runs = Array.from({ length: REPS + 1 }, () => ({
  bareMs: cpuMs(bareInverse),
  plotsMs: cpuMs(() => plotClip(robot, { fps: FPS, frames, rows }, raw)),
})).slice(1);
const ratio = medianOf(runs, ({ bareMs, plotsMs }) => plotsMs / bareMs);

// Measures the service with a newly opened clip in each repetition.
await json('/api/robot/select', { name: id });
const { job } = await json<{ job: string }>('/api/data/convert', {
  dataset: 'samples',
  which: 'selected',
  clips: [clip],
});
while ((await json<{ status: string }>(`/api/jobs/${job}`)).status !== 'done') await sleep(100);

const answers: { readonly firstS: number; readonly allS: number; readonly cpuS: number }[] = [];
for (let rep = 0; rep < REPS; rep += 1) {
  await json('/api/data/close', {});
  await json('/api/data/load', { dataset: 'samples', clip, source: 'npz' });
  const get = async (query: string) =>
    (await fetch(`http://127.0.0.1:${server.port}/api/plots/clip?${query}`)).arrayBuffer();
  const [from, cpu] = [performance.now(), server.cpuS()];
  await Promise.all(['root', 'joints', 'feet'].map((group) => get(`group=${group}`)));
  const firstS = (performance.now() - from) / 1e3;
  await Promise.all([get('group=velocities'), get('group=torques&ref=false')]);
  answers.push({ firstS, allS: (performance.now() - from) / 1e3, cpuS: server.cpuS() - cpu });
}
await server.stop();

const firstS = median(answers.map((one) => one.firstS));
const allS = median(answers.map((one) => one.allS));
printTable(
  [`${frames} frames of ${prepared.facts.name}`, 'ms'],
  [
    ['CPU of the bare mj_inverse', medianOf(runs, (run) => run.bareMs)],
    ['CPU of all figures', medianOf(runs, (run) => run.plotsMs)],
    ['first groups, from opening the clip', 1e3 * firstS],
    ['all groups', 1e3 * allS],
    ['CPU of the service for them, checks of the clip included', 1e3 * median(answers.map((one) => one.cpuS))],
  ],
);
writeResult(
  'plots',
  [
    { name: 'CPU of all figures / bare mj_inverse', value: ratio, atMost: 2 },
    { name: 'first groups of a clip, s', value: firstS, atMost: 0.3 },
    { name: 'all groups of a clip, s', value: allS, atMost: 1.5 },
  ],
  { robot: prepared.facts.name, frames, runs, answers },
);
process.exit(0); // MuJoCo would keep the process alive
