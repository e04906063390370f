import { badInput } from '../../core/errors.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { EnvState } from '../env-state.ts';
import type { JointPositionActionConfig } from '../task-config.ts';

/** Converts raw actions to joint targets: base + scale · action − encoder bias. The base is the current reference frame
 *  or the default pose. */
export class JointPositionAction {
  /** (n, J) rad */
  readonly targets: Float64Array;
  /** (n, J) rad, reading of the encoder minus joint position */
  readonly encoderBias: Float64Array;
  readonly #state: EnvState;
  readonly #residual: boolean;
  readonly #scale: Float64Array;
  readonly #lower: number;
  readonly #upper: number;
  readonly #defaultPos: Float64Array;

  constructor(state: EnvState, facts: RobotFacts, config: JointPositionActionConfig, defaultPos: Float64Array) {
    if (config.scale && config.scale.length !== facts.joints.length)
      throw badInput(
        `actions.joint_pos.scale: has ${config.scale.length} numbers, expected ${facts.joints.length}: one per joint`,
      );
    this.#state = state;
    this.#residual = config.action_mode === 'reference_residual';
    this.#scale = Float64Array.from(
      facts.joints,
      (joint, j) => (config.scale?.[j] ?? joint.actionScale) * config.scale_factor,
    );
    this.#lower = config.clip?.[0] ?? Number.NEGATIVE_INFINITY;
    this.#upper = config.clip?.[1] ?? Number.POSITIVE_INFINITY;
    this.#defaultPos = defaultPos;
    this.targets = new Float64Array(state.n * state.joints);
    this.encoderBias = new Float64Array(state.n * state.joints);
  }

  /** Applies the action of one environment. Uses 0 instead of an action that is not finite. @param raw (n, J)
   *  @returns false if the action is not finite */
  apply(env: number, raw: Float32Array): boolean {
    const { joints, actions, previousActions, refJointPos } = this.#state;
    let finite = true;
    for (let j = 0, at = env * joints; j < joints; j++, at++) {
      let action = Math.min(this.#upper, Math.max(this.#lower, raw[at]!));
      if (!Number.isFinite(action)) {
        action = 0;
        finite = false;
      }
      previousActions[at] = actions[at]!;
      actions[at] = action;
      const base = this.#residual ? refJointPos[at]! : this.#defaultPos[j]!;
      this.targets[at] = base + this.#scale[j]! * action - this.encoderBias[at]!;
    }
    return finite;
  }

  /** Sets the actions of an environment to 0. */
  reset(env: number): void {
    const { joints, actions, previousActions } = this.#state;
    for (let j = 0, at = env * joints; j < joints; j++, at++) {
      actions[at] = 0;
      previousActions[at] = 0;
    }
  }
}
