import type * as runs from '../../../protocol/routes/runs.ts';
import type { Examples } from './route-example.ts';

export const runsExamples: Examples<typeof runs> = {
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
          tags: ['baseline'],
          note: 'first run on the real clips',
          favourite: true,
          unplayable: null,
          score: { tracked_s: 9.71, horizon_s: 10, success: 0.95, body_pos: 0.021, by: 'training' },
          started_from: null,
          minutes: 2.9,
        },
      ],
      version: '0c5a1b9e-7d0f-4c39-9d62-1f3d7c1f1a55.412',
    },
  },
  downloadRunFile: {
    query: {
      run: 'humanoid/2026-05-04_09-30-00_first',
      file: 'model_3.pt',
    },
  },
  markRun: {
    body: {
      run: 'wbc_humanoid/2026-05-04_09-30-00_first',
      tags: ['baseline'],
      favourite: true,
    },
    reply: {
      ok: true,
    },
  },
  deleteRun: {
    query: {
      run: 'humanoid/2026-05-04_09-30-00_first',
    },
    reply: {
      ok: true,
      undo: 'mp9x2c1k-4f0a6d1be2c3',
    },
  },
};
