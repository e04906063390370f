import type {
  AgentConfig,
  JointPositionActionConfig,
  MotionCommandConfig,
  NetworkConfig,
  PoseRange,
  PpoConfig,
  ReferenceStateInitConfig,
  SceneConfig,
  SimConfig,
  TaskConfig,
  TerrainConfig,
} from '../../mdp/task-config.ts';
import { TILE_SIZE } from '../../mdp/terrain/terrain-field.ts';
import type { Group, KnobNode } from './knob-tree.ts';
import { choice, group, leaf, names, range } from './leaves.ts';
import { eventTerms, observationTerms, rewardTerms, similarityTerms, terminationTerms } from './term-trees.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Keys of a task's configuration that presets override. */
const OVERRIDABLE = [
  'observations',
  'actions',
  'rewards',
  'terminations',
  'events',
  'commands',
  'scene',
  'sim',
  'episode_length_s',
  'decimation',
  'agent',
] as const;
type Overridable = (typeof OVERRIDABLE)[number];

/** A node for every key of `T`: the compiler rejects a key of the configuration without a node. */
type Described<T> = { readonly [K in keyof T]-?: KnobNode };

/** Returns the tree of a base task's knobs. */
export function taskTree(base: TaskConfig, vocabulary: Vocabulary): Group {
  const groups = Object.entries(base.observations).map(([name]): [string, Group] => [
    name,
    group(`Observations of the ${name}`, {
      terms: observationTerms(vocabulary, name),
      enable_corruption: leaf('boolean', 'Whether the terms get their noise'),
      history_length: leaf('integer', "Control steps kept, oldest first; null leaves the terms' own", {
        minimum: 0,
        maximum: 100,
        nullable: true,
      }),
    }),
  ]);
  const top: Described<Pick<TaskConfig, Overridable>> = {
    observations: group('What policy and value function see', Object.fromEntries(groups)),
    actions: group('What the policy commands', { joint_pos: group('Joint targets', actionFields) }),
    rewards: rewardTerms(vocabulary),
    terminations: terminationTerms(vocabulary),
    events: eventTerms(vocabulary),
    commands: group('What is to be tracked', {
      motion: group('Reference motion and where episodes begin', commandFields(vocabulary)),
    }),
    scene: group('Environments and ground', sceneFields),
    sim: group('Physics', simFields),
    episode_length_s: leaf('number', 'Length of an episode', { unit: 's', above: 0, maximum: 1e9 }),
    decimation: leaf('integer', 'Physics steps per control step', { minimum: 1, maximum: 100 }),
    agent: group('Networks and learning, as the builtin trainer takes them', agentFields),
  };
  return group('Task', top);
}

const actionFields: Described<JointPositionActionConfig> = {
  action_mode: choice(
    ['reference_residual', 'default_relative'],
    'What an action is added to: the reference of the frame, or the default pose',
  ),
  scale: leaf('vector', "Target per unit of action, in joint order; null: the robot's own", {
    unit: 'rad',
    items: 'number',
    nullable: true,
  }),
  scale_factor: leaf('number', 'Multiplies the scale of all joints', { above: 0, maximum: 100 }),
  clip: range('Bounds of raw actions; null: none', { nullable: true }),
};

const terrainFields: Described<TerrainConfig> = {
  type: choice(['plane', 'rough', 'slopes', 'stairs'], 'Ground under the robots'),
  height: leaf('number', 'Amplitude of roughness, height of a step', { unit: 'm', minimum: 0, maximum: 1 }),
  slope: leaf('number', 'Rise per run of slopes', { minimum: 0, maximum: 1 }),
  tile_size: leaf('number', "Length of a tile's side", { unit: 'm', ...TILE_SIZE }),
  seed: leaf('integer', 'Seed of the random ground', { minimum: 0 }),
};

const sceneFields: Described<SceneConfig> = {
  num_envs: leaf('integer', 'Environments side by side in training', { minimum: 1, maximum: 65_536 }),
  env_spacing: leaf('number', 'Distance of neighbours', { unit: 'm', minimum: 0, maximum: 100 }),
  terrain: group('Terrain', terrainFields),
};

const simFields: Described<SimConfig> = {
  timestep: leaf('number', 'Length of a physics step', { unit: 's', minimum: 0.0005, maximum: 0.02 }),
  iterations: leaf('integer', 'Iterations of the constraint solver', { minimum: 1, maximum: 1000 }),
  ls_iterations: leaf('integer', 'Iterations of its line search', { minimum: 1, maximum: 1000 }),
  contacts: leaf(
    'enum',
    "What may touch: all that the model says, the soles alone, which is faster, or what the trainer's profile says: soles to learn fast, else all",
    { enum: ['profile', 'all', 'soles'], absent: 'profile' },
  ),
  gravity: leaf('vector', 'Gravity, world axes', {
    unit: 'm/s²',
    items: 'number',
    length: 3,
    minimum: -100,
    maximum: 100,
  }),
};

