import type * as play from '../../../protocol/routes/play.ts';
import type { Examples } from './route-example.ts';

export const playExamples: Examples<typeof play> = {
  getPlayState: {
    reply: {
      session: {
        id: 1,
        state: 'paused',
        error: null,
        run: 'wbc_humanoid/2026-05-04_09-30-00_first',
        checkpoint: 'model_2.pt',
        motion: 'data/humanoid/samples',
        task: 'Wbc-Humanoid',
        robot: 'humanoid',
        num_envs: 4,
        capacity: 32,
        focus: 1,
        playing: false,
        terminations: true,
        control_hz: 50,
        sim_time: 0.24,
        realtime_factor: 0,
        history_s: 60,
        options: {
          ghost: 'beside',
          targets: false,
          contacts: false,
          speed: 0.5,
        },
        rewards: [
          {
            name: 'motion_global_root_pos',
            weight: 1,
            default: 1,
          },
        ],
        pins: [
          {
            env: 0,
            clip: 'squat',
          },
        ],
        compare: null,
        condition: null,
        figures: {
          errors: [0.0101, 0.0097, 0.0121, 0.0111],
          tracking: {
            keybody_error: 0.0097,
            joint_rmse: 0.0281,
            anchor_rotation: 0.033,
            torque_at_limit: 0,
          },
          ends: [],
        },
      },
    },
  },
  listPlayRuns: {
    reply: {
      version: '0c5a1b9e-7d0f-4c39-9d62-1f3d7c1f1a55.412',
      runs: [
        {
          path: 'wbc_humanoid/2026-05-04_09-30-00_first',
          run_dir: 'wbc_humanoid',
          run: '2026-11-22_16-41-10_first',
          task: 'Wbc-Humanoid',
          robot: 'humanoid',
          dataset: 'samples',
          created: '2026-05-04T16:41:13.833Z',
          modified: '2026-05-04T16:41:37.537Z',
          format: 'studio',
          checkpoints: [
            {
              name: 'model_0.pt',
              iteration: 0,
              modified: '2026-05-04T16:41:24.889Z',
            },
          ],
          latest: 'model_2.pt',
          job: 'train-samples-1',
          error: null,
          tags: [],
          note: '',
          favourite: false,
          unplayable: null,
          score: { tracked_s: 9.71, horizon_s: 10, success: 0.95, body_pos: 0.021, by: 'training' },
          started_from: null,
          minutes: 2.9,
        },
      ],
    },
  },
  listPlayLibraries: {
    query: {
      run: 'humanoid/2026-05-04_09-30-00_first',
    },
    reply: {
      run: 'wbc_humanoid/2026-05-04_09-30-00_first',
      libraries: [
        {
          path: 'data/humanoid/samples',
          name: 'samples',
          clips: 2,
          duration: 14.4,
          default: true,
        },
      ],
    },
  },
  listPlayClips: {
    reply: {
      clips: [
        {
          index: 0,
          name: 'squat',
          frames: 380,
          fps: 50,
          duration: 7.58,
        },
      ],
    },
  },
  comparePolicies: {
    body: {
      entries: [
        { run: 'wbc_humanoid/2026-05-04_09-30-00_first', checkpoint: 'model_2.pt' },
        { run: 'wbc_humanoid/2026-05-04_09-30-00_first', checkpoint: '' },
      ],
      clip: 'walk_forward',
      layout: 'overlay',
    },
    reply: {
      ok: true,
      task: 'play-3',
      busy: {
        task: 'play-3',
        label: 'Building a comparison of 2 policies',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        by: null,
        started: '2026-05-04T16:48:02.114Z',
        ended: '2026-05-04T16:48:02.731Z',
        result: null,
      },
    },
  },
  playWorst: {
    body: { evaluation: '2026-05-04_10-12-44', row: 3 },
    reply: {
      ok: true,
      task: 'play-4',
      busy: {
        task: 'play-4',
        label: 'Building the failure of 2026-05-04_09-30-00_first',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        by: null,
        started: '2026-05-04T10:20:37.480Z',
        ended: '2026-05-04T10:20:38.102Z',
        result: null,
      },
    },
  },
  configurePlay: {
    body: {
      run: 'wbc_humanoid/2026-05-04_09-30-00_first',
      num_envs: 2,
    },
    reply: {
      ok: true,
      task: 'play-1',
      busy: {
        task: 'play-1',
        label: 'Building a session of 2026-11-22_16-41-10_first',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        by: null,
        started: '2026-05-04T16:41:39.182Z',
        ended: '2026-05-04T16:41:39.867Z',
        result: null,
      },
    },
    others: {
      'in place': {
        body: {
          num_envs: 4,
        },
        reply: {
          ok: true,
          in_place: true,
          session: {
            id: 1,
            state: 'running',
            error: null,
            run: 'wbc_humanoid/2026-05-04_09-30-00_first',
            checkpoint: 'model_2.pt',
            motion: 'data/humanoid/samples',
            task: 'Wbc-Humanoid',
            robot: 'humanoid',
            num_envs: 4,
            capacity: 32,
            focus: 0,
            playing: true,
            terminations: true,
            control_hz: 50,
            sim_time: 0.04,
            realtime_factor: 0,
            history_s: 60,
            options: {
              ghost: 'off',
              targets: false,
              contacts: false,
              speed: 1,
            },
            rewards: [
              {
                name: 'motion_global_root_pos',
                weight: 1,
                default: 1,
              },
            ],
            pins: [],
            compare: null,
            condition: null,
            figures: {
              errors: [0.0084, 0.0079, 0, 0],
              tracking: {
                keybody_error: 0.0084,
                joint_rmse: 0.0229,
                anchor_rotation: 0.0291,
                torque_at_limit: 0,
              },
              ends: [],
            },
          },
        },
      },
    },
  },
  stopPlay: {
    body: {},
    reply: {
      ok: true,
    },
  },
  setPlayPlaying: {
    body: {
      playing: false,
    },
    reply: {
      ok: true,
      playing: false,
    },
  },
  stepPlay: {
    body: {},
    reply: {
      ok: true,
      sim_time: 0.24,
    },
  },
  restartPlay: {
    body: {},
    reply: {
      ok: true,
    },
  },
  pinClip: {
    body: {
      clip: 'squat',
      env: 0,
      frame: 10,
    },
    reply: {
      ok: true,
    },
  },
  focusEnv: {
    body: {
      index: 1,
    },
    reply: {
      ok: true,
      index: 1,
    },
  },
  setPlayOptions: {
    body: {
      ghost: 'beside',
      speed: 0.5,
    },
    reply: {
      ok: true,
      options: {
        ghost: 'beside',
        targets: false,
        contacts: false,
        speed: 0.5,
      },
    },
  },
  pushRobot: {
    body: {
      speed: 0.5,
      direction: 0,
    },
    reply: {
      ok: true,
    },
  },
  setPlayRewards: {
    body: {
      rewards: {
        action_rate_l1: -0.05,
      },
    },
    reply: {
      ok: true,
      rewards: [
        {
          name: 'motion_global_root_pos',
          weight: 1,
          default: 1,
        },
      ],
    },
  },
  downloadPlayRecord: {
    query: {
      env: 0,
      format: 'npz',
    },
  },
};
