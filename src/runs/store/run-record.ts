import type { RunMarks, RunScore } from '../../protocol/schemas/jobs.ts';

/** Layout of a run's folder. `studio` and `rsl_rl` contain `model_<n>.pt` and `params/`; `studio` also contains
 *  `params/task.yaml`. `deploy` contains `exported/policy.onnx` and optionally `params/deploy.yaml`, or `policy.onnx`
 *  and `deploy.yaml` side by side. */
export type RunFormat = 'studio' | 'rsl_rl' | 'deploy';

/** What the built-in trainer records about a training, in `result.yaml`. */
export interface TrainingRecord {
  /** path of the run whose networks the training started with */
  readonly startedFrom: string | null;
  /** wall time trained, s; null if the file does not state it */
  readonly seconds: number | null;
  /** null before the first evaluation */
  readonly score: RunScore | null;
  /** name of the checkpoint with this score; null if the files do not state it, or if the newest one has it */
  readonly scored: string | null;
}

/** Properties that a run's own files state; null for properties that they do not state. */
export interface RunIdentity {
  readonly task: string | null;
  /** id of the robot that the run was trained on */
  readonly robot: string | null;
  /** name of the folder that holds the robot's data in trainers' layout, from the path of the motion library; a guess,
   *  because any path may contain a folder named data */
  readonly robotInPath: string | null;
  readonly jointNames: readonly string[] | null;
  /** number of joints: the number of names, or the number of the policy's actions if the files do not name the
   *  joints */
  readonly joints: number | null;
  readonly dataset: string | null;
  /** the motion library that the run was trained on, as its files name it */
  readonly motionFile: string | null;
  /** number of frames of the clip inside the policy file; null if the file contains no clip */
  readonly embeddedFrames: number | null;
  /** frame rate of that clip, Hz: the policy's control rate; null if the file contains no clip */
  readonly embeddedFps: number | null;
  readonly job: string | null;
  /** why the run's files cannot be read; null if they can */
  readonly error: string | null;
  readonly marks: RunMarks;
  readonly training: TrainingRecord;
}

export const NO_MARKS: RunMarks = { tags: [], note: '', favourite: false };

/** The properties of a run whose files do not state anything. */
export const UNKNOWN_RUN: Omit<RunIdentity, 'error'> = {
  task: null,
  robot: null,
  robotInPath: null,
  jointNames: null,
  joints: null,
  dataset: null,
  motionFile: null,
  embeddedFrames: null,
  embeddedFps: null,
  job: null,
  marks: NO_MARKS,
  training: { startedFrom: null, seconds: null, score: null, scored: null },
};

export interface Checkpoint {
  readonly name: string;
  /** null if the file name does not contain an iteration */
  readonly iteration: number | null;
  /** ms since 1970 */
  readonly modifiedMs: number;
}

/** A run folder on disk, with the properties from its files. */
export interface RunRecord extends RunIdentity {
  /** `<run_dir>/<run>` */
  readonly path: string;
  readonly runDir: string;
  readonly run: string;
  /** absolute path */
  readonly folder: string;
  readonly format: RunFormat;
  /** sorted by iteration */
  readonly checkpoints: readonly Checkpoint[];
  /** ms since 1970 */
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** Files that identify a run, relative to its folder. */
export const RUN_FILES = {
  task: 'params/task.yaml',
  env: 'params/env.yaml',
  agent: 'params/agent.yaml',
  config: 'params/config.yaml',
  library: 'params/motion_library.yaml',
  deploy: 'params/deploy.yaml',
  /** the exported policy of the last checkpoint */
  export: 'params/policy.onnx',
  onnx: 'exported/policy.onnx',
  /** both files of a deployed policy side by side */
  flatOnnx: 'policy.onnx',
  flatDeploy: 'deploy.yaml',
} as const;

/** Files that this service adds to the folder of a run. Most runs have none of them. */
export const ADDED_FILES = {
  /** marks of users */
  marks: 'marks.yaml',
  /** the built-in trainer's record of the training */
  result: 'result.yaml',
  /** score of the newest evaluation, in the fields of `score` of {@link result}: it replaces that score */
  evaluated: 'evaluations/score.yaml',
} as const;

/** File name of the only checkpoint of a `deploy` run. */
export const DEPLOY_CHECKPOINT = 'policy.onnx';

/** Frame rate of a clip inside a policy file whose control rate is not stated, Hz: the control rate of
 *  whole_body_tracking. */
export const EMBEDDED_FPS = 50;
