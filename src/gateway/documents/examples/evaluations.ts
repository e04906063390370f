import type * as evaluations from '../../../protocol/routes/evaluations.ts';
import type { ListedEvaluation } from '../../../protocol/schemas/evaluation.ts';
import type { Examples } from './route-example.ts';

const RUN = 'wbc_humanoid/2026-05-04_09-30-00_first';
const NAME = '2026-05-04_10-12-31';

const summary: ListedEvaluation['summary'][number] = {
  checkpoint: 'model_299.pt',
  condition: 'nominal',
  episodes: 4,
  success: 1,
  tracked_s: 5.96,
  tracked_share: 1,
  errors: {
    body_pos: 0.0613,
    body_pos_local: 0.0274,
    body_rot: 0.114,
    joint_pos: 0.0921,
    joint_vel: 0.61,
    anchor_pos: 0.0502,
    anchor_rot: 0.0633,
  },
  action_rate: 9.81,
  jerk: 212.6,
};

const listed: ListedEvaluation = {
  name: NAME,
  run: RUN,
  job: 'evaluate-samples-1',
  created: '2026-05-04T10:12:31.000Z',
  status: 'done',
  protocol: {
    checkpoints: ['model_299.pt'],
    motion: 'data/humanoid/samples',
    clips: 1,
    starts: 4,
    horizon_s: null,
    seed: 0,
    conditions: [{ name: 'nominal' }],
    failure: 'anchor_pos (bad_anchor_pos_z_only 0.35), a state that is not finite',
    alignment: 'The state after the control step of frame k is compared with frame k + 1.',
    control_hz: 50,
    model: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    version: '1.0.0',
  },
  summary: [summary],
  robustness: [],
  gate: [{ checkpoint: 'model_299.pt', metric: 'success', min: 0.9, value: 1, ok: true }],
};

export const evaluationsExamples: Examples<typeof evaluations> = {
  startEvaluation: {
    body: { run: RUN, starts: 4, conditions: ['nominal'], gate: { success: { min: 0.9 } } },
    reply: { ok: true, job: 'evaluate-samples-1', evaluation: NAME },
  },
  listEvaluations: { query: { run: RUN }, reply: { evaluations: [listed] } },
  getEvaluation: {
    params: { name: NAME },
    reply: {
      ...listed,
      clips: [
        {
          ...summary,
          clip: 'squat',
          worst: { start: 0, failed: null, term: null, subject: null, value: null, limit: null, unit: null },
        },
      ],
      joints: [
        {
          checkpoint: 'model_299.pt',
          condition: 'nominal',
          joint: 'left_knee_joint',
          torque_peak: 0.83,
          torque_rms: 0.21,
          saturated: 0,
          speed_peak: 0.18,
          power_peak: 96.4,
          follows: 0.98,
          exchanged_with: null,
          heat: null,
        },
      ],
    },
  },
  deleteEvaluation: { params: { name: NAME }, reply: { ok: true } },
  getEvaluationReport: { params: { name: NAME }, query: { format: 'csv' } },
  compareStoredEvaluations: {
    query: { a: '2026-05-04_10-02-07', b: NAME },
    reply: {
      differences: [
        { metric: 'success', condition: 'nominal', a: 0.25, b: 1, mean: 0.75, low: 0.25, high: 1 },
        {
          metric: 'errors.body_pos_local',
          condition: 'nominal',
          a: 0.0721,
          b: 0.0284,
          mean: -0.0437,
          low: -0.0562,
          high: -0.0318,
        },
      ],
    },
  },
  collectFailures: {
    params: { name: NAME },
    body: { dataset: 'squat_failures', below: 0.9 },
    reply: { ok: true, task: 'failures-1' },
  },
};
