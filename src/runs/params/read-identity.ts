import { existsSync } from 'node:fs';
import path from 'node:path';
import { messageOf, StudioError } from '../../core/errors.ts';
import { onnxMetadata } from '../../formats/onnx/policy-metadata.ts';
import { readOnnxFile } from '../../formats/onnx/read-onnx-file.ts';
import { embeddedFrames } from '../../policy/onnx/embedded-motion.ts';
import { deployFiles } from '../store/deploy-files.ts';
import { RUN_FILES, type RunIdentity, UNKNOWN_RUN } from '../store/run-record.ts';
import { embeddedFps } from './embedded-fps.ts';
import { type ParamsMap, type ReadKeys, readParams, readParamsKeys, textAt, textsAt, valueAt } from './params-file.ts';
import { readAddedFiles } from './read-added-files.ts';

type Stated = Omit<RunIdentity, 'marks' | 'training'>;

/** Result of reading one run: its properties, or the reason why they cannot be read now. */
export type ReadRun = RunIdentity | string;

/** Reads the properties of many runs. @param whole true: read all of each file, which finds any damage; false: read
 *  only the needed parts, in about a tenth of the time */
export async function readRunIdentities(folders: readonly string[], whole: boolean): Promise<ReadRun[]> {
  const found: ReadRun[] = [];
  for (const folder of folders)
    found.push(await readIdentity(folder, whole ? readParams : readParamsKeys).catch(messageOf));
  return found;
}

/** Reads the properties of a run from its files. A damaged file is reported in `error`; marks are still read. */
export function readRunIdentity(folder: string): Promise<RunIdentity> {
  return readIdentity(folder, readParams);
}

async function readIdentity(folder: string, read: ReadKeys): Promise<RunIdentity> {
  const added = await readAddedFiles(folder, read);
  try {
    return { ...(await readStated(folder, read)), ...added };
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'bad_input') throw error;
    return { ...UNKNOWN_RUN, ...added, error: error.message };
  }
}

/** Reads the task, robot, joints and dataset of a run from its files. These are `task.yaml` of this service;
 *  `config.yaml`, `motion_library.yaml` and `env.yaml` of rsl_rl; and `deploy.yaml` and the metadata of an exported
 *  policy.
 *  @throws bad_input naming the damaged file */
async function readStated(folder: string, read: ReadKeys): Promise<Stated> {
  const task = await read(folder, RUN_FILES.task, ...TASK_KEYS);
  if (task) return taskIdentity(task);
  const env = await read(folder, RUN_FILES.env, 'commands.motion.motion_file');
  return env ? trainedIdentity(folder, env, read) : deployedIdentity(folder);
}

const TASK_KEYS = ['task', 'robot', 'joint_names', 'dataset', 'motion_file', 'job'] as const;

function taskIdentity(task: ParamsMap): Stated {
  const jointNames = textsAt(task, 'joint_names');
  return {
    task: textAt(task, 'task'),
    robot: textAt(task, 'robot'),
    robotInPath: null,
    jointNames,
    joints: jointNames?.length ?? null,
    dataset: textAt(task, 'dataset'),
    motionFile: textAt(task, 'motion_file'),
    embeddedFrames: null,
    embeddedFps: null,
    job: textAt(task, 'job'),
    error: null,
  };
}

async function trainedIdentity(folder: string, env: ParamsMap, read: ReadKeys): Promise<Stated> {
  const config = await read(folder, RUN_FILES.config, 'joint_names', 'robot_id');
  const library = await read(folder, RUN_FILES.library, 'robot', 'dataset');
  const agent = await read(folder, RUN_FILES.agent, 'experiment_name');
  const motionFile = textAt(env, 'commands', 'motion', 'motion_file');
  const place = motionFile === null ? null : datasetPlace(motionFile);
  const jointNames = textsAt(config, 'joint_names');
  return {
    task: textAt(agent, 'experiment_name'),
    robot: textAt(config, 'robot_id') ?? textAt(library, 'robot'),
    robotInPath: place?.robot ?? null,
    jointNames,
    joints: jointNames?.length ?? null,
    dataset: textAt(library, 'dataset') ?? place?.dataset ?? null,
    motionFile,
    embeddedFrames: null,
    embeddedFps: null,
    job: null,
    error: null,
  };
}

async function deployedIdentity(folder: string): Promise<Stated> {
  const files = deployFiles(folder);
  const deploy = await readParams(folder, files.deploy);
  const onnx = path.join(folder, files.onnx);
  const model = existsSync(onnx) ? readOnnxFile(onnx) : null;
  const metadata = model && onnxMetadata(model);
  const defaults = valueAt(deploy, 'default_joint_pos');
  const actions = model?.outputs.find(({ name }) => name === 'actions')?.shape.at(-1);
  const jointNames = metadata?.jointNames ?? null;
  const frames = model && embeddedFrames(model);
  return {
    task: null,
    robot: null,
    robotInPath: null,
    jointNames,
    joints:
      jointNames?.length ?? (Array.isArray(defaults) ? defaults.length : typeof actions === 'number' ? actions : null),
    dataset: null,
    motionFile: null,
    embeddedFrames: frames,
    embeddedFps: frames === null ? null : embeddedFps(deploy),
    job: null,
    error: null,
  };
}

/** Finds `data/<robot>/<dataset>/…` in the path of a motion library. Trainers use this layout. */
function datasetPlace(file: string): { robot: string; dataset: string } | null {
  const parts = file.split('/');
  const at = parts.lastIndexOf('data');
  const [robot, dataset] = at < 0 ? [] : parts.slice(at + 1);
  return robot && dataset ? { robot, dataset: path.parse(dataset).name } : null;
}
