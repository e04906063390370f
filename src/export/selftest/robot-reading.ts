import type { EnvState } from '../../mdp/env-state.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** The values that a controller measures on the robot, by name. Poses are exact, as from a perfect estimator. World
 *  frame, quaternions wxyz, velocities of body origins in world axes. */
export interface RobotReading {
  /** positions, rad, and velocities, rad/s, in motor order */
  readonly motorPos: ArrayLike<number>;
  readonly motorVel: ArrayLike<number>;
  readonly root: BodyReading;
  /** height of the ground under the robot, m */
  readonly ground: number;
  body(name: string): BodyReading;
}

interface BodyReading {
  readonly pos: ArrayLike<number>;
  readonly quat: ArrayLike<number>;
  readonly linVel: ArrayLike<number>;
  readonly angVel: ArrayLike<number>;
}

/** Reads the state of the only environment. The result shares memory with the state. */
export function readRobot(state: EnvState, facts: RobotFacts): RobotReading {
  const bodyAt = (index: number): BodyReading => ({
    pos: state.bodyPosW.subarray(3 * index, 3 * index + 3),
    quat: state.bodyQuatW.subarray(4 * index, 4 * index + 4),
    linVel: state.bodyLinVelW.subarray(3 * index, 3 * index + 3),
    angVel: state.bodyAngVelW.subarray(3 * index, 3 * index + 3),
  });
  return {
    motorPos: state.jointPos,
    motorVel: state.jointVel,
    root: bodyAt(0),
    get ground() {
      return state.envOrigin[2]!;
    },
    body: (name) => bodyAt(facts.bodies.findIndex((body) => body.name === name)),
  };
}
