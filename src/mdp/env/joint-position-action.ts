import { badInput } from '../../core/errors.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { EnvState } from '../env-state.ts';
import type { JointPositionActionConfig } from '../task-config.ts';

/** Converts raw actions to joint targets: base + scale · action − encoder bias. The base is the current reference frame
 *  or the default pose.
 *
 *  With a delay of d control steps, the motors get the target of d steps ago. In the first d steps of an episode they
 *  get the first target, as in mjlab's and Isaac Lab's delay buffers. */
export class JointPositionAction {
  /** (n, J) rad */
  readonly targets: Float64Array;
  /** (n, J) difference between encoder reading and joint position, rad */
  readonly encoderBias: Float64Array;
  readonly #state: EnvState;
  readonly #residual: boolean;
  readonly #scale: Float64Array;
  readonly #lower: number;
  readonly #upper: number;
  readonly #defaultPos: Float64Array;
  readonly #delay: number;
  /** (n, delay + 1, J) targets of the last steps, and (n) steps since the start of the episode */
  readonly #sent: Float64Array;
  readonly #steps: Int32Array;

  /** @param delay control steps by which targets are late */
  constructor(
    state: EnvState,
    facts: RobotFacts,
    config: JointPositionActionConfig,
    defaultPos: Float64Array,
    delay: number,
  ) {
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
    this.#delay = delay;
    this.#sent = new Float64Array(this.#delay === 0 ? 0 : state.n * (this.#delay + 1) * state.joints);
    this.#steps = new Int32Array(state.n);
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
    if (this.#delay > 0) this.#delayTargets(env);
    return finite;
  }

  /** Sets the actions of an environment to 0. */
  reset(env: number): void {
    const { joints, actions, previousActions } = this.#state;
    for (let j = 0, at = env * joints; j < joints; j++, at++) {
      actions[at] = 0;
      previousActions[at] = 0;
    }
    this.#steps[env] = 0;
  }

  /** Stores the new targets and replaces them by those of `delay` steps ago. */
  #delayTargets(env: number): void {
    const { joints } = this.#state;
    const slots = this.#delay + 1;
    const step = this.#steps[env]!;
    this.#steps[env] = step + 1;
    const row = env * slots;
    const newest = (row + (step % slots)) * joints;
    const old = (row + (Math.max(0, step - this.#delay) % slots)) * joints;
    for (let j = 0, at = env * joints; j < joints; j++, at++) {
      this.#sent[newest + j] = this.targets[at]!;
      this.targets[at] = this.#sent[old + j]!;
    }
  }
}
