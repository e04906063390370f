import type * as jobs from '../../../protocol/routes/jobs.ts';
import type { Examples } from './route-example.ts';

export const jobsExamples: Examples<typeof jobs> = {
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
            threads: 2,
            hidden_dims: '128-128-64',
            contacts: 'light',
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
        threads: 2,
        hidden_dims: '128-128-64',
        contacts: 'light',
      },
      alarm: null,
      log: [
        '[INFO] Evaluation, without noise: 1.57 s, 0.0 % full, tracking 0.781, bodies 0.081 m, joints 0.083 rad over 64 episodes',
        '[INFO] Done: model_2.pt',
        'Evaluation from other starts: 1.52 s, 0.0 % full, tracking 0.770, bodies 0.081 m, joints 0.083 rad over 128 episodes',
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
};
