import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { badInput } from '../../core/errors.ts';
import { LIBRARY } from '../../mdp/library.ts';
import { loadMotionLibrary } from '../../motion/library/load-motion-library.ts';
import { taskEffect } from '../../presets/task-effect.ts';
import { readTrainingCheckpoint } from '../../runs/checkpoint/read-training-checkpoint.ts';
import { groupFloats } from '../../train/create-training.ts';
import { resumedLevels } from '../../train/failure-levels.ts';
import { ACTOR_GROUP, CRITIC_GROUP } from '../../train/ppo/rollout.ts';
import { createGroupMemory, WorkerGroup } from '../../train/ppo/worker-group.ts';
import { ORDER_VERSION, type TrainingOrder } from '../../train/training-order.ts';
import { threadEntry } from '../thread-entry.ts';
import type { TrainThread, TrainThreadEnd } from './messages.ts';
import { runThreads } from './run-threads.ts';

/** Runs a training in threads of this process. Settles when it is done or stopped.
 *  @param onStop receives a function that stops the training within a step or an update and saves a checkpoint
 *  @returns whether it was stopped before its end
 *  @throws StudioError bad_input for an inconsistent order; Error with the reason if a thread crashes */
export async function runTraining(orderFile: string, onStop: (stop: () => void) => void): Promise<boolean> {
  const order = JSON.parse(await readFile(orderFile, 'utf8')) as TrainingOrder;
  if (order.version !== ORDER_VERSION)
    throw badInput('this order was written by another version of motion-studio. Launch the training again.');
  const task = order.config;
  const { observations } = taskEffect(task, order.robot.facts, LIBRARY);
  const [actorDim, criticDim] = [ACTOR_GROUP, CRITIC_GROUP].map((group) => {
    const dim = observations[group];
    if (dim === undefined)
      throw badInput(`observations: the task has no observation group ${group}, which the trainer needs`);
    return dim;
  }) as [number, number];
  process.stdout.write(`[INFO] Logging experiment in directory: ${order.runFolder}\n`);
  const resume = order.resume === null ? null : await readTrainingCheckpoint(order.resume);
  if (resume) process.stdout.write(`[INFO] Loading model checkpoint from: ${order.resume}\n`);
  const start = order.start ? await readTrainingCheckpoint(order.start.checkpoint, 'start_from') : null;
  if (start) process.stdout.write(`[INFO] Starting with the networks of: ${order.start!.checkpoint}\n`);
  const library = await loadMotionLibrary(order.clips, order.robot.facts);
  const levels = await resumedLevels(order, library, (text) => process.stdout.write(`[INFO] ${text}\n`));
  const threads = order.threads > 0 ? order.threads : availableParallelism();
  const ranks = Math.max(1, Math.min(threads, task.scene.num_envs));
  const floats = groupFloats(order, actorDim, criticDim);
  process.stdout.write(
    `[INFO] ${order.task} on ${order.dataset}: ${library.clips.length} ${library.clips.length === 1 ? 'clip' : 'clips'}, ${(library.frames / library.fps).toFixed(1)} s; ` +
      `${task.scene.num_envs} environments in ${ranks} threads; actor ${actorDim}, critic ${criticDim} observations\n`,
  );
  const memory = createGroupMemory(ranks, floats);
  onStop(() => new WorkerGroup(memory, 0).requestStop());
  let stopped = false;
  await runThreads<TrainThreadEnd>(
    threadEntry('train', import.meta.url),
    Array.from({ length: ranks }, (_, rank): TrainThread => ({ order, library, memory, rank, resume, levels, start })),
    (end) => {
      stopped = end.stopped;
    },
  );
  return stopped;
}
