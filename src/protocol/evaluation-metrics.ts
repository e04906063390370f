import type { Summary } from './schemas/evaluation.ts';

/** How a metric of an evaluation is shown and compared. */
export interface MetricSpec {
  /** for people */
  readonly title: string;
  /** `share`: 0..1, shown in percent */
  readonly unit: 'share' | 's' | 'm' | 'rad' | 'rad/s' | '1/s' | 'm/s³' | '';
  /** number of decimals shown; for shares, decimals of the percentage */
  readonly decimals: number;
  /** whether high or low values are better */
  readonly better: 'high' | 'low';
}

/** The metrics of an evaluation, keyed by their path in `Summary`. Gates, baselines, comparisons and reports use
 *  them. */
export const EVALUATION_METRICS = {
  success: { title: 'Success', unit: 'share', decimals: 1, better: 'high' },
  tracked_s: { title: 'Tracked time', unit: 's', decimals: 2, better: 'high' },
  tracked_share: { title: 'Tracked share', unit: 'share', decimals: 1, better: 'high' },
  'errors.body_pos': { title: 'Body position', unit: 'm', decimals: 3, better: 'low' },
  'errors.body_pos_local': { title: 'Body position, local', unit: 'm', decimals: 3, better: 'low' },
  'errors.body_rot': { title: 'Body rotation', unit: 'rad', decimals: 3, better: 'low' },
  'errors.joint_pos': { title: 'Joint position', unit: 'rad', decimals: 3, better: 'low' },
  'errors.joint_vel': { title: 'Joint velocity', unit: 'rad/s', decimals: 2, better: 'low' },
  'errors.anchor_pos': { title: 'Anchor position', unit: 'm', decimals: 3, better: 'low' },
  'errors.anchor_rot': { title: 'Anchor rotation', unit: 'rad', decimals: 3, better: 'low' },
  action_rate: { title: 'Action rate', unit: '1/s', decimals: 2, better: 'low' },
  jerk: { title: 'Jerk', unit: 'm/s³', decimals: 0, better: 'low' },
} as const satisfies Readonly<Record<string, MetricSpec>>;

export type EvaluationMetric = keyof typeof EVALUATION_METRICS;

export const METRIC_NAMES = Object.keys(EVALUATION_METRICS) as readonly EvaluationMetric[];

/** Returns true for the path of a metric. */
export function isMetric(name: string): name is EvaluationMetric {
  return Object.hasOwn(EVALUATION_METRICS, name);
}

/** Paths in `Summary` that a gate can bound. */
export const GATE_METRICS: readonly string[] = ['episodes', ...METRIC_NAMES];

type Measured = Pick<Summary, 'success' | 'tracked_s' | 'tracked_share' | 'errors' | 'action_rate' | 'jerk'>;

/** Correlation of a joint with its reference below which the joint does not follow it. Measured with a policy that
 *  tracks well: 0.66 and more; with the sign of one joint turned: −0.9 to 0.4 for that joint. */
export const NOT_FOLLOWING = 0.2;

/** Builds a `Summary` from a function that returns the value of each metric. */
export function summaryOf(value: (metric: EvaluationMetric) => number): Measured {
  return {
    success: value('success'),
    tracked_s: value('tracked_s'),
    tracked_share: value('tracked_share'),
    errors: {
      body_pos: value('errors.body_pos'),
      body_pos_local: value('errors.body_pos_local'),
      body_rot: value('errors.body_rot'),
      joint_pos: value('errors.joint_pos'),
      joint_vel: value('errors.joint_vel'),
      anchor_pos: value('errors.anchor_pos'),
      anchor_rot: value('errors.anchor_rot'),
    },
    action_rate: value('action_rate'),
    jerk: value('jerk'),
  };
}

/** Returns the value of a metric. */
export function metricOf(summary: Measured, metric: EvaluationMetric): number {
  const [first, second] = metric.split('.') as [keyof Measured, keyof Measured['errors'] | undefined];
  return second === undefined ? (summary[first] as number) : summary.errors[second];
}
