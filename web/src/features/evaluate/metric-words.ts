import { EVALUATION_METRICS, type EvaluationMetric } from '../../../../src/protocol/evaluation-metrics.ts';
import { fixed } from '../../ui/format.ts';

/** Formats the value of a metric without its unit. Shares are formatted in percent. */
export function metricText(metric: EvaluationMetric, value: number): string {
  const { unit, decimals } = EVALUATION_METRICS[metric];
  return fixed(unit === 'share' ? 100 * value : value, decimals);
}

/** Formats the unit of a metric as `metricText` writes it. */
export function unitText(metric: EvaluationMetric): string {
  const { unit } = EVALUATION_METRICS[metric];
  return unit === 'share' ? '%' : unit;
}

/** Returns the title under which a checkpoint is shown. */
export function checkpointTitle(checkpoint: string): string {
  return checkpoint === '' ? 'Zero action' : checkpoint;
}

/** Returns whether the interval of the difference b − a shows that b is better than a, worse, or neither. */
export function verdictOf(metric: EvaluationMetric, low: number, high: number): 'better' | 'worse' | 'same' {
  if (low <= 0 && high >= 0) return 'same';
  return (EVALUATION_METRICS[metric].better === 'high') === low > 0 ? 'better' : 'worse';
}

/** Returns the CSS class of a success rate (0..1). The class sets the colour of the number. */
export function successClass(success: number): 'good' | 'fair' | 'bad' {
  if (success >= 0.9) return 'good';
  return success >= 0.5 ? 'fair' : 'bad';
}
