import type * as training from '../../../protocol/routes/training.ts';
import type { Examples } from './route-example.ts';

export const trainingExamples: Examples<typeof training> = {
  listTasks: {
    reply: {
      tasks: [
        {
          name: 'Wbc-Humanoid',
          base: 'Wbc-Humanoid',
          preset: null,
          description: 'tracks clips with all key bodies; the actor sees reference, joints, gyro and gravity',
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
          label: 'This machine',
          limit: 1,
        },
      ],
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
      started_from: null,
      note: null,
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
          command: ['/usr/bin/node', '/opt/motion-studio/dist/cli/job-process.js', 'train'],
          params: {
            robot: 'humanoid',
            num_envs: 128,
            max_iterations: 300,
            run_name: '',
            logger: 'tensorboard',
            seed: 42,
            clips: 2,
            threads: 2,
            hidden_dims: '128-128-64',
            contacts: 'light',
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
          budget: { env_steps: 921_600, iterations: 300, seconds: [98, 290] },
          started_from: null,
          note: null,
        },
      },
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
