import type * as training from '../../../protocol/routes/training.ts';
import type { Examples } from './row-example.ts';

export const trainingExamples: Examples<typeof training> = {
  listTasks: {
    reply: {
      tasks: [
        {
          name: 'Wbc-Humanoid',
          base: 'Wbc-Humanoid',
          preset: null,
          description: 'tracks clips with all keybodies; the actor sees reference, joints, gyro and gravity',
        },
      ],
      trainers: [
        {
          name: 'builtin',
          num_envs: null,
          max_iterations: null,
          takes: ['num_envs', 'max_iterations', 'run_name'],
          loggers: ['tensorboard', 'none'],
          extra: '--profile=builtin|robust|task, --threads=N, --save-interval=N',
        },
      ],
      launchers: [
        {
          name: 'local',
          kind: 'local',
          limit: 1,
        },
      ],
    },
  },
  listRuns: {
    reply: {
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
        },
      ],
    },
  },
  downloadRunFile: {
    query: {
      run: 'humanoid/2026-05-04_09-30-00_first',
      file: 'model_3.pt',
    },
  },
  deleteRun: {
    query: {
      run: 'humanoid/2026-05-04_09-30-00_first',
    },
    reply: {
      ok: true,
    },
  },
  launchTraining: {
    body: {
      task: 'Wbc-Humanoid',
      dataset: 'samples',
      num_envs: 16,
      max_iterations: 3,
      run_name: 'first',
      seed: 1,
    },
    reply: {
      ok: true,
      job: 'train-samples-1',
      run: 'wbc_humanoid/2026-05-04_09-30-00_first',
    },
    others: {
      'dry run': {
        body: {
          task: 'Wbc-Humanoid',
          dataset: 'samples',
          dry_run: true,
        },
        reply: {
          ok: true,
          dry_run: true,
          command: ['/usr/bin/node', '/work/w-d2/dist/cli/main.js', 'train'],
          params: {
            robot: 'humanoid',
            num_envs: 128,
            max_iterations: 300,
            run_name: '',
            logger: 'tensorboard',
            seed: 42,
            clips: 2,
          },
          checks: [
            {
              name: 'task',
              ok: true,
              text: '19 rewards, 5 terminations, 0 events, episodes of 10 s',
            },
            {
              name: 'dimensions',
              ok: true,
              text: 'actor 100 (ref_base_height ref_base_lin_vel_b ref_base_ang_vel_b ref_gravity_b ref_joint_pos base_ang_vel projected_gravity joint_pos joint_vel action…',
            },
          ],
        },
      },
    },
  },
  listJobs: {
    reply: {
      jobs: [
        {
          name: 'train-samples-1',
          kind: 'train',
          status: 'running',
          progress: null,
          step: null,
          steps: 3,
          eta: null,
          rate: null,
          created: '2026-05-04T16:41:10.737Z',
          started: '2026-05-04T16:41:10.812Z',
          ended: null,
          task: 'Wbc-Humanoid',
          dataset: 'samples',
          run: 'wbc_humanoid/2026-05-04_09-30-00_first',
          trainer: 'builtin',
          launcher: 'local',
          pid: 4711,
          exit_code: null,
          signal: null,
          error: null,
          params: {
            robot: 'humanoid',
            num_envs: 16,
            max_iterations: 3,
            run_name: 'first',
            logger: 'tensorboard',
            seed: 1,
            clips: 2,
          },
          alarm: null,
        },
      ],
    },
  },
  getJob: {
    params: {
      name: 'train-1',
    },
    query: {
      tail: 3,
    },
    reply: {
      name: 'train-samples-1',
      kind: 'train',
      status: 'done',
      progress: 1,
      step: 3,
      steps: 3,
      eta: null,
      rate: 0.5664,
      created: '2026-05-04T16:41:10.737Z',
      started: '2026-05-04T16:41:10.812Z',
      ended: '2026-05-04T16:41:37.657Z',
      task: 'Wbc-Humanoid',
      dataset: 'samples',
      run: 'wbc_humanoid/2026-05-04_09-30-00_first',
      trainer: 'builtin',
      launcher: 'local',
      pid: 4711,
      exit_code: 0,
      signal: null,
      error: null,
      params: {
        robot: 'humanoid',
        num_envs: 16,
        max_iterations: 3,
        run_name: 'first',
        logger: 'tensorboard',
        seed: 1,
        clips: 2,
      },
      alarm: null,
      log: [
        '[INFO] Evaluation, without chance: 1.57 s, 0.0 % full, tracking 0.781, bodies 0.081 m, joints 0.083 rad over 64 episodes',
        '[INFO] Done: model_2.pt',
        '[INFO] Evaluation from other starts: 1.52 s, 0.0 % full, tracking 0.770, bodies 0.081 m, joints 0.083 rad over 128 episodes',
      ],
    },
  },
  downloadJobLog: {
    params: {
      name: 'train-1',
    },
  },
  stopJob: {
    params: {
      name: 'train-1',
    },
    body: {},
    reply: {
      ok: true,
    },
  },
  forgetJob: {
    params: {
      name: 'train-1',
    },
    reply: {
      ok: true,
    },
  },
  getCurves: {
    query: {
      run: 'humanoid/2026-05-04_09-30-00_first',
      group: 'train',
      max_points: 3,
    },
    reply: {
      run: 'wbc_humanoid/2026-05-04_09-30-00_first',
      job: null,
      group: 'train',
      x: 'iteration',
      series: [
        {
          tag: 'Episode_Termination/anchor_ori',
          name: 'anchor_ori',
          group: 'train',
          x: [0, 1, 2],
          y: [0, 0, 0],
        },
      ],
    },
  },
  openTensorboard: {
    query: {
      run: 'humanoid/2026-05-04_09-30-00_first',
    },
  },
};
