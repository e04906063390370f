import { badInput } from '../../core/errors.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { TermIndices } from '../env-state.ts';
import type { TaskConfig } from '../task-config.ts';
import { assembleEnvironment } from './assemble-environment.ts';
import { BatchedEnvironments } from './batched-environments.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { PhysicsBatch } from './physics-batch.ts';

/** Creates the environments of a task for one thread. For any number of threads, an environment with the same seed and
 *  index behaves identically, bit for bit.
 *  @throws StudioError bad_input for terms, bodies or values that do not fit the robot, or a library of another
 *  robot */
export function createEnvironments(options: EnvironmentOptions): BatchedEnvironments {
  const { facts, library, config, n } = options;
  checkLibrary(library, facts, config.decimation * config.sim.timestep);
  const indices = findBodies(facts, config.commands.motion);
  const physics = new PhysicsBatch(options.mj, options.physics, n);
  try {
    return new BatchedEnvironments(assembleEnvironment(options, physics, indices), options);
  } catch (error) {
    physics.delete(); // The garbage collector does not free MuJoCo's memory.
    throw error;
  }
}

function checkLibrary({ clips, joints, bodies, fps }: MotionLibrary, facts: RobotFacts, stepS: number): void {
  if (clips.length === 0) throw badInput('motion: the library has no clips. Convert clips of the dataset first.');
  if (joints !== facts.joints.length || bodies !== facts.bodies.length)
    throw badInput(
      `motion: the library has ${joints} joints and ${bodies} bodies, ${facts.name} has ${facts.joints.length} and ${facts.bodies.length}: the library belongs to another robot`,
    );
  if (Math.abs(fps * stepS - 1) > 1e-3)
    throw badInput(
      `motion: the library has ${fps} frames per second, the task ${Math.round(1 / stepS)} control steps per second. Convert the clips at that rate.`,
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
