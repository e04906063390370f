import path from 'node:path';
import { writeAtomicSync } from '../core/files/atomic-file.ts';
import { makeFoldersSync } from '../core/files/make-folders.ts';
import { formatYaml } from '../core/yaml-file.ts';
import type { LevelTable } from '../mdp/command/adaptive-sampling.ts';
import type { ReferenceStateInitConfig, TaskConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import type { RunScore } from '../protocol/schemas/jobs.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import { EventWriter } from '../runs/checkpoint/event-writer.ts';
import { type ExportMetadata, exportActor } from '../runs/checkpoint/export-actor.ts';
import { FAILURE_LEVELS_FILE, formatFailureLevels } from '../runs/checkpoint/failure-levels-file.ts';
import { type Checkpoint, formatCheckpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { ADDED_FILES, RUN_FILES } from '../runs/store/run-record.ts';
import { persistsLevels } from './failure-levels.ts';
import type { TrainingOrder } from './training-order.ts';

/** The content of `result.yaml`, which listings of runs show. */
export interface TrainingOutcome {
  readonly started_from: string | null;
  /** wall time trained so far */
  readonly seconds: number;
  readonly env_steps: number;
  /** best evaluation; null before the first */
  readonly score: Omit<RunScore, 'by'> | null;
  /** name of the checkpoint with this score; null without a score */
  readonly checkpoint: string | null;
}

/** Returns the file name of the checkpoint of an iteration. */
export function checkpointName(iteration: number): string {
  return `model_${iteration}.pt`;
}

/** The folder of a run, in the layout of rsl_rl: `model_<n>.pt`, event files, `params/`. */
export class RunFolder {
  readonly folder: string;
  readonly events: EventWriter | null;
  readonly #activation: TaskConfig['agent']['actor']['activation'];
  readonly #metadata: ExportMetadata;
  readonly #rsi: ReferenceStateInitConfig;

  /** Creates the folder and writes its parameters. @param config the task as it is trained, after the profile */
  constructor(order: TrainingOrder, config: TaskConfig, library: MotionLibrary) {
    this.folder = order.runFolder;
    makeFoldersSync(path.join(this.folder, 'params'), 5);
    for (const [file, content] of Object.entries(parameterFiles(order, config, library))) {
      writeAtomicSync(path.join(this.folder, file), formatYaml(content));
    }
    this.#activation = config.agent.actor.activation;
    this.#metadata = exportMetadata(order, config);
    this.#rsi = config.commands.motion.rsi;
    this.events = order.logger === 'none' ? null : new EventWriter(this.folder);
  }

  /** Saves a checkpoint, exports its actor, and saves the failure levels if the task asks for it.
   *  @returns the file name of the checkpoint */
  save(checkpoint: Checkpoint, levels: LevelTable): string {
    const name = checkpointName(checkpoint.iteration);
    writeAtomicSync(path.join(this.folder, name), formatCheckpoint(checkpoint));
    const exported = exportActor(checkpoint.actor, this.#activation, this.#metadata);
    writeAtomicSync(path.join(this.folder, RUN_FILES.export), exported);
    if (persistsLevels(this.#rsi))
      writeAtomicSync(path.join(this.folder, FAILURE_LEVELS_FILE), formatFailureLevels(levels, levels.settings));
    return name;
  }

  /** Writes `result.yaml` with the progress of the training. */
  record(outcome: TrainingOutcome): void {
    writeAtomicSync(path.join(this.folder, ADDED_FILES.result), formatYaml({ version: 1, ...outcome }));
  }

  close(): void {
    this.events?.close();
  }
}

function parameterFiles(order: TrainingOrder, config: TaskConfig, library: MotionLibrary): Record<string, unknown> {
  const { facts } = order.robot;
  const { agent, ...env } = playable(config);
  const motionFile = path.dirname(order.clips[0]!.path);
  const joints = facts.joints;
  return {
    [RUN_FILES.task]: {
      version: 1,
      task: order.task,
      robot: facts.id,
      dataset: order.dataset,
      motion_file: motionFile,
      joint_names: joints.map(({ name }) => name),
      seed: order.seed,
      trainer: 'builtin',
      profile: order.profile,
      resume: order.resume,
      start_from: order.start?.run ?? null,
      config: playable(config),
    },
    [RUN_FILES.env]: {
      ...env,
      seed: order.seed,
      commands: { motion: { ...env.commands.motion, motion_file: motionFile } },
    },
    [RUN_FILES.agent]: { ...agent, seed: order.seed, run_name: path.basename(order.runFolder) },
    [RUN_FILES.config]: {
      schema_version: 'wbc_tracking_params_v1',
      robot_id: facts.id,
      policy_step_dt: config.decimation * config.sim.timestep,
      joint_names: joints.map(({ name }) => name),
      default_joint_pos: joints.map((joint) => joint.default),
      stiffness: joints.map(({ stiffness }) => stiffness),
      damping: joints.map(({ damping }) => damping),
      action: {
        action_mode: config.actions.joint_pos.action_mode,
        scale: actionScales(config, facts),
        command_name: 'motion',
      },
      tracking: {
        anchor_body_name: config.commands.motion.anchor_body,
        actor_observation_names: Object.keys(config.observations['actor']?.terms ?? {}),
        actor_history_length: config.observations['actor']?.history_length ?? 1,
      },
    },
    [RUN_FILES.library]: {
      schema: 'wbc_motion_library_v1',
      dataset: order.dataset,
      robot: facts.id,
      bundle: null,
      bundle_path: null,
      num_clips: library.clips.length,
      total_frames: library.frames,
      fps: library.fps,
      clips: library.clips.map(({ name }) => name),
    },
  };
}

/** Returns the factors of the raw actions, rad per unit, by joint. */
function actionScales({ actions: { joint_pos } }: TaskConfig, { joints }: RobotFacts): number[] {
  const scale = joint_pos.scale ?? joints.map(({ actionScale }) => actionScale);
  return scale.map((value) => value * joint_pos.scale_factor);
}

/** Returns the task for play, which uses all contacts even if the training used fewer. */
function playable(config: TaskConfig): TaskConfig {
  const { contacts: _, ...sim } = config.sim;
  return { ...config, sim };
}

/** Returns the metadata that mjlab attaches to an exported policy, in full precision. */
function exportMetadata({ runFolder, robot }: TrainingOrder, config: TaskConfig): ExportMetadata {
  const { joints } = robot.facts;
  const { actor } = config.observations;
  const { joint_pos } = config.actions;
  const { motion } = config.commands;
  return {
    run_path: runFolder.split(path.sep).slice(-2).join('/'),
    policy_only_export: 'true',
    action_mode: joint_pos.action_mode,
    joint_names: joints.map(({ name }) => name),
    default_joint_pos: config.robot?.default_joint_pos ?? joints.map((joint) => joint.default),
    joint_stiffness: config.robot?.stiffness ?? joints.map(({ stiffness }) => stiffness),
    joint_damping: config.robot?.damping ?? joints.map(({ damping }) => damping),
    action_scale: actionScales(config, robot.facts),
    command_names: 'motion',
    observation_names: Object.keys(actor?.terms ?? {}),
    observation_history_lengths: Object.values(actor?.terms ?? {}).map(({ history_length }) =>
      Math.max(1, actor?.history_length ?? history_length),
    ),
    anchor_body_name: motion.anchor_body,
    body_names: motion.body_names,
  };
}
