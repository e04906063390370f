import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { formatMotionNpz } from '../../src/formats/motion-npz-write.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { openClipRobot } from '../../src/motion/clip-robot.ts';
import { convertClip } from '../../src/motion/convert/convert-clip.ts';
import { trainedTask } from '../../src/train/builtin-profile.ts';
import { ORDER_FILE, ORDER_VERSION, type TrainingOrder } from '../../src/train/training-order.ts';
import { builtinClip } from './clips.ts';
import { clipSource, preparedHumanoid } from './robots.ts';

/** Writes an order to train the built-in robot on a squat, small enough for a test, into a new folder.
 *  @returns the order and its file */
export async function trainingOrder(
  changes: { readonly iterations?: number; readonly envs?: number } & Partial<TrainingOrder> = {},
): Promise<{ readonly order: TrainingOrder; readonly file: string; readonly folder: string }> {
  const { iterations = 2, envs = 8, ...rest } = changes;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'motion-studio-train-'));
  const prepared = await preparedHumanoid();
  const robot = clipSource(prepared);
  const { motion } = convertClip(await openClipRobot(robot), builtinClip('squat'), { outputFps: 50, debiasZ: false });
  const clip = path.join(folder, 'npz', 'squat.npz');
  mkdirSync(path.dirname(clip));
  writeFileSync(clip, Buffer.concat(formatMotionNpz(motion, '{}')));
  const base = baseTasks(prepared.facts)[0]!;
  const order: TrainingOrder = {
    version: ORDER_VERSION,
    task: base.name,
    config: trainedTask(
      {
        ...base.config,
        scene: { ...base.config.scene, num_envs: envs },
        agent: { ...base.config.agent, max_iterations: iterations, save_interval: 1 },
      },
      'builtin',
    ),
    profile: 'builtin',
    robot,
    dataset: 'squats',
    clips: [{ name: 'squat', path: clip }],
    seed: 3,
    threads: 1,
    runFolder: path.join(folder, 'run'),
    resume: null,
    logger: 'tensorboard',
    evaluation: { every: 2, episodes: 4, finalEpisodes: 4 },
    ...rest,
  };
  const file = path.join(folder, ORDER_FILE);
  writeFileSync(file, JSON.stringify(order));
  return { order, file, folder };
}
