import { isDeepStrictEqual } from 'node:util';
import { firstTaskOf } from '../../robots/first-task.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type {
  MotionCommandConfig,
  ReferenceStateInitConfig,
  RewardTermConfig,
  TaskConfig,
  TerminationTermConfig,
} from '../task-config.ts';
import { BUILTIN_NUM_ENVS, builtinAgent } from './agent-profile.ts';
import { baseEvents, VELOCITY_RANGE } from './disturbances.ts';
import { actorGroup, criticGroup } from './observation-groups.ts';
import { binaryFailureRewards, wbcRewards, zestRewards } from './reward-terms.ts';

/** A task that every robot has. Presets are based on it. */
export interface BaseTask {
  readonly name: string;
  readonly description: string;
  readonly config: TaskConfig;
}

/** Returns the five tasks of a robot, the plain task first. The values are those of upstream's G1 tasks
 *  (wbc_mjlab.robots.g1.configs). Between robots, only the names of bodies and the limits that depend on a robot's size
 *  differ. */
export function baseTasks(facts: RobotFacts): readonly BaseTask[] {
  const plain = firstTaskOf(facts.id);
  const experiment = `wbc_${facts.id.replace(/[^A-Za-z0-9]+/g, '_')}`;
  const bodies = commandBodies(facts);
  const wbc = { rewards: wbcRewards(facts), terminations: wbcTerminations(facts, bodies.ee), rsi: REWARD_RSI };
  const zest = { rewards: zestRewards(facts, bodies.ee), terminations: zestTerminations(facts), rsi: REWARD_RSI };
  const seen = { jointVelocity: false, history: 1 };
  return [
    {
      name: plain,
      description: 'tracks clips with all key bodies; the actor sees reference, joints, gyro and gravity',
      config: config(facts, experiment, { ...wbc, actor: { ...seen, estimated: false } }),
    },
    {
      name: `${plain}-SE`,
      description: 'as the plain task; the actor also sees a state estimate: anchor errors and base velocity',
      config: config(facts, `${experiment}_se`, { ...wbc, actor: { ...seen, estimated: true } }),
    },
    {
      name: `${plain}-Zest`,
      description: 'tracks clips with hands and feet only and allows deviations in height, after Zest',
      config: config(facts, `${experiment}_zest`, { ...zest, actor: { ...seen, history: null, estimated: false } }),
    },
    {
      name: `${plain}-Zest-SE`,
      description: 'as Zest; the actor also sees a state estimate: anchor errors and base velocity',
      config: config(facts, `${experiment}_zest_se`, { ...zest, actor: { ...seen, history: null, estimated: true } }),
    },
    {
      name: `${plain}-BinaryFailure`,
      description: "tracks the bodies' poses and velocities; starts where episodes failed, after BeyondMimic",
      config: config(facts, `${experiment}_binary`, {
        rewards: binaryFailureRewards(facts),
        terminations: trackingTerminations(facts, 0.25, bodies.ee),
        rsi: BINARY_RSI,
        actor: { jointVelocity: true, estimated: false, history: null },
      }),
    },
  ];
}

interface Variant {
  readonly actor: Parameters<typeof actorGroup>[0];
  readonly rewards: Readonly<Record<string, RewardTermConfig>>;
  readonly terminations: Readonly<Record<string, TerminationTermConfig>>;
  readonly rsi: ReferenceStateInitConfig;
}

function config(facts: RobotFacts, experiment: string, variant: Variant): TaskConfig {
  return {
    decimation: 4,
    episode_length_s: 10,
    seed: 42,
    scale_rewards_by_dt: true,
    scene: {
      num_envs: BUILTIN_NUM_ENVS,
      env_spacing: 2,
      terrain: { type: 'plane', height: 0.05, slope: 0.15, tile_size: 10, seed: 1 },
    },
    sim: { timestep: 0.005, iterations: 10, ls_iterations: 20, gravity: [0, 0, -9.81] },
    observations: { actor: actorGroup(variant.actor), critic: criticGroup() },
    actions: { joint_pos: { action_mode: 'reference_residual', scale: null, scale_factor: 1, clip: null } },
    commands: { motion: motionCommand(facts, variant.rsi) },
    rewards: variant.rewards,
    terminations: variant.terminations,
    events: baseEvents(facts.wiring.anchor),
    agent: builtinAgent(experiment, facts.joints.length),
  };
}

/** Returns the tracked bodies of a robot: its keybodies, then the end effectors that are not keybodies. */
function commandBodies({ wiring, endEffectors }: RobotFacts) {
  const others = endEffectors.filter((name) => !wiring.keybodies.includes(name));
  return { all: [...wiring.keybodies, ...others], ee: endEffectors };
}

