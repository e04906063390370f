import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { MainModule } from '../../sim/mujoco.ts';
import type { TaskConfig } from '../task-config.ts';
import type { TermLibrary } from '../term.ts';

/** Inputs for creating the environments of one thread. */
export interface EnvironmentOptions {
  readonly mj: MainModule;
  /** the robot compiled without visuals (MJB), with a plane, or with a height field if the task has uneven terrain */
  readonly physics: Uint8Array;
  readonly facts: RobotFacts;
  readonly config: TaskConfig;
  readonly library: MotionLibrary;
  readonly terms: TermLibrary;
  /** number of environments of this thread; environment k of the thread is number `firstEnv` + k · `stride` of `total`
   *  over all threads */
  readonly n: number;
  /** defaults: 0, 1 and `firstEnv` + n · `stride` */
  readonly firstEnv?: number;
  readonly stride?: number;
  readonly total?: number;
  readonly seed: number;
}
