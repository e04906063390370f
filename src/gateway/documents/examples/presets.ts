import type * as presets from '../../../protocol/routes/presets.ts';
import type { Examples } from './route-example.ts';

export const presetsExamples: Examples<typeof presets> = {
  listPresets: {
    reply: {
      tasks: [
        {
          name: 'Wbc-Humanoid',
          base: 'Wbc-Humanoid',
          preset: null,
          description: 'tracks clips with all key bodies; the actor sees reference, joints, gyro and gravity',
        },
      ],
      presets: [
        {
          name: 'noisy',
          task: 'Wbc-Humanoid--noisy',
          base: 'Wbc-Humanoid',
          modules: ['quiet'],
          overrides: {
            episode_length_s: 8,
          },
          description: 'Short episodes',
          error: null,
        },
      ],
      modules: [
        {
          name: 'quiet',
          overrides: {
            rewards: {
              action_rate_l1: {
                weight: -0.2,
              },
            },
          },
          description: 'Smoother actions',
          error: null,
        },
      ],
      directory: '/srv/motion-studio/config/humanoid',
    },
  },
  getPresetSchema: {
    query: {
      base: 'Wbc-Humanoid',
      modules: ['quiet'],
    },
    reply: {
      base: 'Wbc-Humanoid',
      modules: ['quiet'],
      knobs: [
        {
          path: 'observations.actor.terms.ref_base_height.noise.n_min',
          type: 'number',
          default: -0.01,
          value: -0.01,
          items: 'number',
          or_number: true,
          description: 'Lower limit of the noise: one number, or one per dimension',
        },
      ],
      terms: [
        {
          path: 'observations.actor.terms.ref_base_height',
          func: 'ref_base_height',
          description: "height of the reference anchor over the environment's origin: z_refa − z_origin",
        },
      ],
      observation_terms: [
        {
          name: 'ref_base_height',
          unit: 'm',
          description: "height of the reference anchor over the environment's origin: z_refa − z_origin",
          params: [],
          dim: 1,
        },
      ],
      reward_terms: [
        {
          name: 'motion_global_anchor_position_error_exp',
          unit: '1',
          description: "exp(−κ e²/s²) of the anchor's position error: e² = |p_refa − p_a|²",
          params: [
            {
              path: 'params.std',
              type: 'number',
              default: 0.5,
              value: 0.5,
              minimum: 0,
              unit: 'm',
              description: 'width s of the kernel exp(−κ e²/s²)',
            },
          ],
        },
      ],
      termination_terms: [
        {
          name: 'time_out',
          unit: '1',
          description: 'the episode is full: its steps ≥ episode_length_s divided by the control step',
          params: [],
        },
      ],
      event_terms: [
        {
          name: 'push_by_setting_velocity',
          unit: '1',
          description: 'adds even draws to the linear and angular velocity of the root, world frame',
          params: [
            {
              path: 'params.x',
              type: 'vector',
              default: [-0.5, 0.5],
              value: [-0.5, 0.5],
              unit: 'm/s',
              items: 'number',
              length: 2,
              description: 'lowest and highest velocity along x, world frame',
            },
          ],
        },
      ],
      json_schema: {
        type: 'object',
        properties: {},
      },
    },
  },
  getPreset: {
    params: {
      name: 'noisy',
    },
    reply: {
      name: 'noisy',
      task: 'Wbc-Humanoid--noisy',
      base: 'Wbc-Humanoid',
      modules: ['quiet'],
      overrides: {
        episode_length_s: 8,
      },
      description: 'Short episodes',
      error: null,
      yaml: 'base: Wbc-Humanoid\nmodules:\n  - quiet\ndescription: Short episodes\noverrides:\n  episode_length_s: 8\n',
      effect: {
        observations: [
          {
            group: 'actor',
            dim: 100,
            base: 100,
          },
        ],
        action: {
          dim: 21,
          base: 21,
        },
        memory: {
          envs: 4096,
          bytes: 48005120,
          base_bytes: 48005120,
        },
      },
    },
  },
  writePreset: {
    params: {
      name: 'noisy',
    },
    body: {
      base: 'Wbc-Humanoid',
      modules: ['quiet'],
      overrides: {
        episode_length_s: 8,
      },
      description: 'Short episodes',
    },
    reply: {
      ok: true,
      undo: null,
      name: 'noisy',
      base: 'Wbc-Humanoid',
      modules: ['quiet'],
      overrides: {
        episode_length_s: 8,
      },
      description: 'Short episodes',
      task: 'Wbc-Humanoid--noisy',
      error: null,
      yaml: 'base: Wbc-Humanoid\nmodules:\n  - quiet\ndescription: Short episodes\noverrides:\n  episode_length_s: 8\n',
      effect: {
        observations: [
          {
            group: 'actor',
            dim: 100,
            base: 100,
          },
        ],
        action: {
          dim: 21,
          base: 21,
        },
        memory: {
          envs: 4096,
          bytes: 48005120,
          base_bytes: 48005120,
        },
      },
    },
  },
  deletePreset: {
    params: {
      name: 'noisy',
    },
    reply: {
      ok: true,
      undo: 'mp9x2c1k-4f0a6d1be2c3',
    },
  },
  getModule: {
    params: {
      name: 'quiet',
    },
    reply: {
      name: 'quiet',
      overrides: {
        rewards: {
          action_rate_l1: {
            weight: -0.2,
          },
        },
      },
      description: 'Smoother actions',
      error: null,
      yaml: 'description: Smoother actions\noverrides:\n  rewards:\n    action_rate_l1:\n      weight: -0.2\n',
    },
  },
  writeModule: {
    params: {
      name: 'quiet',
    },
    body: {
      overrides: {
        rewards: {
          action_rate_l1: {
            weight: -0.2,
          },
        },
      },
      description: 'Smoother actions',
    },
    reply: {
      ok: true,
      undo: null,
      name: 'quiet',
      overrides: {
        rewards: {
          action_rate_l1: {
            weight: -0.2,
          },
        },
      },
      description: 'Smoother actions',
      error: null,
      yaml: 'description: Smoother actions\noverrides:\n  rewards:\n    action_rate_l1:\n      weight: -0.2\n',
    },
  },
  deleteModule: {
    params: {
      name: 'quiet',
    },
    reply: {
      ok: true,
      undo: 'mp9x2c1k-4f0a6d1be2c3',
    },
  },
};
