import { EVALUATION_METRICS, type EvaluationMetric } from '../../../../src/protocol/evaluation-metrics.ts';
import { fixed } from '../../ui/format.ts';

/** Formats a metric without its unit; shares in percent. */
export function metricText(metric: EvaluationMetric, value: number): string {
  const { unit, decimals } = EVALUATION_METRICS[metric];
  return fixed(unit === 'share' ? 100 * value : value, decimals);
}

/** Formats the unit of a metric as `metricText` writes it. */
export function unitText(metric: EvaluationMetric): string {
  const { unit } = EVALUATION_METRICS[metric];
  return unit === 'share' ? '%' : unit;
}

/** Names a checkpoint for people. */
export function checkpointTitle(checkpoint: string): string {
  return checkpoint === '' ? 'Zero action' : checkpoint;
}

/** Returns whether an interval of b − a says that b is better, worse, or neither. */
export function verdictOf(metric: EvaluationMetric, low: number, high: number): 'better' | 'worse' | 'same' {
  if (low <= 0 && high >= 0) return 'same';
  return (EVALUATION_METRICS[metric].better === 'high') === low > 0 ? 'better' : 'worse';
}

/** Returns the class of a success; the figure stands beside its colour. */
export function successClass(success: number): 'good' | 'fair' | 'bad' {
  if (success >= 0.9) return 'good';
  return success >= 0.5 ? 'fair' : 'bad';
}