const AXES: readonly (keyof PoseRange)[] = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'];

/** Returns a group of ranges by axis. Axes that the configuration omits are not disturbed. */
function axisRanges(what: string, linear: string, angular: string): Group {
  const node = (axis: string) =>
    range(`${what}, ${axis}`, { unit: axis.length === 1 ? linear : angular, absent: [0, 0] });
  return group(what, Object.fromEntries(AXES.map((axis) => [axis, node(axis)])));
}

function commandFields({ bodies }: Vocabulary): Described<MotionCommandConfig> {
  const rsi: Described<ReferenceStateInitConfig> = {
    sampling_mode: choice(
      ['adaptive', 'uniform', 'start'],
      'Where episodes begin: more often where tracking fails, anywhere, or at the first frame of the first clip',
    ),
    strategy: choice(['similarity_ema', 'binary_failure'], 'What failing is: dissimilarity, or falls'),
    bin_width_s: leaf('number', 'Length of the pieces of a clip that are rated', {
      unit: 's',
      minimum: 0.1,
      maximum: 60,
    }),
    uniform_ratio: leaf('number', 'Share of episodes that begin anywhere', { minimum: 0, maximum: 1 }),
    alpha: leaf('number', 'Share of a new rating in the running one', { above: 0, maximum: 1 }),
    temperature_base: leaf('number', 'Higher: failures count for more evenly', { above: 0, maximum: 100 }),
    similarity_norm_by_remaining_clip: leaf('boolean', 'Rate by what was left of the clip, not by the steps done'),
    persist_failure_levels: leaf('boolean', 'Keep the ratings with the run'),
    min_bin_span_ratio: leaf('number', 'Pieces shorter than this share of a full one are left out', {
      minimum: 0,
      maximum: 1,
    }),
    similarity_terms: similarityTerms,
    similarity_from_rewards: leaf('boolean', 'Take the similarity from the tracking rewards'),
  };
  return {
    anchor_body: choice(bodies, 'Body that the reference is lined up with'),
    body_names: names(bodies, 'Bodies that are tracked'),
    ee_body_names: names(bodies, 'End effectors'),
    pose_range: axisRanges('Added to the reference pose at a reset', 'm', 'rad'),
    velocity_range: axisRanges('Added to the reference velocity at a reset', 'm/s', 'rad/s'),
    joint_position_range: range('Added to each reference joint at a reset', { unit: 'rad' }),
    rsi: group('Where episodes begin', rsi),
  };
}

const networkFields: Described<NetworkConfig> = {
  hidden_dims: leaf('vector', 'Units of each hidden layer', { items: 'integer', minimum: 1, maximum: 4096, most: 16 }),
  activation: choice(['elu', 'relu', 'tanh', 'silu'], 'Activation of hidden layers'),
  obs_normalization: leaf('boolean', 'Scale observations by their running mean and deviation'),
};

const positive = (description: string, maximum = 1e6) => leaf('number', description, { above: 0, maximum });
const count = (description: string, maximum: number) => leaf('integer', description, { minimum: 1, maximum });

const algorithmFields: Described<PpoConfig> = {
  learning_rate: positive('Learning rate, the first one where it adapts', 1),
  schedule: choice(['adaptive', 'fixed'], 'Whether the learning rate follows desired_kl'),
  desired_kl: positive('Divergence per update that the adaptive rate aims at', 10),
  gamma: leaf('number', 'Discount of future rewards', { minimum: 0, maximum: 1 }),
  lam: leaf('number', 'Decay of the advantage estimate', { minimum: 0, maximum: 1 }),
  clip_param: positive('Bound of the change of probabilities', 10),
  entropy_coef: leaf('number', 'Weight of the entropy', { minimum: 0, maximum: 10 }),
  value_loss_coef: leaf('number', "Weight of the value function's loss", { minimum: 0, maximum: 100 }),
  use_clipped_value_loss: leaf('boolean', 'Bound the change of values, too'),
  num_learning_epochs: count('Passes over the samples of an iteration', 100),
  num_mini_batches: count('Parts that the samples are split into', 1024),
  max_grad_norm: positive('Longest gradient'),
};

const agentFields: Described<AgentConfig> = {
  num_steps_per_env: count('Control steps of each environment per iteration', 4096),
  max_iterations: count('Iterations of a run', 10_000_000),
  save_interval: count('Iterations between two checkpoints', 1_000_000),
  experiment_name: leaf('string', 'Folder of the runs'),
  actor: group('Policy', {
    ...networkFields,
    init_std: positive('Deviation of actions at the start', 100),
    last_layer_scale: positive('Multiplies the first weights of the last layer', 100),
  } satisfies Described<AgentConfig['actor']>),
  critic: group('Value function', networkFields),
  algorithm: group('PPO', algorithmFields),
};
