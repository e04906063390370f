import type { EpisodeResult } from '../../src/evaluate/episode-result.ts';
import type { ReportData } from '../../src/evaluate/report/report-data.ts';
import type { Condition, Errors, JointMargin, Row, Summary } from '../../src/protocol/schemas/evaluation.ts';

const HZ = 50;
const FRAMES = 500;

/** An episode over `FRAMES` frames from `start`. @param failed its last tracked frame; null: no failure */
export function episode(clip: number, start: number, failed: number | null, error = 0.05): EpisodeResult {
  const possible = FRAMES - 1 - start;
  const steps = failed === null ? possible : failed - start;
  return {
    ...{ clip, start, possible, steps },
    failure:
      failed === null ? null : { frame: failed, term: 'ee_body_pos', subject: 'left_ankle', value: 0.31, limit: 0.3 },
    ...{ body_pos: steps * error, body_pos_local: steps * error * 0.6, body_rot: steps * 0.1 },
    ...{ joint_pos: steps * 0.01, joint_vel: steps * 0.4, anchor_pos: steps * error, anchor_rot: steps * 0.04 },
    ...{ action: steps * 0.02, action_steps: steps, jerk: 210, jerk_steps: steps },
  };
}

const errors = (scale: number): Errors => ({
  ...{ body_pos: 0.05 * scale, body_pos_local: 0.03 * scale, body_rot: 0.1, joint_pos: 0.1, joint_vel: 0.63 },
  ...{ anchor_pos: 0.05 * scale, anchor_rot: 0.04 },
});

/** An evaluation of two checkpoints over `clips` under nominal and varied conditions, with failures. */
export function reportData({
  clips = ['walk', 'run', 'squat'],
  run = 'wbc/2026-11-23_test',
}: {
  readonly clips?: readonly string[];
  readonly run?: string;
} = {}): ReportData {
  const conditions: Condition[] = [
    { name: 'nominal' },
    { name: 'friction=0.6', friction: 0.6 },
    { name: 'friction=0.3', friction: 0.3 },
    { name: 'integrator=euler', integrator: 'euler' },
  ];
  const checkpoints = ['model_900.pt', 'model_300.pt'];
  const groups = checkpoints.flatMap((checkpoint, c) =>
    conditions.map(({ name: condition }, k) => ({
      checkpoint,
      condition,
      episodes: clips.flatMap((_, clip) =>
        [0, 125, 250, 375].map((start, at) =>
          episode(clip, start, (clip + at + k + 3 * c) % 5 < k + c ? start + 40 + 10 * clip : null),
        ),
      ),
    })),
  );
  const summary: Summary[] = groups.map(({ checkpoint, condition, episodes }) =>
    summaryOf(checkpoint, condition, episodes),
  );
  const rows: Row[] = groups.flatMap(({ checkpoint, condition, episodes }) =>
    clips.map((clip, index) => {
      const own = episodes.filter((one) => one.clip === index);
      const worst = own.find(({ failure }) => failure !== null) ?? own[0]!;
      const { failure } = worst;
      return {
        ...summaryOf(checkpoint, condition, own),
        clip,
        worst: {
          ...{ start: worst.start, failed: failure?.frame ?? null, term: failure?.term ?? null },
          ...{ subject: failure?.subject ?? null, value: failure?.value ?? null, limit: failure?.limit ?? null },
        },
      };
    }),
  );
  const joints: JointMargin[] = groups.flatMap(({ checkpoint, condition }) =>
    ['left_hip_pitch', 'left_knee', 'left_ankle_pitch'].map((joint, k) => ({
      ...{ checkpoint, condition, joint, torque_peak: 0.6 + 0.2 * k, torque_rms: 0.2 + 0.1 * k, saturated: 0.02 * k },
      ...{
        speed_peak: 0.4 + 0.1 * k,
        power_peak: 120 * (k + 1),
        heat: k === 0 ? null : 0.7 + 0.2 * k,
        follows: 0.9 - 0.4 * k,
      },
    })),
  );
  return {
    clips,
    groups,
    evaluation: {
      ...{ name: 'test-1', run, job: 'evaluate-test-1', created: '2026-11-23T03:00:00.000Z', status: 'done' },
      protocol: {
        ...{ checkpoints, motion: 'data/humanoid/samples', clips: clips.length, starts: 4, horizon_s: null, seed: 0 },
        ...{ conditions, failure: 'an end effector is off by 0.3 m', alignment: 'frame k + 1 after step k' },
        ...{ control_hz: HZ, model: 'ab12'.repeat(16), version: '0.1.0' },
      },
      ...{ summary, clips: rows, joints },
      robustness: [{ field: 'friction', values: [0.6, 0.3], success: [0.83, 0.6], breaks_at: 0.6 }],
      gate: [
        { checkpoint: 'model_900.pt', metric: 'success', min: 0.9, value: 1, ok: true },
        { checkpoint: 'model_300.pt', metric: 'success', min: 0.9, value: 0.75, ok: false },
      ],
    },
  };
}

function summaryOf(checkpoint: string, condition: string, episodes: readonly EpisodeResult[]): Summary {
  const success = episodes.filter(({ failure }) => failure === null).length / episodes.length;
  const tracked = episodes.reduce((sum, { steps }) => sum + steps, 0);
  const possible = episodes.reduce((sum, one) => sum + one.possible, 0);
  return {
    ...{ checkpoint, condition, episodes: episodes.length, success, tracked_s: tracked / episodes.length / HZ },
    ...{ tracked_share: tracked / possible, errors: errors(2 - success), action_rate: 7.07, jerk: 210 },
  };
}
