import type { AdaptiveSampling } from '../command/adaptive-sampling.ts';
import type { EnvState } from '../env-state.ts';
import type { Environments } from '../environments.ts';
import { pushRoot } from '../events/velocity-push.ts';
import type { ObservationManager } from '../managers/observation-manager.ts';
import type { TerminationCause } from '../term.ts';
import type { EnvironmentParts } from './assemble-environment.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { gridOrigin } from './grid-origins.ts';
import { readBodies, readEfforts, readJoints } from './read-state.ts';

/** Upper limit of a root's horizontal speed after a push, m/s. */
const MAX_PUSHED = 50;

/** Environments of one task that step together in one thread.
 *
 *  Order of a control step: action → physics steps → the reference advances by one frame → terminations → rewards →
 *  resets → events → observations. Environments whose episode ended are reset. Environments whose clip ended continue
 *  the episode at another frame. */
export class BatchedEnvironments implements Environments {
  readonly n: number;
  readonly actionDim: number;
  readonly stepS: number;
  readonly state: EnvState;
  readonly observations: ReadonlyMap<string, ObservationManager>;
  readonly sampling: AdaptiveSampling;
  readonly rewardNames: readonly string[];
  readonly rewardWeights: Float64Array;
  readonly rewardTerms: Float32Array;
  readonly rewards: Float32Array;
  readonly clipEnded: Uint8Array;
  active: number;
  readonly idle: Uint8Array;
  onEnd: ((env: number) => void) | null = null;
  readonly #parts: EnvironmentParts;
  readonly #groups: readonly ObservationManager[];
  readonly #decimation: number;
  readonly #layout: { readonly firstEnv: number; readonly stride: number; readonly spacing: number };
  readonly #uneven: boolean;
  readonly #robotPoses: Poses;
  readonly #referencePoses: Poses;
  /** (n) whether the state is finite; whether this step ended the episode */
  readonly #finite: Uint8Array;
  readonly #ended: Uint8Array;
  readonly #qpos: Float64Array;
  readonly #push = new Float64Array(6);
  readonly #origin = new Float64Array(2);

  /** Stores the parts and resets all environments. */
  constructor(parts: EnvironmentParts, options: EnvironmentOptions) {
    const { config, n, firstEnv = 0, stride = 1, total = firstEnv + n * stride } = options;
    const { state, rewards, physics } = parts;
    this.#parts = parts;
    this.n = n;
    this.active = n;
    this.idle = new Uint8Array(n);
    this.actionDim = state.joints;
    this.stepS = config.decimation * config.sim.timestep;
    this.#decimation = config.decimation;
    this.#layout = { firstEnv, stride, spacing: config.scene.env_spacing };
    this.#uneven = config.scene.terrain.type !== 'plane';
    this.state = state;
    this.sampling = parts.sampling;
    this.observations = parts.observations;
    this.#groups = [...parts.observations.values()];
    this.rewardNames = rewards.values.names;
    this.rewardWeights = rewards.values.weights;
    this.rewardTerms = rewards.values.terms;
    this.rewards = rewards.values.totals;
    this.#robotPoses = { positions: state.bodyPosW, quaternions: state.bodyQuatW, bodies: state.bodies };
    this.#referencePoses = { positions: state.refBodyPosW, quaternions: state.refBodyQuatW, bodies: state.bodies };
    this.#finite = new Uint8Array(n).fill(1);
    this.#ended = new Uint8Array(n);
    this.clipEnded = new Uint8Array(n);
    this.#qpos = new Float64Array(physics.nq);
    for (let env = 0; env < n; env++) this.#place(env, total);
    for (let env = 0; env < n; env++) parts.events.startup(env);
    this.reset();
  }

  get terminationNames(): readonly string[] {
    return this.#parts.terminations.names;
  }

  get terminated(): Uint8Array {
    return this.state.terminated;
  }

