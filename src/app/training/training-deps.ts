import type { DatasetStore } from '../../data/dataset-store.ts';
import type { Launcher } from '../../jobs/detached/launcher.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { ExternalTrainer } from '../../jobs/trainers/external-trainer.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { CheckpointShape } from '../../train/dry-run/checkpoint-shape.ts';
import type { Trial, TrialOrder } from '../../train/dry-run/try-training.ts';

export interface TrainingDeps {
  readonly jobs: JobRegistry;
  /** trainers of `studio.yaml`, by name */
  readonly trainers: ReadonlyMap<string, ExternalTrainer>;
  readonly launchers: ReadonlyMap<string, Launcher>;
  /** `<workspace>/logs/rsl_rl` */
  readonly runsFolder: string;
  /** time limit of a training that chooses its number of iterations, minutes */
  readonly maxMinutes: number;
  /** `PATH` */
  readonly searchPath: string;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** Returns the complete, checked configuration of a task. @throws bad_input for an unknown or broken task */
  task(name: string): Promise<TaskConfig>;
  library(robot: ClipRobotSource): DatasetStore;
  /** Returns a run of the selected robot. @throws bad_input naming `field` */
  run(path: string, field: 'resume_run' | 'start_from'): Promise<RunRecord>;
  /** Lists the scored runs of the selected robot and of a task, the best first. */
  startable(task: string): Promise<readonly RunRecord[]>;
  /** Reads the shape of a checkpoint on another thread. @param file absolute path
   *  @throws bad_input for a damaged file */
  checkpointShape(file: string): Promise<CheckpointShape>;
  /** Runs a trial of a training on another thread. */
  tryTraining(order: TrialOrder): Promise<Trial>;
}
