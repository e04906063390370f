import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../../protocol/http-client.ts';
import type { CommandContext } from '../commands/command.ts';
import type { Output } from '../commands/output.ts';
import { jobDone, PREFER_WAIT, taskDone } from '../commands/waiting.ts';
import { startBenchService } from './bench-service.ts';
import { FrameClient } from './frame-client.ts';

/** Amount of work in each measurement. */
interface BenchSizes {
  readonly clips: number;
  readonly envs: number;
  /** the first two are excluded from the result: V8 still optimises the code */
  readonly iterations: number;
  readonly clients: number;
  readonly framesMs: number;
}

const WARM_UP = 2;
const STEPS_PER_ITERATION = 24;

/** Speed of a machine, per second. */
export interface Measured {
  /** environment steps in one thread, without learning */
  readonly env_steps_one_thread: number;
  /** environment steps in all threads, without learning */
  readonly env_steps: number;
  /** environment steps that are learned from, without collecting them, in all threads */
  readonly learned_steps: number;
  /** frames of clips that are converted, with reading and writing, in all threads */
  readonly converted_frames: number;
  /** frames sent to 32 clients together */
  readonly sent_frames: number;
}

/** Measures with a temporary service. @param workspace its disk is used, see `startBenchService` */
export async function measure(workspace: string, sizes: BenchSizes, output: Output): Promise<Measured> {
  const service = await startBenchService(workspace, sizes.clips);
  try {
    const url = `${service.address}/`;
    const context = { client: new HttpClient({ base: url }), output, url, wait: true };
    const converted = await convert(context, sizes.clips * service.rows);
    const one = await train(context, sizes, 1);
    const all = await train(context, sizes, os.availableParallelism());
    return {
      env_steps_one_thread: one.collected,
      env_steps: all.collected,
      learned_steps: all.learned,
      converted_frames: converted,
      sent_frames: await send(context, sizes),
    };
  } finally {
    await service.close();
  }
}

/** Converts the dataset `bench`. @param frames of all its clips @returns frames per second */
async function convert(context: CommandContext, frames: number): Promise<number> {
  const { client } = context;
  const converted = async (dataset: string) => {
    const { job } = await client.call('POST /api/data/convert', { body: { dataset } });
    const { started, ended } = await jobDone(context, job);
    return (Date.parse(ended!) - Date.parse(started!)) / 1e3;
  };
  // Starts the thread before the measurement, and creates the clip for the trainings.
  await converted('one');
  return perSecond(frames, await converted('bench'));
}

/** Trains a few iterations. @returns steps per second of collecting and of learning, medians of the iterations */
async function train(context: CommandContext, { envs, iterations }: BenchSizes, threads: number) {
  const { client } = context;
  const { tasks } = await client.call('GET /api/tasks');
  const launched = await client.call('POST /api/train/launch', {
    body: {
      task: tasks[0]!.name,
      dataset: 'one',
      num_envs: envs,
      max_iterations: iterations,
      extra: [`--threads=${threads}`],
    },
  });
  if (!('job' in launched) || launched.job === null) throw new Error('the training was not launched');
  await jobDone(context, launched.job);
  const { series } = await client.call('GET /api/curves', { query: { job: launched.job, group: 'all' } });
  const steps = envs * STEPS_PER_ITERATION;
  const rate = (tag: string) => {
    const { y = [] } = series.find((one) => one.tag === tag) ?? {};
    const seconds = y
      .slice(WARM_UP)
      .flatMap((value) => value ?? [])
      .sort((a, b) => a - b);
    return perSecond(steps, seconds[seconds.length >> 1] ?? Number.NaN);
  };
  return { collected: rate('Perf/collection_time'), learned: rate('Perf/learning_time') };
}

/** Sends frames of a clip to clients in this process. @returns frames per second, of all clients together */
async function send({ client, output, ...context }: CommandContext, sizes: BenchSizes): Promise<number> {
  const body = { dataset: 'one', clip: 'walk_0' };
  const reply = await client.call('POST /api/data/load', { body, headers: PREFER_WAIT });
  await taskDone({ client, output, ...context }, reply);
  const clients = Array.from({ length: sizes.clients }, () => new FrameClient(context.url));
  try {
    await Promise.all(clients.map((one) => one.open()));
    const frames = () => clients.reduce((sum, one) => sum + one.frames, 0);
    output.progress('frames', 'sending', null, '');
    await sleep(sizes.framesMs / 5);
    const [before, from] = [frames(), performance.now()];
    await sleep(sizes.framesMs);
    return perSecond(frames() - before, (performance.now() - from) / 1e3);
  } finally {
    for (const one of clients) one.close();
  }
}

const perSecond = (count: number, seconds: number) => Math.round(count / seconds);