  get timedOut(): Uint8Array {
    return this.state.timedOut;
  }

  get cause(): Int16Array {
    return this.#parts.terminations.cause;
  }

  get terminations(): boolean {
    return this.#parts.terminations.enabled;
  }

  set terminations(enabled: boolean) {
    this.#parts.terminations.enabled = enabled;
  }

  terminationCause(env: number): TerminationCause | null {
    return this.#parts.terminations.explain(env);
  }

  step(actions: Float32Array): void {
    const { command, action, terminations, rewards, failures, events } = this.#parts;
    const { episodeStep } = this.state;
    const count = this.active;
    for (let env = 0; env < count; env++) {
      if (this.idle[env] === 1) continue;
      const finiteAction = action.apply(env, actions);
      this.#finite[env] = this.#simulate(env) && finiteAction ? 1 : 0;
      episodeStep[env] = episodeStep[env]! + 1;
      command.advance(env);
      command.fillRelative(env);
      const valid = this.#finite[env] === 1;
      this.#ended[env] = terminations.compute(env, valid) ? 1 : 0;
      if (valid) rewards.compute(env);
      else rewards.clear(env);
      failures?.step(env, valid);
    }
    for (let env = 0; env < count; env++) {
      if (this.idle[env] === 1) continue;
      const ended = this.#ended[env] === 1;
      this.clipEnded[env] = command.atEnd(env) ? 1 : 0;
      if (ended || this.clipEnded[env] === 1) {
        this.onEnd?.(env);
        failures?.finish(env, this.terminated[env] === 1);
        if (ended) this.#startEpisode(env);
        else this.#moveToSampledFrame(env);
      }
      if (events.step(env)) this.#refresh(env);
      for (let k = 0; k < this.#groups.length; k++) this.#groups[k]!.compute(env, ended);
    }
  }

  reset(env?: number): void {
    if (env === undefined) {
      for (let each = 0; each < this.active; each++) this.reset(each);
      return;
    }
    this.#parts.failures?.forget(env);
    this.#startEpisode(env);
    this.#parts.terminations.forget(env);
    for (const group of this.#groups) group.compute(env, true);
  }

  reseed(seed: number): void {
    this.#parts.random.reseed(seed);
    for (const random of this.#parts.termRandom) random.reseed(seed);
  }

  pin(env: number, clip: number | null, frame: number): void {
    this.#parts.command.pin(env, clip, frame);
    this.reset(env);
  }

  push(env: number, x: number, y: number): void {
    const { physics } = this.#parts;
    const { qvel, nv } = physics;
    const [vx, vy] = [qvel[env * nv]!, qvel[env * nv + 1]!];
    // Pushes between two steps add up. The limit keeps positions and records from overflowing.
    const speed = Math.hypot(vx + x, vy + y);
    const share = speed > MAX_PUSHED ? MAX_PUSHED / speed : 1;
    this.#push[0] = share * (vx + x) - vx;
    this.#push[1] = share * (vy + y) - vy;
    pushRoot(physics, env, this.#push);
    this.#refresh(env);
  }

  arrange(total: number): void {
    for (let env = 0; env < this.n; env++) {
      this.#place(env, total);
      // On uneven terrain, the height of the ground under the robot has changed.
      if (this.#uneven) this.reset(env);
    }
  }

  qpos(env: number): Float64Array {
    const { nq, qpos } = this.#parts.physics;
    const { envOrigin } = this.state;
    for (let k = 0; k < nq; k++) this.#qpos[k] = qpos[env * nq + k]! + (k < 2 ? envOrigin[3 * env + k]! : 0);
    return this.#qpos;
  }

  writePoses(env: number, out: Float32Array, at: number): void {
    writePoses(this.#robotPoses, env, out, at);
  }

  writeReferencePoses(env: number, out: Float32Array, at: number): void {
    writePoses(this.#referencePoses, env, out, at);
  }

  delete(): void {
    this.#parts.physics.delete();
  }

  /** Moves an environment to its cell in a grid of `total`. */
  #place(env: number, total: number): void {
    const { envOrigin, bodyPosW, bodies } = this.state;
    const { firstEnv, stride, spacing } = this.#layout;
    const origin = this.#origin;
    gridOrigin(firstEnv + env * stride, total, spacing, origin, 0);
    const dx = origin[0]! - envOrigin[3 * env]!;
    const dy = origin[1]! - envOrigin[3 * env + 1]!;
    envOrigin[3 * env] = origin[0]!;
    envOrigin[3 * env + 1] = origin[1]!;
    for (let k = 0, at = 3 * env * bodies; k < bodies; k++, at += 3) {
      bodyPosW[at] = bodyPosW[at]! + dx;
      bodyPosW[at + 1] = bodyPosW[at + 1]! + dy;
    }
    this.#parts.command.fillReference(env);
    this.#parts.command.fillRelative(env);
  }

  /** Runs the physics of one control step. @returns whether the state is finite */
  #simulate(env: number): boolean {
    const { physics, actuators, action, contacts } = this.#parts;
    const { targets } = action;
    actuators.begin(physics.load(env), targets, env);
    let finite = true;
    for (let substep = 0; substep < this.#decimation && finite; substep++) {
      actuators.beforeStep(physics.views, targets, env);
      finite = physics.step();
    }
    const { views } = physics;
    readEfforts(this.state, env, views);
    contacts.read(this.state, env, physics.data, views.arena);
    if (!physics.save(env)) finite = false;
    this.#readRobot(env);
    return finite;
  }

  /** Reads poses and velocities of the loaded robot into the state. */
  #readRobot(env: number): void {
    const { envOrigin } = this.state;
    const { physics } = this.#parts;
    physics.forwardKinematics(env);
    const { views, shift } = physics;
    readJoints(this.state, env, views);
    const dx = envOrigin[3 * env]! - shift[2 * env]!;
    const dy = envOrigin[3 * env + 1]! - shift[2 * env + 1]!;
    readBodies(this.state, env, views, dx, dy);
  }

  /** Updates the state after a change of positions or velocities of the physics. */
  #refresh(env: number): void {
    this.#parts.physics.load(env);
    this.#readRobot(env);
    this.#parts.command.fillRelative(env);
  }

  #startEpisode(env: number): void {
    const { action, physics, events } = this.#parts;
    this.state.episodeStep[env] = 0;
    action.reset(env);
    physics.clearWrenches(env);
    this.#moveToSampledFrame(env);
    events.reset(env);
    this.#refresh(env);
  }

  /** Moves the robot to a newly sampled frame of the motion within the same episode. */
  #moveToSampledFrame(env: number): void {
    const { state } = this;
    const { command, stateReset, contacts } = this.#parts;
    command.sample(env);
    stateReset.apply(env);
    state.jointAcc.fill(0, env * state.joints, (env + 1) * state.joints);
    state.torque.fill(0, env * state.joints, (env + 1) * state.joints);
    contacts.clear(state, env);
    this.#refresh(env);
  }
}

/** Poses of the bodies of all environments: (n, B, 3) and (n, B, 4). */
interface Poses {
  readonly positions: Float64Array;
  readonly quaternions: Float64Array;
  readonly bodies: number;
}

/** Writes the poses of one environment as (B, 7) to `out`, starting at `out[at]`. */
function writePoses({ positions, quaternions, bodies }: Poses, env: number, out: Float32Array, at: number): void {
  let vector = 3 * env * bodies;
  let quaternion = 4 * env * bodies;
  let to = at;
  for (let body = 0; body < bodies; body++) {
    for (let k = 0; k < 3; k++) out[to++] = positions[vector++]!;
    for (let k = 0; k < 4; k++) out[to++] = quaternions[quaternion++]!;
  }
}
