import { badInput } from '../../core/errors.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';
import { AdaptiveSampling } from '../command/adaptive-sampling.ts';
import { FailureTracker } from '../command/failure-tracker.ts';
import { MotionCommand } from '../command/motion-command.ts';
import type { EnvState, TermIndices } from '../env-state.ts';
import type { Environments } from '../environments.ts';
import { EventManager } from '../events/event-manager.ts';
import { pushRoot } from '../events/velocity-push.ts';
import { ObservationManager } from '../managers/observation-manager.ts';
import { RewardManager } from '../managers/reward-manager.ts';
import { TerminationManager } from '../managers/termination-manager.ts';
import { EnvRandom } from '../random/env-random.ts';
import type { SimConfig, TaskConfig } from '../task-config.ts';
import type { TermContext } from '../term.ts';
import { TerrainField } from '../terrain/terrain-field.ts';
import { Actuators, jointGains } from './actuators.ts';
import type { EnvironmentOptions } from './create-environments.ts';
import { gridOrigin } from './grid-origins.ts';
import { GroundContacts } from './ground-contacts.ts';
import { JointPositionAction } from './joint-position-action.ts';
import { keepSoleContacts } from './light-contacts.ts';
import type { PhysicsBatch } from './physics-batch.ts';
import { ROOT_POSITIONS, ROOT_VELOCITIES, readBodies, readEfforts, readJoints } from './read-state.ts';
import { StateReset } from './reset-state.ts';
import { createState } from './state-arrays.ts';

/** m/s, horizontal speed of a root that pushes do not exceed. */
const MAX_PUSHED = 50;
/** Tells the random streams of one environment apart. */
const PURPOSE = { reset: 1, events: 2, noise: 3 };
/** Part of a joint's range that counts as within its limits. */
const SOFT_RANGE = 0.9;
/** Degrees of freedom from which constraint Jacobians are kept sparse. */
const SPARSE_FROM = 30;

interface Parts extends Required<Omit<EnvironmentOptions, 'physics'>> {
  /** theirs from here on */
  readonly physics: PhysicsBatch;
  readonly indices: TermIndices;
}

/** Environments of one task that step together in one thread.
 *
 *  A control step: action → physics steps → the reference goes on by one frame → terminations → rewards → whoever ended
 *  begins anew, whose clip ended is put elsewhere in its episode → events → observations. */
export class BatchedEnvironments implements Environments {
  readonly n: number;
  readonly actionDim: number;
  readonly stepS: number;
  readonly state: EnvState;
  readonly observations: ReadonlyMap<string, ObservationManager>;
  readonly sampling: AdaptiveSampling;
  readonly rewardTerms: Float32Array;
  readonly rewards: Float32Array;
  active: number;
  onEnd: ((env: number) => void) | null = null;
  readonly #parts: Parts;
  readonly #physics: PhysicsBatch;
  readonly #actuators: Actuators;
  readonly #contacts: GroundContacts;
  readonly #action: JointPositionAction;
  readonly #command: MotionCommand;
  readonly #stateReset: StateReset;
  /** null where starts do not depend on failures */
  readonly #failures: FailureTracker | null;
  readonly #events: EventManager;
  readonly #rewards: RewardManager;
  readonly #terminations: TerminationManager;
  readonly #groups: readonly ObservationManager[];
  readonly #decimation: number;
  #begun = false;
  /** (n) whether the state is finite; whether this step ended the episode */
  readonly #sane: Uint8Array;
  readonly #ended: Uint8Array;
  readonly #qpos: Float64Array;
  readonly #push = new Float64Array(6);

