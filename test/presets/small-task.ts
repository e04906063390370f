import { LIBRARY } from '../../src/mdp/library.ts';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import type { BaseTask } from '../../src/mdp/tasks/base-tasks.ts';
import type { Vocabulary } from '../../src/presets/knobs/vocabulary.ts';

const observation = (func: string, noise: number | null) => ({
  func,
  params: {},
  noise: noise === null ? null : { n_min: -noise, n_max: noise },
  noise_scale: 1,
  clip: null,
  scale: null,
  delay_min_lag: 0,
  delay_max_lag: 0,
  history_length: 0,
});

const network = { hidden_dims: [64, 64], activation: 'elu', obs_normalization: true } as const;

/** A task with a few terms of every kind. */
export const SMALL: TaskConfig = {
  decimation: 4,
  episode_length_s: 10,
  seed: 42,
  scale_rewards_by_dt: true,
  scene: {
    num_envs: 128,
    env_spacing: 2,
    terrain: { type: 'plane', height: 0.05, slope: 0.1, tile_size: 8, seed: 0 },
  },
  sim: { timestep: 0.005, iterations: 10, ls_iterations: 20, gravity: [0, 0, -9.81] },
  observations: {
    actor: {
      terms: { base_ang_vel: observation('base_ang_vel', 0.2), joint_pos: observation('joint_pos_rel', 0.01) },
      enable_corruption: true,
      history_length: 1,
    },
    critic: {
      terms: { base_ang_vel: observation('base_ang_vel', null) },
      enable_corruption: false,
      history_length: null,
    },
  },
  actions: { joint_pos: { action_mode: 'reference_residual', scale: null, scale_factor: 1, clip: null } },
  commands: {
    motion: {
      anchor_body: 'trunk',
      body_names: ['trunk', 'left_foot', 'right_foot'],
      ee_body_names: ['left_foot', 'right_foot'],
      pose_range: { x: [-0.05, 0.05] },
      velocity_range: {},
      joint_position_range: [-0.1, 0.1],
      rsi: {
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
      },
    },
  },
  rewards: {
    motion_body_pos: {
      func: 'motion_relative_body_position_error_exp',
      weight: 1.5,
      params: { std: 0.15 },
    },
    action_rate_l1: { func: 'action_rate_l1', weight: -0.1, params: {} },
    survival: { func: 'is_alive', weight: 1, params: {} },
  },
  terminations: {
    time_out: { func: 'time_out', time_out: true, params: {} },
  },
  events: {
    push_robot: {
      func: 'push_by_setting_velocity',
      mode: 'interval',
      interval_range_s: [1, 3],
      params: { x: [-0.5, 0.5] },
    },
  },
  agent: {
    num_steps_per_env: 24,
    max_iterations: 300,
    save_interval: 50,
    guided_iterations: 40,
    widen_networks: true,
    experiment_name: 'wbc_walker',
    actor: { ...network, init_std: 1, last_layer_scale: 1 },
    critic: network,
    algorithm: {
      learning_rate: 1e-3,
      schedule: 'adaptive',
      desired_kl: 0.01,
      gamma: 0.99,
      lam: 0.95,
      advantage_lam: 0.7,
      symmetry: true,
      clip_param: 0.2,
      entropy_coef: 0.005,
      value_loss_coef: 1,
      use_clipped_value_loss: true,
      num_learning_epochs: 5,
      num_mini_batches: 4,
      max_grad_norm: 1,
    },
  },
};

const SMALL_BASE: BaseTask = { name: 'Wbc-Walker', description: 'Tracks motions', config: SMALL };

export const WORDS: Vocabulary = {
  library: LIBRARY,
  events: {},
  bodies: ['trunk', 'left_thigh', 'left_foot', 'right_thigh', 'right_foot'],
  joints: 4,
  bases: [SMALL_BASE],
};
