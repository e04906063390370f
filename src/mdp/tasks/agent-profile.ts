import type { AgentConfig } from '../task-config.ts';

/** Robots with at least this number of joints get a longer training and larger steps, as the G1 needed. */
const MANY_JOINTS = 25;

/** Default number of environments of the built-in trainer. */
export const BUILTIN_NUM_ENVS = 128;

/** Widths of the hidden layers of both networks. */
export const DEFAULT_WIDTHS: readonly number[] = [128, 128, 64];

/** PPO settings for training on a CPU: small networks, small first actions, and a larger desired divergence than in the
 *  original project, because batches are small. With small batches, the noise of the advantages limits learning. A
 *  smaller λ of the advantages reduces it: they then contain the noise of about three steps instead of twenty.
 *  Measured: a robot with 21 joints tracks a 10 s clip after 0.5 million steps, one with 29 joints after 2 to 3
 *  million. */
export function builtinAgent(experiment: string, joints: number): AgentConfig {
  const many = joints >= MANY_JOINTS;
  const network = { hidden_dims: DEFAULT_WIDTHS, activation: 'elu', obs_normalization: true } as const;
  return {
    num_steps_per_env: 24,
    max_iterations: many ? 900 : 300,
    save_interval: 50,
    guided_iterations: 40,
    experiment_name: experiment,
    widen_networks: true,
    actor: { ...network, init_std: 0.4, last_layer_scale: 0.1 },
    critic: network,
    algorithm: {
      learning_rate: 1e-3,
      schedule: 'adaptive',
      desired_kl: many ? 0.03 : 0.02,
      gamma: 0.99,
      lam: 0.95,
      advantage_lam: 0.7,
      symmetry: true,
      clip_param: 0.2,
      entropy_coef: 0.005,
      value_loss_coef: 1,
      use_clipped_value_loss: true,
      num_learning_epochs: many ? 3 : 5,
      num_mini_batches: 4,
      max_grad_norm: 1,
    },
  };
}
