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
      enable_corruption: leaf('boolean', 'Adds the noise of the terms'),
      history_length: leaf(
        'integer',
        'Number of past control steps to include, oldest first; null: each term uses its own number',
        {
          minimum: 0,
          maximum: 100,
          nullable: true,
        },
      ),
    }),
  ]);
  const top: Described<Pick<TaskConfig, Overridable>> = {
    observations: group('Inputs of the policy and the value function', Object.fromEntries(groups)),
    actions: group('Outputs of the policy', { joint_pos: group('Joint targets', actionFields) }),
    rewards: rewardTerms(vocabulary),
    terminations: terminationTerms(vocabulary),
    events: eventTerms(vocabulary),
    commands: group('The motion to track', {
      motion: group('Reference motion and start of episodes', commandFields(vocabulary)),
    }),
    scene: group('Environments and ground', sceneFields),
    sim: group('Physics', simFields),
    episode_length_s: leaf('number', 'Length of an episode', { unit: 's', above: 0, maximum: 1e9 }),
    decimation: leaf('integer', 'Physics steps per control step', { minimum: 1, maximum: 100 }),
    agent: group('Networks and learning of the built-in trainer', agentFields),
  };
  return group('Task', top);
}

const actionFields: Described<JointPositionActionConfig> = {
  action_mode: choice(
    ['reference_residual', 'default_relative'],
    'Pose that an action is added to: the reference of the current frame, or the default pose',
  ),
  scale: leaf('vector', 'Change of the joint target per unit of action, in joint order; null: as the robot says', {
    unit: 'rad',
    items: 'number',
    nullable: true,
  }),
  scale_factor: leaf('number', 'Factor for the scale of all joints', { above: 0, maximum: 100 }),
  clip: range('Limits of raw actions; null: no limits', { nullable: true }),
};

const terrainFields: Described<TerrainConfig> = {
  type: choice(['plane', 'rough', 'slopes', 'stairs'], 'Ground under the robots'),
  height: leaf('number', 'Amplitude of rough ground, or height of a step', { unit: 'm', minimum: 0, maximum: 1 }),
  slope: leaf('number', 'Steepness of slopes: rise divided by run', { minimum: 0, maximum: 1 }),
  tile_size: leaf('number', 'Side length of a terrain tile', { unit: 'm', ...TILE_SIZE }),
  seed: leaf('integer', 'Seed of the random ground', { minimum: 0 }),
};

const sceneFields: Described<SceneConfig> = {
  num_envs: leaf('integer', 'Number of environments in training', { minimum: 1, maximum: 65_536 }),
  env_spacing: leaf('number', 'Distance between neighbouring environments', { unit: 'm', minimum: 0, maximum: 100 }),
  terrain: group('Terrain', terrainFields),
};

const simFields: Described<SimConfig> = {
  timestep: leaf('number', 'Duration of a physics step', { unit: 's', minimum: 0.0005, maximum: 0.02 }),
  iterations: leaf('integer', 'Iterations of the constraint solver', { minimum: 1, maximum: 1000 }),
  ls_iterations: leaf('integer', 'Iterations of the line search of the solver', { minimum: 1, maximum: 1000 }),
  contacts: leaf(
    'enum',
    'Which shapes collide. all: those of the model; light: the same, with few per foot (faster); soles: only these (fastest); profile: light in a training of builtin, otherwise all',
    { enum: ['profile', 'all', 'light', 'soles'], absent: 'profile' },
  ),
  gravity: leaf('vector', 'Gravity in world axes', {
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
      'Where episodes start: more often where tracking fails, anywhere with equal chance, or at the first frame of the first clip',
    ),
    strategy: choice(
      ['similarity_ema', 'binary_failure'],
      'Definition of failing: low similarity to the reference, or an episode that ends early',
    ),
    before_failures: leaf(
      'boolean',
      'Start most episodes shortly before recent failures, if the clips last less than a minute in total. Replaces bin_width_s, uniform_ratio and alpha then. Only for the profile builtin of the built-in trainer, which does so by default',
      { absent: false },
    ),
    bin_width_s: leaf('number', 'Length of the segments for which failures are counted', {
      unit: 's',
      minimum: 0.1,
      maximum: 60,
    }),
    uniform_ratio: leaf('number', 'Share of episodes that start anywhere with equal chance', {
      minimum: 0,
      maximum: 1,
    }),
    alpha: leaf('number', 'Weight of a new value in the moving average of failures', { above: 0, maximum: 1 }),
    temperature_base: leaf('number', 'Temperature of the choice of segments: higher values choose more evenly', {
      above: 0,
      maximum: 100,
    }),
    similarity_norm_by_remaining_clip: leaf(
      'boolean',
      'Divide the sum of tracking rewards by the steps to the end of the clip instead of the steps of the episode',
    ),
    persist_failure_levels: leaf(
      'boolean',
      'Save the failure levels with the run, and restore them when it is resumed',
    ),
    min_bin_span_ratio: leaf('number', 'Segments shorter than this share of a full one are ignored', {
      minimum: 0,
      maximum: 1,
    }),
    similarity_terms: similarityTerms,
    similarity_from_rewards: leaf('boolean', 'Compute the similarity from the tracking rewards'),
  };
  return {
    anchor_body: choice(bodies, 'Body by which robot and reference are aligned'),
    body_names: names(bodies, 'Bodies to track'),
    ee_body_names: names(
      bodies,
      'End effectors: the bodies of the terms that list them, unless such a term lists others',
    ),
    pose_range: axisRanges('Random offset of the reference pose at a reset', 'm', 'rad'),
    velocity_range: axisRanges('Random offset of the reference velocity at a reset', 'm/s', 'rad/s'),
    joint_position_range: range(
      'Random offset of each reference joint at a reset; of a slide, at most 5 % of its range',
      {
        unit: 'rad',
      },
    ),
    rsi: group('Start of episodes', rsi),
  };
}

