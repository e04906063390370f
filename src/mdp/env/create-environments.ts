import { badInput } from '../../core/errors.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { MainModule } from '../../sim/mujoco.ts';
import type { TermIndices } from '../env-state.ts';
import type { TaskConfig } from '../task-config.ts';
import type { TermLibrary } from '../term.ts';
import { BatchedEnvironments } from './batched-environments.ts';
import { PhysicsBatch } from './physics-batch.ts';

export interface EnvironmentOptions {
  readonly mj: MainModule;
  /** the robot compiled without visuals (MJB), on a plane or, for a task on uneven terrain, on a field of heights */
  readonly physics: Uint8Array;
  readonly facts: RobotFacts;
  readonly config: TaskConfig;
  readonly library: MotionLibrary;
  readonly terms: TermLibrary;
  /** environments of this thread; environment k is `firstEnv` + k · `stride` of the whole session of `total` */
  readonly n: number;
  readonly firstEnv?: number;
  readonly stride?: number;
  readonly total?: number;
  readonly seed: number;
}

/** Makes the environments of a task for one thread. The same (seed, index of environment) goes the same way bit for bit,
 *  however environments are spread over threads.
 *  @throws StudioError bad_input for terms, bodies or numbers that do not fit the robot, or a library of another one */
export function createEnvironments(options: EnvironmentOptions): BatchedEnvironments {
  const { facts, library, config, n, firstEnv = 0, stride = 1 } = options;
  checkLibrary(library, facts, config.decimation * config.sim.timestep);
  const indices = findBodies(facts, config.commands.motion);
  const physics = new PhysicsBatch(options.mj, options.physics, n);
  try {
    const total = options.total ?? firstEnv + n * stride;
    return new BatchedEnvironments({ ...options, firstEnv, stride, total, physics, indices });
  } catch (error) {
    physics.delete(); // nobody else would, and MuJoCo's memory is not collected
    throw error;
  }
}

function checkLibrary({ clips, joints, bodies, fps }: MotionLibrary, facts: RobotFacts, stepS: number): void {
  if (clips.length === 0) throw badInput('motion: the library has no clips; convert some of the dataset first');
  if (joints !== facts.joints.length || bodies !== facts.bodies.length)
    throw badInput(
      `motion: the library has ${joints} joints and ${bodies} bodies, ${facts.name} has ${facts.joints.length} and ${facts.bodies.length}; it belongs to another robot`,
    );
  if (Math.abs(fps * stepS - 1) > 1e-3)
    throw badInput(
      `motion: the library has ${fps} frames a second, the task makes ${Math.round(1 / stepS)} control steps; convert its clips at that rate`,
    );
}

function findBodies(facts: RobotFacts, motion: TaskConfig['commands']['motion']): TermIndices {
  const find = (field: string, name: string) => {
    const at = facts.bodies.findIndex((body) => body.name === name);
    if (at < 0) throw badInput(`commands.motion.${field}: ${facts.name} has no body ${name}`);
    return at;
  };
  return {
    anchor: find('anchor_body', motion.anchor_body),
    keybodies: motion.body_names.map((name) => find('body_names', name)),
    endEffectors: motion.ee_body_names.map((name) => find('ee_body_names', name)),
    feet: facts.wiring.feet.map((name) => find('feet', name)),
  };
}
