import type { EvaluationMetric } from '../protocol/evaluation-metrics.ts';
import type { EpisodeResult } from './episode-result.ts';

/** A metric of several episodes, computed as `finish(Σ over / Σ under)`. */
export interface MetricRatio {
  readonly over: (episode: EpisodeResult) => number;
  readonly under: (episode: EpisodeResult) => number;
  /** @param ratio sum divided by count; 0 if nothing was measured @param controlHz control steps per second */
  readonly finish: (ratio: number, controlHz: number) => number;
}

const one = () => 1;
const steps = (episode: EpisodeResult) => episode.steps;
const same = (ratio: number) => ratio;

const mean = (over: MetricRatio['over']): MetricRatio => ({ over, under: steps, finish: same });
const rms = (over: MetricRatio['over']): MetricRatio => ({ over, under: steps, finish: Math.sqrt });

/** The formulas of all metrics, as ratios of sums over episodes, so that they apply to any selection of episodes.
 *  docs/evaluation.md contains the formulas. */
export const METRIC_RATIOS: Readonly<Record<EvaluationMetric, MetricRatio>> = {
  success: { over: ({ failure }) => (failure === null ? 1 : 0), under: one, finish: same },
  tracked_s: { over: steps, under: one, finish: (ratio, controlHz) => ratio / controlHz },
  tracked_share: { over: steps, under: ({ possible }) => possible, finish: same },
  'errors.body_pos': mean(({ body_pos: sum }) => sum),
  'errors.body_pos_local': mean(({ body_pos_local: sum }) => sum),
  'errors.body_rot': mean(({ body_rot: sum }) => sum),
  'errors.joint_pos': rms(({ joint_pos: sum }) => sum),
  'errors.joint_vel': rms(({ joint_vel: sum }) => sum),
  'errors.anchor_pos': mean(({ anchor_pos: sum }) => sum),
  'errors.anchor_rot': mean(({ anchor_rot: sum }) => sum),
  action_rate: {
    over: ({ action }) => action,
    under: ({ action_steps: count }) => count,
    finish: (ratio, controlHz) => Math.sqrt(ratio) * controlHz,
  },
  jerk: {
    over: ({ jerk, jerk_steps: count }) => jerk * count,
    under: ({ jerk_steps: count }) => count,
    finish: same,
  },
};
