import type * as exports from '../../../protocol/routes/exports.ts';
import type { Examples } from './route-example.ts';

const RUN = 'wbc_humanoid/2026-05-04_09-30-00_first';
const NAME = 'squat-wbc-g1-deploy';
const selftest = {
  ok: true,
  max_action_difference: 0.0000011,
  tracked_s: 5.98,
  run_tracked_s: 5.98,
  text: '21 joints compared over 5.98 s: actions differ by at most 1.1e-6; the files track 5.98 s, the run 5.98 s',
};

export const exportsExamples: Examples<typeof exports> = {
  exportPolicy: {
    body: { run: RUN, format: 'wbc-g1-deploy', clip: 'squat', stand_in_s: 1 },
    reply: { ok: true, task: 'export-1' },
  },
  listExports: {
    query: { run: RUN },
    reply: {
      exports: [
        {
          name: NAME,
          run: RUN,
          format: 'wbc-g1-deploy',
          checkpoint: 'model_299.pt',
          clip: 'squat',
          bytes: 812_455,
          created: '2026-05-04T10:20:11.000Z',
          selftest,
        },
      ],
    },
  },
  downloadExport: { params: { name: NAME } },
  deleteExport: { params: { name: NAME }, reply: { ok: true } },
  checkBundle: { reply: { ok: true, selftest } },
};
