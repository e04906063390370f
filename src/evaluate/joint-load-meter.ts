import { frictionAt, jointGains } from '../mdp/env/actuators.ts';
import type { EnvState } from '../mdp/env-state.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import { torqueLimit } from '../mdp/torque-limit.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { JointLoads } from './episode-result.ts';
import { FollowMeter } from './follow-meter.ts';

/** Share of the torque limit from which a joint is considered saturated. */
const SATURATED = 0.99;

/** Measures torques, speeds, power and tracking of the joints over the steps of several episodes. */
export class JointLoadMeter {
  readonly #state: EnvState;
  readonly #facts: RobotFacts;
  readonly #efforts: Float64Array;
  readonly #torqueScale: number;
  #steps = 0;
  readonly #torquePeak: Float64Array;
  readonly #torqueSquares: Float64Array;
  readonly #saturated: Float64Array;
  readonly #speedPeak: Float64Array;
  readonly #powerPeak: Float64Array;
  readonly #heatSquares: Float64Array;
  readonly #follow: FollowMeter;

  constructor(state: EnvState, facts: RobotFacts, config: TaskConfig) {
    this.#state = state;
    this.#facts = facts;
    this.#torqueScale = config.variation?.torque_scale ?? 1;
    this.#efforts = jointGains(facts, config.robot, this.#torqueScale).effortLimit;
    this.#follow = new FollowMeter(state);
    const zeros = () => new Float64Array(state.joints);
    [this.#torquePeak, this.#torqueSquares, this.#saturated] = [zeros(), zeros(), zeros()];
    [this.#speedPeak, this.#powerPeak, this.#heatSquares] = [zeros(), zeros(), zeros()];
  }

  /** Adds the state of an environment after a control step. */
  add(env: number): void {
    const { joints, torque, jointVel } = this.#state;
    this.#steps += 1;
    this.#follow.add(env);
    for (let j = 0, at = env * joints; j < joints; j++, at++) {
      const motor = this.#motorTorque(j, torque[at]!, jointVel[at]!);
      const speed = Math.abs(jointVel[at]!);
      const share = this.#share(j, motor, jointVel[at]!);
      this.#torquePeak[j] = Math.max(this.#torquePeak[j]!, share);
      this.#torqueSquares[j] = this.#torqueSquares[j]! + share * share;
      if (share >= SATURATED) this.#saturated[j] = this.#saturated[j]! + 1;
      this.#speedPeak[j] = Math.max(this.#speedPeak[j]!, speed);
      this.#powerPeak[j] = Math.max(this.#powerPeak[j]!, Math.abs(torque[at]!) * speed);
      this.#heatSquares[j] = this.#heatSquares[j]! + motor * motor;
    }
  }

  get result(): JointLoads {
    return {
      steps: this.#steps,
      torque_peak: [...this.#torquePeak],
      torque_squares: [...this.#torqueSquares],
      saturated: [...this.#saturated],
      speed_peak: [...this.#speedPeak],
      power_peak: [...this.#powerPeak],
      heat_squares: [...this.#heatSquares],
      moments: this.#follow.result,
    };
  }

  /** Returns the torque of a motor, Nm. The torque in the state is what the friction of the joint leaves of it, so that
   *  a motor at its limit would never seem to be there. */
  #motorTorque(j: number, torque: number, speed: number): number {
    const { friction } = this.#facts.joints[j]!;
    return friction ? torque + frictionAt(friction.static, friction.viscous, speed) : torque;
  }

  /** Returns the torque of a motor as a share of its limit. The limit is the value of the torque-speed curve at this
   *  speed if the joint has a curve, otherwise the effort limit. Returns 0 without a limit. */
  #share(j: number, torque: number, speed: number): number {
    const curve = this.#facts.joints[j]!.torqueSpeed;
    const load = Math.abs(torque);
    const limit = curve
      ? this.#torqueScale * torqueLimit(curve, torque * speed > 0 ? curve.y1 : curve.y2, speed)
      : this.#efforts[j]!;
    if (limit > 0) return load / limit;
    return load > 0 ? 1 : 0;
  }
}