function motionCommand(facts: RobotFacts, rsi: ReferenceStateInitConfig): MotionCommandConfig {
  const bodies = commandBodies(facts);
  return {
    anchor_body: facts.wiring.anchor,
    body_names: bodies.all,
    ee_body_names: bodies.ee,
    pose_range: {
      x: [-0.05, 0.05],
      y: [-0.05, 0.05],
      z: [-0.01, 0.01],
      roll: [-0.1, 0.1],
      pitch: [-0.1, 0.1],
      yaw: [-0.2, 0.2],
    },
    velocity_range: VELOCITY_RANGE,
    joint_position_range: [-0.1, 0.1],
    rsi,
  };
}

const BASE_RSI: ReferenceStateInitConfig = {
  sampling_mode: 'adaptive',
  strategy: 'similarity_ema',
  bin_width_s: 4,
  uniform_ratio: 0.15,
  alpha: 0.005,
  temperature_base: 1,
  similarity_norm_by_remaining_clip: false,
  persist_failure_levels: false,
  min_bin_span_ratio: 0,
  similarity_terms: { joint_pos: { weight: 1, std: 1 } },
  similarity_from_rewards: false,
};

/** Samples episode starts by failure level; the similarity is computed from the tracking rewards. */
const REWARD_RSI: ReferenceStateInitConfig = {
  ...BASE_RSI,
  similarity_from_rewards: true,
  similarity_norm_by_remaining_clip: true,
  min_bin_span_ratio: 0.5,
  persist_failure_levels: true,
};

const BINARY_RSI: ReferenceStateInitConfig = {
  ...BASE_RSI,
  strategy: 'binary_failure',
  similarity_terms: {
    joint_pos: { weight: 1, std: 1 },
    anchor_pos: { weight: 0.5, std: 0.3 },
    anchor_ori: { weight: 0.5, std: 0.4 },
    body_pos: { weight: 1, std: 0.3 },
    body_ori: { weight: 1, std: 0.4 },
  },
};

/** Returns whether a task chooses the starts of its episodes like a base task. */
export function hasBaseSampling({ commands }: TaskConfig): boolean {
  const { rsi } = commands.motion;
  const { persist_failure_levels, min_bin_span_ratio } = rsi;
  return [BASE_RSI, REWARD_RSI, BINARY_RSI].some((base) =>
    isDeepStrictEqual(rsi, { ...base, persist_failure_levels, min_bin_span_ratio }),
  );
}

/** Height of the root from which on a robot has the limits of upstream's G1, m. A smaller robot that collapses falls by
 *  less than these limits, so its episodes would never fail. */
const FULL_HEIGHT = 0.5;
/** Largest contact force of upstream's G1, N, and as a multiple of the weight of heavier robots, which press harder
 *  with each step. */
const CONTACT_FORCE = { least: 2000, weights: 6 } as const;
/** m/s² */
const GRAVITY = 9.81;

/** Returns a limit of upstream's G1 for a robot of another size, rounded to mm. @param limit m */
function scaled({ rootHeight, height }: RobotFacts, limit: number): number {
  // The root of some models is a frame on the floor.
  const size = Math.max(rootHeight, height / 2);
  return Math.round(1000 * limit * Math.min(1, size / FULL_HEIGHT)) / 1000;
}

/** Returns the largest contact force of a robot, rounded down to 100 N. */
function contactForce({ mass }: RobotFacts): number {
  const { least, weights } = CONTACT_FORCE;
  return Math.max(least, 100 * Math.floor((weights * mass * GRAVITY) / 100));
}

/** @param height maximum error of the anchor's height for a robot of the size of a G1, m */
function trackingTerminations(
  facts: RobotFacts,
  height: number,
  ee: readonly string[],
): Readonly<Record<string, TerminationTermConfig>> {
  return {
    time_out: { func: 'time_out', time_out: true, params: {} },
    anchor_pos: failure('bad_anchor_pos_z_only', { threshold: scaled(facts, height) }),
    anchor_ori: failure('bad_anchor_ori', { threshold: 0.8 }),
    ee_body_pos: failure('bad_motion_body_pos_z_only', { threshold: scaled(facts, 0.25), body_names: ee }),
  };
}

function wbcTerminations(facts: RobotFacts, ee: readonly string[]): Readonly<Record<string, TerminationTermConfig>> {
  return {
    ...trackingTerminations(facts, 0.35, ee),
    keybody_ground_contact_force: failure('excessive_keybody_ground_contact_force', {
      force_threshold: contactForce(facts),
    }),
  };
}

function zestTerminations(facts: RobotFacts): Readonly<Record<string, TerminationTermConfig>> {
  const { ee_body_pos: _, ...kept } = wbcTerminations(facts, []);
  return kept;
}

function failure(func: string, params: TerminationTermConfig['params']): TerminationTermConfig {
  return { func, time_out: false, params };
}
