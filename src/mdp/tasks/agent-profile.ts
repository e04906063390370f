import type { AgentConfig } from '../task-config.ts';

/** From this many joints on a robot needs the longer run and the wider steps that the G1 needed. */
const MANY_JOINTS = 25;

/** Environments that the built-in trainer runs unless told otherwise. */
export const BUILTIN_NUM_ENVS = 128;

/** PPO that learns on a CPU: small networks, quiet first actions, a wider trust region than upstream's, as batches are
 *  small. Figures measured: a robot of 21 joints holds a 10 s clip after 0.5 million steps, one of 29 after 2 to 3 million. */
export function builtinAgent(experiment: string, joints: number): AgentConfig {
  const many = joints >= MANY_JOINTS;
  const network = { hidden_dims: [128, 128, 64], activation: 'elu', obs_normalization: true } as const;
  return {
    num_steps_per_env: 24,
    max_iterations: many ? 900 : 300,
    save_interval: 50,
    experiment_name: experiment,
    actor: { ...network, init_std: 0.4, last_layer_scale: 0.1 },
    critic: network,
    algorithm: {
      learning_rate: 1e-3,
      schedule: 'adaptive',
      desired_kl: many ? 0.03 : 0.02,
      gamma: 0.99,
      lam: 0.95,
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