  constructor(parts: Parts) {
    const { facts, config, library, terms, n, firstEnv, stride, seed, indices } = parts;
    this.#parts = parts;
    this.n = n;
    this.active = n;
    this.actionDim = facts.joints.length;
    this.stepS = config.decimation * config.sim.timestep;
    this.#decimation = config.decimation;
    const { physics } = parts;
    const { model } = physics;
    this.#physics = physics;
    if (model.nq !== this.actionDim + ROOT_POSITIONS || model.nv !== this.actionDim + ROOT_VELOCITIES)
      throw badInput(`${facts.name}: only robots with a free root and hinge or slide joints can be trained and played`);
    applyOptions(parts.mj, model, config.sim);
    if (config.sim.contacts === 'soles') keepSoleContacts(parts.mj, model, indices.feet);
    this.#qpos = new Float64Array(model.nq);
    this.#sane = new Uint8Array(n).fill(1);
    this.#ended = new Uint8Array(n);
    const state = createState({
      n,
      joints: facts.joints.length,
      bodies: facts.bodies.length,
      keybodies: indices.keybodies.length,
      feet: indices.feet.length,
    });
    this.state = state;
    const random = (purpose: number) => new EnvRandom(n, { first: firstEnv, stride, seed, purpose });
    const gains = jointGains(facts, config.robot);
    const softLimits = softLimitsOf(facts.joints);
    const { motion } = config.commands;
    const resets = random(PURPOSE.reset);
    const terrain = config.scene.terrain.type === 'plane' ? null : new TerrainField(config.scene.terrain);
    if (terrain) {
      if (model.nhfield === 0) throw new Error('uneven ground needs the model that has a field of heights');
      terrain.fill(model.hfield_data as Float32Array);
      physics.repeatGround(config.scene.terrain.tile_size, state.envOrigin);
    }
    this.#actuators = new Actuators(model, facts, gains);
    this.#contacts = new GroundContacts(model, indices.keybodies, indices.feet);
    this.#action = new JointPositionAction(state, facts, config.actions.joint_pos, gains.defaultPos);
    this.sampling = new AdaptiveSampling(motion.rsi, library.clips, library.fps);
    this.#command = new MotionCommand(
      state,
      indices,
      library,
      motion.rsi.sampling_mode,
      this.sampling,
      resets,
      terrain,
    );
    this.#stateReset = new StateReset(state, physics, this.#command, motion, softLimits, resets, terrain, indices.feet);
    this.#rewards = new RewardManager(config.rewards, n, config.scale_rewards_by_dt ? this.stepS : 1);
    this.rewardTerms = this.#rewards.terms;
    this.rewards = this.#rewards.totals;
    const context: TermContext = {
      state,
      facts,
      indices,
      stepS: this.stepS,
      maxEpisodeSteps: Math.ceil(config.episode_length_s / this.stepS - 1e-9),
      defaultJointPos: gains.defaultPos,
      effortLimit: gains.effortLimit,
      softLower: softLimits.lower,
      softUpper: softLimits.upper,
      referenceAnchorAcceleration: (env, out) => this.#command.anchorAcceleration(env, out),
      clipPhase: (env) => this.#command.phase(env),
      lastReward: (name, env) => this.#rewards.lastReward(name, env),
      keybody: (name) => keybodyOf(config, name),
    };
    this.#rewards.make(config.rewards, terms.rewards, context);
    this.#failures =
      motion.rsi.sampling_mode === 'adaptive'
        ? new FailureTracker(motion.rsi, terms.rewards, context, this.#command, this.sampling, this.#rewards)
        : null;
    this.#terminations = new TerminationManager(config.terminations, terms.terminations, context);
    this.#events = new EventManager(config.events, {
      ...context,
      physics,
      command: this.#command,
      sampling: this.sampling,
      action: this.#action,
      random: random(PURPOSE.events),
    });
    const noise = random(PURPOSE.noise);
    this.#groups = Object.entries(config.observations).map(
      ([name, group]) => new ObservationManager(name, group, terms.observations, context, noise),
    );
    this.observations = new Map(Object.keys(config.observations).map((name, k) => [name, this.#groups[k]!]));
    this.arrange(parts.total);
    for (let env = 0; env < n; env++) this.#events.startup(env);
    this.#begun = true;
    this.reset();
  }

  get rewardNames(): readonly string[] {
    return this.#rewards.names;
  }

  get rewardWeights(): Float64Array {
    return this.#rewards.weights;
  }

  get terminationNames(): readonly string[] {
    return this.#terminations.names;
  }

  get terminated(): Uint8Array {
    return this.state.terminated;
  }

  get timedOut(): Uint8Array {
    return this.state.timedOut;
  }

  get cause(): Int16Array {
    return this.#terminations.cause;
  }

  get terminations(): boolean {
    return this.#terminations.enabled;
  }

  set terminations(enabled: boolean) {
    this.#terminations.enabled = enabled;
  }

  step(actions: Float32Array): void {
    const count = this.active;
    const { episodeStep } = this.state;
    for (let env = 0; env < count; env++) {
      const finite = this.#action.apply(env, actions);
      this.#sane[env] = this.#simulate(env) && finite ? 1 : 0;
      episodeStep[env] = episodeStep[env]! + 1;
      this.#command.advance(env);
      this.#command.fillRelative(env);
      this.#ended[env] = this.#terminations.compute(env, this.#sane[env] === 1) ? 1 : 0;
      this.#rewards.compute(env);
      this.#failures?.step(env);
    }
    for (let env = 0; env < count; env++) {
      const ended = this.#ended[env] === 1;
      const clipEnded = this.#command.atEnd(env);
      if (ended || clipEnded) {
        this.onEnd?.(env);
        this.#failures?.finish(env, this.terminated[env] === 1);
        if (ended) this.#begin(env);
        else this.#putElsewhere(env);
      }
      if (this.#events.step(env)) this.#refresh(env);
      for (let k = 0; k < this.#groups.length; k++) this.#groups[k]!.compute(env, ended);
    }
  }

  reset(env?: number): void {
    if (env !== undefined) {
      this.#failures?.forget(env);
      this.#begin(env);
      this.#terminations.forget(env);
      for (const group of this.#groups) group.compute(env, true);
    } else for (let each = 0; each < this.active; each++) this.reset(each);
  }

  pin(env: number, clip: number | null, frame: number): void {
    this.#command.pin(env, clip, frame);
    this.reset(env);
  }

  push(env: number, x: number, y: number): void {
    const { qvel, nv } = this.#physics;
    const [vx, vy] = [qvel[env * nv]!, qvel[env * nv + 1]!];
    // Pushes that come faster than steps add up: beyond all motion, positions and the record would not be finite.
    const speed = Math.hypot(vx + x, vy + y);
    const share = speed > MAX_PUSHED ? MAX_PUSHED / speed : 1;
    this.#push[0] = share * (vx + x) - vx;
    this.#push[1] = share * (vy + y) - vy;
    pushRoot(this.#physics, env, this.#push);
    this.#refresh(env);
  }

  arrange(total: number): void {
    const { envOrigin, bodyPosW } = this.state;
    const { config, firstEnv, stride } = this.#parts;
    const origin = new Float64Array(2);
    const bodies = this.state.bodies;
    for (let env = 0; env < this.n; env++) {
      gridOrigin(firstEnv + env * stride, total, config.scene.env_spacing, origin, 0);
      const dx = origin[0]! - envOrigin[3 * env]!;
      const dy = origin[1]! - envOrigin[3 * env + 1]!;
      envOrigin[3 * env] = origin[0]!;
      envOrigin[3 * env + 1] = origin[1]!;
      for (let k = 0, at = 3 * env * bodies; k < bodies; k++, at += 3) {
        bodyPosW[at] = bodyPosW[at]! + dx;
        bodyPosW[at + 1] = bodyPosW[at + 1]! + dy;
      }
      this.#command.fillReference(env);
      this.#command.fillRelative(env);
      // Other ground is under the robot now.
      if (config.scene.terrain.type !== 'plane' && this.#begun) this.reset(env);
    }
  }

  qpos(env: number): Float64Array {
    const { nq, qpos } = this.#physics;
    const { envOrigin } = this.state;
    for (let k = 0; k < nq; k++) this.#qpos[k] = qpos[env * nq + k]! + (k < 2 ? envOrigin[3 * env + k]! : 0);
    return this.#qpos;
  }

  writePoses(env: number, out: Float32Array, at: number): void {
    writePoses(this.state.bodyPosW, this.state.bodyQuatW, this.state.bodies, env, out, at);
  }

  writeReferencePoses(env: number, out: Float32Array, at: number): void {
    writePoses(this.state.refBodyPosW, this.state.refBodyQuatW, this.state.bodies, env, out, at);
  }

  delete(): void {
    this.#physics.delete();
  }

  /** Physics of one control step. @returns whether the state is finite */
  #simulate(env: number): boolean {
    const physics = this.#physics;
    const { targets } = this.#action;
    this.#actuators.begin(physics.load(env), targets, env);
    let sane = true;
    for (let substep = 0; substep < this.#decimation && sane; substep++) {
      this.#actuators.beforeStep(physics.views, targets, env);
      sane = physics.step();
    }
    const { views } = physics;
    readEfforts(this.state, env, views);
    this.#contacts.read(this.state, env, physics.data, views.arena);
    if (!physics.save(env)) sane = false;
    this.#observe(env);
    return sane;
  }

  /** Poses and velocities of the robot that is loaded. */
  #observe(env: number): void {
    const { envOrigin } = this.state;
    const physics = this.#physics;
    physics.forwardKinematics(env);
    const { views, shift } = physics;
    readJoints(this.state, env, views);
    const dx = envOrigin[3 * env]! - shift[2 * env]!;
    const dy = envOrigin[3 * env + 1]! - shift[2 * env + 1]!;
    readBodies(this.state, env, views, dx, dy);
  }

  /** Takes up what has been written to the physics' state. */
  #refresh(env: number): void {
    this.#physics.load(env);
    this.#observe(env);
    this.#command.fillRelative(env);
  }

  /** A new episode. */
  #begin(env: number): void {
    this.state.episodeStep[env] = 0;
    this.#action.reset(env);
    this.#physics.clearWrenches(env);
    this.#putElsewhere(env);
    this.#events.reset(env);
    this.#refresh(env);
  }

  /** Another place of the motion, in the same episode. */
  #putElsewhere(env: number): void {
    const { state } = this;
    this.#command.sample(env);
    this.#stateReset.apply(env);
    state.jointAcc.fill(0, env * state.joints, (env + 1) * state.joints);
    state.torque.fill(0, env * state.joints, (env + 1) * state.joints);
    this.#contacts.clear(state, env);
    this.#refresh(env);
  }
}

function applyOptions(mj: MainModule, model: MjModel, sim: SimConfig): void {
  const { opt } = model;
  opt.timestep = sim.timestep;
  // MuJoCo's own choice is sparse from 60 degrees of freedom; a G1's step (35) takes 15 % less with it, measured.
  if (model.nv >= SPARSE_FROM) opt.jacobian = mj.mjtJacobian.mjJAC_SPARSE.value;
  // One robot is one island: to look for more costs 4 % of a G1's step.
  opt.disableflags |= mj.mjtDisableBit.mjDSBL_ISLAND.value;
  opt.iterations = sim.iterations;
  opt.ls_iterations = sim.ls_iterations;
  (opt.gravity as Float64Array).set(sim.gravity);
}

function softLimitsOf(joints: Parts['facts']['joints']) {
  const bound = (sign: number) =>
    Float64Array.from(joints, ({ lower, upper }) =>
      lower === null || upper === null
        ? sign * Number.POSITIVE_INFINITY
        : (lower + upper) / 2 + (sign * SOFT_RANGE * (upper - lower)) / 2,
    );
  return { lower: bound(-1), upper: bound(1) };
}

function keybodyOf(config: TaskConfig, name: string): number {
  const at = config.commands.motion.body_names.indexOf(name);
  if (at < 0) throw badInput(`body_names: ${name} is no body of commands.motion.body_names`);
  return at;
}

function writePoses(
  positions: Float64Array,
  quaternions: Float64Array,
  bodies: number,
  env: number,
  out: Float32Array,
  at: number,
): void {
  let vector = 3 * env * bodies;
  let quaternion = 4 * env * bodies;
  let to = at;
  for (let body = 0; body < bodies; body++) {
    for (let k = 0; k < 3; k++) out[to++] = positions[vector++]!;
    for (let k = 0; k < 4; k++) out[to++] = quaternions[quaternion++]!;
  }
}
