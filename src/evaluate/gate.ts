import { badInput } from '../core/errors.ts';
import { quoteName } from '../core/files/names.ts';
import { orMeant } from '../core/nearest.ts';
import { Errors, type Gate, type GateResult, type Summary } from '../protocol/schemas/evaluation.ts';

const OF_SUMMARY = ['episodes', 'success', 'tracked_s', 'tracked_share', 'action_rate', 'jerk'] as const;

/** Paths in a summary that a gate can bound. */
const METRICS: readonly string[] = [...OF_SUMMARY, ...Object.keys(Errors.properties).map((name) => `errors.${name}`)];

/** @throws StudioError bad_input for an unknown metric, or one without a bound */
export function checkGate(gate: Gate): void {
  for (const [metric, { min, max }] of Object.entries(gate)) {
    if (!METRICS.includes(metric))
      throw badInput(`gate: there is no metric ${quoteName(metric)}${orMeant(metric, METRICS)}`);
    if (min === undefined && max === undefined) throw badInput(`gate.${metric}: needs min or max`);
  }
}

/** Returns the value of a metric. @param metric one of {@link METRICS} */
function metricValue(summary: Omit<Summary, 'checkpoint' | 'condition'>, metric: string): number {
  const [group, name] = metric.split('.');
  return name === undefined
    ? summary[group as (typeof OF_SUMMARY)[number]]
    : summary.errors[name as keyof Summary['errors']];
}

/** Compares each checkpoint with the gate. @param summaries of all checkpoints under the first condition */
export function gateResults(gate: Gate, summaries: readonly Summary[]): GateResult[] {
  return summaries.flatMap((summary) =>
    Object.entries(gate).map(([metric, { min, max }]) => {
      const value = metricValue(summary, metric);
      const ok = value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
      const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
      return { checkpoint: summary.checkpoint, metric, ...bounds, value, ok };
    }),
  );
}
