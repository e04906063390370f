import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import type { PreparedRobot } from '../../src/robots/prepared-robot.ts';
import type { Profile } from '../../src/train/builtin-profile.ts';
import type { TrainingOrder } from '../../src/train/training-order.ts';
import { fromDist } from './product.ts';

const { baseTasks } = await fromDist<typeof import('../../src/mdp/tasks/base-tasks.ts')>('mdp/tasks/base-tasks.js');
const { trainedTask } = await fromDist<typeof import('../../src/train/builtin-profile.ts')>('train/builtin-profile.js');
const { ORDER_VERSION } = await fromDist<typeof import('../../src/train/training-order.ts')>('train/training-order.js');
const { openClipRobot } = await fromDist<typeof import('../../src/motion/clip-robot.ts')>('motion/clip-robot.js');
const { convertClip } = await fromDist<typeof import('../../src/motion/convert/convert-clip.ts')>(
  'motion/convert/convert-clip.js',
);
const { formatMotionNpz } =
  await fromDist<typeof import('../../src/formats/motion-npz-write.ts')>('formats/motion-npz-write.js');

const CONTROL_HZ = 50;

export interface OrderOptions {
  readonly robot: PreparedRobot;
  /** ending of the name of a base task; '' is the plain task */
  readonly task: string;
  readonly clips: readonly { readonly name: string; readonly rows: ClipRows }[];
  /** folder for converted clips and runs */
  readonly root: string;
  /** of the folder of the run */
  readonly name: string;
  readonly seed: number;
  /** default: one per core */
  readonly threads?: number;
  /** default: builtin */
  readonly profile?: Profile;
  /** changes the task after the profile has been applied */
  readonly change?: (trained: TaskConfig) => TaskConfig;
}

/** Converts clips and writes an order for the built-in trainer, as a launch does. */
export async function orderFor(options: OrderOptions): Promise<TrainingOrder> {
  const { robot, root, profile = 'builtin', change = (trained) => trained } = options;
  const { folder, facts } = robot;
  const physicsPath = path.join(folder, 'physics.mjb');
  const clipRobot = await openClipRobot({ physicsPath, facts });
  const library = path.join(root, `npz-${facts.id}`);
  mkdirSync(library, { recursive: true });
  const clips = options.clips.map(({ name, rows }) => {
    const file = path.join(library, `${name}.npz`);
    const { motion } = convertClip(clipRobot, rows, { outputFps: CONTROL_HZ, debiasZ: false });
    writeFileSync(file, Buffer.concat(formatMotionNpz(motion, '{}')));
    return { name, path: file };
  });
  const tasks = baseTasks(facts);
  const task = options.task === '' ? tasks[0]! : tasks.find(({ name }) => name.endsWith(options.task));
  if (!task) throw new Error(`no task ends with "${options.task}": ${tasks.map(({ name }) => name).join(', ')}`);
  return {
    version: ORDER_VERSION,
    task: task.name,
    config: change(trainedTask(task.config, profile)),
    profile,
    robot: { facts, physicsPath },
    dataset: 'bench',
    clips,
    seed: options.seed,
    threads: options.threads ?? 0,
    runFolder: path.join(root, options.name),
    resume: null,
    logger: 'tensorboard',
  };
}
