import type { Logger } from '../../core/logger.ts';
import type { TaskConfig, TerrainConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { SimClient } from '../../workers/sim/sim-client.ts';
import type { BusyTasks } from '../busy-tasks.ts';
import type { EventHub } from '../event-hub.ts';
import type { OwnerStack } from '../scene-owner.ts';
import type { PlayLibrary } from './play-libraries.ts';

/** What a run and a checkpoint contain. */
export interface PlaySetup {
  readonly task: string;
  readonly config: TaskConfig;
  readonly policy: PolicyWeights | null;
}

/** Runs for play sessions. */
export interface PlayRuns {
  /** @throws bad_input for a run that is unknown, damaged, of another robot, or without a checkpoint */
  find(run: string): Promise<RunRecord>;
  /** Reads a checkpoint on another thread; '' is zero action. @throws bad_input naming `run` or `checkpoint`, the file
   *  and what in it cannot be played */
  setup(run: RunRecord, checkpoint: string, robot: ClipRobotSource): Promise<PlaySetup>;
  /** The default library first. */
  libraries(run: RunRecord, robot: ClipRobotSource): Promise<readonly PlayLibrary[]>;
  /** Reads on another thread. @throws bad_input for a library that cannot be read */
  readLibrary(library: PlayLibrary, run: RunRecord, robot: ClipRobotSource): Promise<MotionLibrary>;
}

export interface PlayDeps {
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  readonly sim: SimClient;
  readonly owner: OwnerStack;
  readonly logger: Logger;
  readonly runs: PlayRuns;
  /** most environments of a session */
  readonly maxEnvs: number;
  /** threads of a session; 0: one core is left for the others */
  readonly threads: number;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** Next version of a model or ground that viewers fetch. */
  nextVersion(): number;
  /** Builds the mesh of uneven ground on another thread. @param half m to each side */
  groundMesh(config: TerrainConfig, half: number): Promise<Uint8Array>;
}
