/** How a run's folder is laid out, and so what its checkpoints are:
 *  `studio` and `rsl_rl` hold `model_<n>.pt` and `params/`, the first with `params/task.yaml`; `deploy` holds
 *  `exported/policy.onnx` and, where given, `params/deploy.yaml`. */
export type RunFormat = 'studio' | 'rsl_rl' | 'deploy';

/** What a run's own files say about it; null where they say nothing. */
export interface RunIdentity {
  readonly task: string | null;
  /** id of the robot that it was trained on */
  readonly robot: string | null;
  readonly jointNames: readonly string[] | null;
  /** how many actions its policy gives, where no joint is named */
  readonly joints: number | null;
  readonly dataset: string | null;
  /** the library that it was trained on, as its files name it */
  readonly motionFile: string | null;
  /** rows of the clip that its policy's own file holds; null where it holds none */
  readonly embeddedFrames: number | null;
  readonly job: string | null;
  /** what is wrong with its files */
  readonly error: string | null;
}

export interface Checkpoint {
  readonly name: string;
  /** null where the name does not say */
  readonly iteration: number | null;
  /** ms since 1970 */
  readonly modifiedMs: number;
}

/** A run folder as it is on the disk. */
export interface RunRecord extends RunIdentity {
  /** `<run_dir>/<run>` */
  readonly path: string;
  readonly runDir: string;
  readonly run: string;
  /** absolute */
  readonly folder: string;
  readonly format: RunFormat;
  /** by iteration */
  readonly checkpoints: readonly Checkpoint[];
  /** ms since 1970 */
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** Files of a run, relative to its folder. */
export const RUN_FILES = {
  task: 'params/task.yaml',
  env: 'params/env.yaml',
  agent: 'params/agent.yaml',
  config: 'params/config.yaml',
  library: 'params/motion_library.yaml',
  deploy: 'params/deploy.yaml',
  /** the last checkpoint's policy */
  export: 'params/policy.onnx',
  onnx: 'exported/policy.onnx',
} as const;

/** The one checkpoint of a `deploy` run. */
export const DEPLOY_CHECKPOINT = 'policy.onnx';

/** Frames a second of a clip that a policy's own file holds: whole_body_tracking's control steps. */
export const EMBEDDED_FPS = 50;
