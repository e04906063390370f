import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Run } from '../../src/protocol/schemas/jobs.ts';
import type { PlayState } from '../../src/protocol/schemas/play.ts';
import { call } from './service-process.ts';
import { ended, untilJob } from './training.ts';

const FRAMES = 100;
const ITERATIONS = 5;
const DATASET = 'one';
const CLIP = 'squat';

/** Uses the service end to end: shows a clip for 100 frames, converts it, trains 5 iterations and plays the run. */
export async function goWholeWay(address: string): Promise<void> {
  await call(address, '/api/data/load', { dataset: 'samples', clip: CLIP });
  expect(await countFrames(address, FRAMES)).toBe(FRAMES);
  await convert(address);
  const run = await train(address);
  await play(address, run);
}

/** Reads and acknowledges frames. @returns their count @throws if a frame has no poses or is out of order */
async function countFrames(address: string, wanted: number): Promise<number> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`);
  let seen = 0;
  let last = 0;
  const done = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`the websocket closed after ${seen} frames`)));
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return;
      const length = data.readUInt32LE(0);
      const header = JSON.parse(data.toString('utf8', 4, 4 + length)) as { seq: number; nbody: number };
      if (header.seq <= last || header.nbody < 1) reject(new Error(`frame ${header.seq} after ${last}`));
      last = header.seq;
      socket.send(JSON.stringify({ type: 'ack', seq: header.seq }));
      seen += 1;
      if (seen < wanted) return;
      socket.removeAllListeners('message');
      resolve();
    });
  });
  await done;
  socket.removeAllListeners('close');
  socket.close();
  await once(socket, 'close');
  return seen;
}

async function convert(address: string): Promise<void> {
  await call(address, '/api/data/new', { name: DATASET });
  const file = await fetch(`${address}/api/data/download?dataset=samples&clip=${CLIP}&source=raw`);
  const body = new Uint8Array(await file.arrayBuffer());
  const { status } = await fetch(`${address}/api/data/upload/${DATASET}/${CLIP}.csv`, { method: 'PUT', body });
  expect(status).toBe(200);
  const { job } = await call<{ job: string }>(address, '/api/data/convert', { dataset: DATASET });
  expect(await untilJob(address, job, ended)).toMatchObject({ status: 'done', error: null });
}

async function train(address: string): Promise<string> {
  const { tasks } = await call<{ tasks: { name: string }[] }>(address, '/api/tasks');
  const { job } = await call<{ job: string }>(address, '/api/train/launch', {
    task: tasks[0]!.name,
    dataset: DATASET,
    num_envs: 8,
    max_iterations: ITERATIONS,
    extra: ['--threads=2'],
  });
  const { log, ...record } = await untilJob(address, job, ended, 300_000);
  expect(record, log.join('\n')).toMatchObject({ status: 'done', exit_code: 0, step: ITERATIONS });
  const { runs } = await call<{ runs: Run[] }>(address, '/api/runs');
  expect(runs[0]).toMatchObject({ job, error: null, latest: `model_${ITERATIONS - 1}.pt` });
  return runs[0]!.path;
}

async function play(address: string, run: string): Promise<void> {
  const { busy } = await call<{ busy: { state: string; error: string | null } }>(address, '/api/play/configure', {
    run,
    num_envs: 4,
  });
  expect(busy).toMatchObject({ state: 'done', error: null });
  const simTime = async () => (await call<PlayState>(address, '/api/play')).session?.sim_time ?? 0;
  await expect.poll(simTime, { timeout: 30_000 }).toBeGreaterThan(1);
  await call(address, '/api/play/stop', {});
}