const networkFields: Described<NetworkConfig> = {
  hidden_dims: leaf('vector', 'Units of each hidden layer', { items: 'integer', minimum: 1, maximum: 4096, most: 16 }),
  activation: choice(['elu', 'relu', 'tanh', 'silu'], 'Activation of hidden layers'),
  obs_normalization: leaf('boolean', 'Normalise observations by their running mean and standard deviation'),
};

const positive = (description: string, maximum = 1e6) => leaf('number', description, { above: 0, maximum });
const count = (description: string, maximum: number) => leaf('integer', description, { minimum: 1, maximum });

const algorithmFields: Described<PpoConfig> = {
  learning_rate: positive('Learning rate; with an adaptive schedule the first one', 1),
  schedule: choice(['adaptive', 'fixed'], 'Adaptive: the learning rate changes to keep the divergence near desired_kl'),
  desired_kl: positive('KL divergence per update that the adaptive learning rate aims at', 10),
  gamma: leaf('number', 'Discount factor of future rewards', { minimum: 0, maximum: 1 }),
  lam: leaf('number', 'Factor λ of the generalised advantage estimate', { minimum: 0, maximum: 1 }),
  advantage_lam: leaf('number', 'Factor λ of the advantages; lam is then that of the value targets only', {
    minimum: 0,
    maximum: 1,
  }),
  symmetry: leaf('boolean', 'Keep the networks symmetric if the robot is: a mirrored state gives the mirrored action'),
  clip_param: positive('Clipping range of the probability ratio', 10),
  entropy_coef: leaf('number', 'Weight of the entropy bonus', { minimum: 0, maximum: 10 }),
  value_loss_coef: leaf('number', "Weight of the value function's loss", { minimum: 0, maximum: 100 }),
  use_clipped_value_loss: leaf('boolean', 'Clip the change of the value function, too'),
  num_learning_epochs: count('Passes over the samples of an iteration', 100),
  num_mini_batches: count('Number of mini-batches per pass', 1024),
  max_grad_norm: positive('Largest norm of the gradient'),
};

const agentFields: Described<AgentConfig> = {
  num_steps_per_env: count('Control steps per environment and iteration', 4096),
  max_iterations: count('Iterations of a run', 10_000_000),
  guided_iterations: leaf(
    'integer',
    'First iterations in which the policy imitates whole-body control; at most a tenth',
    {
      minimum: 0,
      maximum: 1_000_000,
    },
  ),
  save_interval: count('Iterations between two checkpoints', 1_000_000),
  experiment_name: leaf('string', 'Name of the experiment: the folder of its runs'),
  widen_networks: leaf(
    'boolean',
    'Widen networks with the default units of hidden layers for a minute of motion or more',
  ),
  actor: group('Policy', {
    ...networkFields,
    init_std: positive('Initial standard deviation of actions', 100),
    last_layer_scale: positive('Factor for the initial weights of the last layer', 100),
  } satisfies Described<AgentConfig['actor']>),
  critic: group('Value function', networkFields),
  algorithm: group('PPO', algorithmFields),
};
