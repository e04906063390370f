import { badInput } from '../../core/errors.ts';
import { findFeet, standingPose } from '../../robots/kinematics/feet.ts';
import { AdaptiveSampling } from '../command/adaptive-sampling.ts';
import { FailureTracker } from '../command/failure-tracker.ts';
import { MotionCommand } from '../command/motion-command.ts';
import type { EnvState, TermIndices } from '../env-state.ts';
import { EventManager } from '../events/event-manager.ts';
import { ObservationManager } from '../managers/observation-manager.ts';
import { RewardManager } from '../managers/reward-manager.ts';
import { RewardValues } from '../managers/reward-values.ts';
import { TerminationManager } from '../managers/termination-manager.ts';
import { EnvRandom } from '../random/env-random.ts';
import type { TaskConfig } from '../task-config.ts';
import type { TermContext } from '../term.ts';
import { Actuators, type JointGains, jointGains } from './actuators.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { GroundContacts } from './ground-contacts.ts';
import { JointPositionAction } from './joint-position-action.ts';
import type { PhysicsBatch } from './physics-batch.ts';
import { prepareModel, prepareTerrain } from './prepare-model.ts';
import { StateReset } from './reset-state.ts';
import { type SoftLimits, softLimitsOf } from './soft-limits.ts';
import { createState } from './state-arrays.ts';

/** Numbers that give each random stream of an environment a different seed. */
const PURPOSE = { reset: 1, events: 2, noise: 3 };

/** Parts that move the robots and their references. */
interface RobotParts {
  readonly state: EnvState;
  readonly physics: PhysicsBatch;
  readonly actuators: Actuators;
  readonly contacts: GroundContacts;
  readonly action: JointPositionAction;
  readonly sampling: AdaptiveSampling;
  readonly command: MotionCommand;
  readonly stateReset: StateReset;
  /** random numbers of resets */
  readonly random: EnvRandom;
}

/** The terms of the task. */
interface TermParts {
  readonly rewards: RewardManager;
  /** null if episode starts do not depend on failures */
  readonly failures: FailureTracker | null;
  readonly terminations: TerminationManager;
  readonly events: EventManager;
  readonly observations: ReadonlyMap<string, ObservationManager>;
  /** random numbers of events and of observation noise */
  readonly termRandom: readonly EnvRandom[];
}

/** Parts of the environments of one thread. */
export interface EnvironmentParts extends RobotParts, TermParts {}

/** Builds the parts of the environments in the order of their dependencies. Changes the model of `physics`.
 *  @throws StudioError bad_input for terms, bodies or values that do not fit the robot */
export function assembleEnvironment(
  options: EnvironmentOptions,
  physics: PhysicsBatch,
  indices: TermIndices,
): EnvironmentParts {
  prepareModel(options, physics, indices);
  const { torque_scale: torqueScale } = options.config.variation ?? {};
  const gains = jointGains(options.facts, options.config.robot, torqueScale);
  const softLimits = softLimitsOf(options.facts.joints);
  const robot = assembleRobot(options, physics, indices, gains, softLimits);
  const rewards = new RewardValues(options.config.rewards, options.n);
  const context = termContext(options, robot, { indices, gains, softLimits, rewards });
  return { ...robot, ...assembleTerms(options, robot, rewards, context) };
}

function assembleRobot(
  options: EnvironmentOptions,
  physics: PhysicsBatch,
  indices: TermIndices,
  gains: JointGains,
  softLimits: SoftLimits,
): RobotParts {
  const { facts, config, library, n } = options;
  const { motion } = config.commands;
  const { feet, keybodies } = indices;
  const state = createState({
    n,
    joints: facts.joints.length,
    bodies: facts.bodies.length,
    keybodies: keybodies.length,
    feet: feet.length,
  });
  const terrain = prepareTerrain(config.scene.terrain, physics, state.envOrigin);
  const actuators = new Actuators(physics.model, facts, gains, config.variation?.torque_scale);
  const contacts = new GroundContacts(physics.model, keybodies, feet);
  const action = new JointPositionAction(
    state,
    facts,
    config.actions.joint_pos,
    gains.defaultPos,
    config.variation?.delay_steps ?? 0,
  );
  const sampling = new AdaptiveSampling(motion.rsi, library.clips, library.fps);
  const random = randomStream(options, PURPOSE.reset);
  const mode = motion.rsi.sampling_mode;
  const command = new MotionCommand({ state, indices, library, mode, sampling, random, terrain });
  const { joints } = facts;
  const stateReset = new StateReset({
    ...{ state, physics, command, joints, softLimits, random, terrain, feet },
    config: motion,
  });
  return { state, physics, actuators, contacts, action, sampling, command, stateReset, random };
}

function assembleTerms(
  options: EnvironmentOptions,
  { physics, action, sampling, command }: RobotParts,
  values: RewardValues,
  context: TermContext,
): TermParts {
  const { config, terms } = options;
  const { rsi } = config.commands.motion;
  const dt = config.scale_rewards_by_dt ? context.stepS : 1;
  const rewards = new RewardManager(config.rewards, values, terms.rewards, context, dt);
  const failures =
    rsi.sampling_mode === 'adaptive'
      ? new FailureTracker(rsi, terms.rewards, context, { command, sampling, rewards: values })
      : null;
  const terminations = new TerminationManager(config.terminations, terms.terminations, context);
  const random = randomStream(options, PURPOSE.events);
  const events = new EventManager(config.events, { ...context, physics, command, sampling, action, random });
  const noise = randomStream(options, PURPOSE.noise);
  const observations = new Map(
    Object.entries(config.observations).map(([name, group]) => [
      name,
      new ObservationManager(name, group, terms.observations, context, noise),
    ]),
  );
  return { rewards, failures, terminations, events, observations, termRandom: [random, noise] };
}

/** Returns the data that the terms of the task may read. */
function termContext(
  { mj, facts, config }: EnvironmentOptions,
  { state, physics, command }: RobotParts,
  {
    indices,
    gains,
    softLimits,
    rewards,
  }: {
    readonly indices: TermIndices;
    readonly gains: JointGains;
    readonly softLimits: SoftLimits;
    readonly rewards: RewardValues;
  },
): TermContext {
  const stepS = config.decimation * config.sim.timestep;
  return {
    state,
    facts,
    indices,
    stepS,
    maxEpisodeSteps: Math.ceil(config.episode_length_s / stepS - 1e-9),
    defaultJointPos: gains.defaultPos,
    effortLimit: gains.effortLimit,
    softLower: softLimits.lower,
    softUpper: softLimits.upper,
    soleDown: findFeet(mj, physics.model, standingPose(facts), indices.feet).map(({ axes }) => axes[2]),
    referenceAnchorAcceleration: (env, out) => command.anchorAcceleration(env, out),
    clipPhase: (env) => command.phase(env),
    lastReward: (name, env) => rewards.lastReward(name, env),
    keybody: (name) => keybodyNamed(config, name),
  };
}

/** Returns the index of a body among the keybodies of the motion command. */
function keybodyNamed({ commands }: TaskConfig, name: string): number {
  const place = commands.motion.body_names.indexOf(name);
  if (place < 0) throw badInput(`body_names: ${name} is not one of commands.motion.body_names`);
  return place;
}

function randomStream({ n, firstEnv = 0, stride = 1, seed }: EnvironmentOptions, purpose: number): EnvRandom {
  return new EnvRandom(n, { first: firstEnv, stride, seed, purpose });
}
