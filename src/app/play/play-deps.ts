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

/** A run and checkpoint, read. */
export interface PlaySetup {
  readonly task: string;
  readonly config: TaskConfig;
  readonly policy: PolicyWeights | null;
}

/** Runs as a session needs them. */
export interface PlayRuns {
  /** @throws bad_input for an unknown run, one of another robot, one that is damaged or has no checkpoint */
  find(run: string): Promise<RunRecord>;
  /** Reads a checkpoint; '' is zero action. Not on this thread. @throws bad_input naming `run` or `checkpoint`, the file
   *  and what in it cannot be played */
  setup(run: RunRecord, checkpoint: string, robot: ClipRobotSource): Promise<PlaySetup>;
  /** The default one first. */
  libraries(run: RunRecord, robot: ClipRobotSource): Promise<readonly PlayLibrary[]>;
  /** Not on this thread. @throws bad_input for a library that cannot be read */
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
  /** the robot on stage */
  robot(): ClipRobotSource;
  /** Numbers what viewers fetch anew. */
  nextVersion(): number;
  /** Draws uneven ground, not on this thread. @param half m to each side */
  groundMesh(config: TerrainConfig, half: number): Promise<Uint8Array>;
}
