import type { Logger } from '../../core/logger.ts';
import type { TaskConfig, TerrainConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { Evaluation } from '../../protocol/schemas/evaluation.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { SimClient } from '../../workers/sim/sim-client.ts';
import type { AppEvents } from '../app-events.ts';
import type { BusyTasks } from '../busy-tasks.ts';
import type { EventHub } from '../event-hub.ts';
import type { OwnerStack } from '../scene-owner.ts';
import type { PlayLibrary } from './play-libraries.ts';

/** Content of a run and of one of its checkpoints. */
export interface PlaySetup {
  readonly task: string;
  /** the task as it is played, and as it was trained */
  readonly config: TaskConfig;
  readonly trained: TaskConfig;
  readonly policy: PolicyWeights | null;
}

/** Access to runs for play sessions. */
export interface PlayRuns {
  /** @throws bad_input for a run that is unknown, damaged, of another robot, or without a checkpoint */
  find(run: string): Promise<RunRecord>;
  /** @throws bad_input for a run that is unknown, damaged or of another robot */
  findAny(run: string): Promise<RunRecord>;
  /** Reads a checkpoint on another thread; '' means zero action.
   *  @throws bad_input that names `run` or `checkpoint`, the file, and the part of the file that cannot be played */
  setup(run: RunRecord, checkpoint: string, robot: ClipRobotSource): Promise<PlaySetup>;
  /** Lists the motion libraries on which the run can be played, the default first. */
  libraries(run: RunRecord, robot: ClipRobotSource): Promise<readonly PlayLibrary[]>;
  /** Reads a motion library on another thread. @throws bad_input for a library that cannot be read */
  readLibrary(library: PlayLibrary, run: RunRecord, robot: ClipRobotSource): Promise<MotionLibrary>;
}

export interface PlayDeps {
  readonly hub: EventHub;
  readonly events: Pick<AppEvents, 'emit'>;
  readonly busy: BusyTasks;
  readonly sim: SimClient;
  readonly owner: OwnerStack;
  readonly logger: Logger;
  readonly runs: PlayRuns;
  /** @throws bad_input for an unknown evaluation */
  evaluation(name: string): Promise<Evaluation>;
  /** maximum number of environments of a session */
  readonly maxEnvs: number;
  /** number of threads of a session; 0: all cores but one */
  readonly threads: number;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** Returns the next version number for robot models and grounds that viewers fetch. */
  nextVersion(): number;
  /** Builds the mesh of uneven ground on another thread. @param half half side of the ground, m */
  groundMesh(config: TerrainConfig, half: number): Promise<Uint8Array>;
}
