/** Converts files one after the other in this process, or only computes the kinematics of the same number of frames:
 *  `convert-clips.ts whole|bare ORDERS_JSON REPS`. Prints clip seconds, thread CPU seconds and their shares. */
import { readFileSync, rmSync } from 'node:fs';
import type { ConversionOrder, ConversionReport } from '../../src/data/conversion/convert-clip-file.ts';
import { threadCpuS } from '../harness/process-cpu.ts';
import { fromDist } from '../harness/product.ts';

const { convertClipFile } = await fromDist<typeof import('../../src/data/conversion/convert-clip-file.ts')>(
  'data/conversion/convert-clip-file.js',
);
const { openClipRobot } = await fromDist<typeof import('../../src/motion/clip-robot.ts')>('motion/clip-robot.js');

const [way, file, reps] = process.argv.slice(2) as [string, string, string];
const orders = JSON.parse(readFileSync(file, 'utf8')) as ConversionOrder[];
const robot = await openClipRobot(orders[0]!.robot);

async function whole(): Promise<ConversionReport[]> {
  const reports: ConversionReport[] = [];
  for (const order of orders) reports.push(await convertClipFile(order));
  return reports;
}

/** Computes forward kinematics and velocities, and nothing else, of `frames` poses that vary a pose of the clips. */
function bare(frames: number): void {
  const { mj, model, data } = robot;
  const { qpos, qvel } = robot.views;
  for (let frame = 0; frame < frames; frame += 1) {
    qpos[7] = Math.sin(frame);
    qvel[6] = Math.cos(frame);
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    mj.mj_comVel(model, data);
  }
}

// The first rounds run in unoptimised code.
const reports = await whole();
await whole();
const frames = reports.reduce((sum, report) => sum + report.frames, 0);
bare(frames);
const clipS = frames / orders[0]!.options.outputFps;
const shares = { readMs: 0, computeMs: 0, writeMs: 0 };
let cpuS = 0;
for (let rep = 0; rep < Number(reps); rep += 1) {
  // Remove the outputs, so that the conversion finds them missing.
  for (const { outputs } of orders) for (const { path } of outputs) rmSync(path, { force: true });
  const start = threadCpuS();
  if (way === 'bare') bare(frames);
  else
    for (const report of await whole()) {
      shares.readMs += report.readMs;
      shares.computeMs += report.computeMs;
      shares.writeMs += report.writeMs;
    }
  cpuS += (threadCpuS() - start) / Number(reps);
}
console.log(JSON.stringify({ clipS, frames, cpuS, ...shares }));
