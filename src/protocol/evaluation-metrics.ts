import type { Summary } from './schemas/evaluation.ts';

/** How a metric of an evaluation is shown and compared. */
export interface MetricSpec {
  /** for people */
  readonly title: string;
  /** `share`: 0..1, shown in percent */
  readonly unit: 'share' | 's' | 'm' | 'rad' | 'rad/s' | '1/s' | 'm/s³' | '';
  /** which direction is the better one */
  readonly better: 'high' | 'low';
}

/** The metrics of an evaluation, by path in `Summary`: for gates, baselines, comparisons and reports. */
export const EVALUATION_METRICS = {
  success: { title: 'Success', unit: 'share', better: 'high' },
  tracked_s: { title: 'Tracked time', unit: 's', better: 'high' },
  tracked_share: { title: 'Tracked share', unit: 'share', better: 'high' },
  'errors.body_pos': { title: 'Body position', unit: 'm', better: 'low' },
  'errors.body_pos_local': { title: 'Body position, local', unit: 'm', better: 'low' },
  'errors.body_rot': { title: 'Body rotation', unit: 'rad', better: 'low' },
  'errors.joint_pos': { title: 'Joint position', unit: 'rad', better: 'low' },
  'errors.joint_vel': { title: 'Joint velocity', unit: 'rad/s', better: 'low' },
  'errors.anchor_pos': { title: 'Anchor position', unit: 'm', better: 'low' },
  'errors.anchor_rot': { title: 'Anchor rotation', unit: 'rad', better: 'low' },
  action_rate: { title: 'Action rate', unit: '1/s', better: 'low' },
  jerk: { title: 'Jerk', unit: 'm/s³', better: 'low' },
} as const satisfies Readonly<Record<string, MetricSpec>>;

export type EvaluationMetric = keyof typeof EVALUATION_METRICS;

export const METRIC_NAMES = Object.keys(EVALUATION_METRICS) as readonly EvaluationMetric[];

/** Returns true for the path of a metric. */
export function isMetric(name: string): name is EvaluationMetric {
  return Object.hasOwn(EVALUATION_METRICS, name);
}

type Measured = Pick<Summary, 'success' | 'tracked_s' | 'tracked_share' | 'errors' | 'action_rate' | 'jerk'>;

/** Returns the value of a metric. */
export function metricOf(summary: Measured, metric: EvaluationMetric): number {
  const [first, second] = metric.split('.') as [keyof Measured, keyof Measured['errors'] | undefined];
  return second === undefined ? (summary[first] as number) : summary.errors[second];
}
