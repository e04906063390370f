import { badInput } from '../core/errors.ts';
import { quoteName } from '../core/files/names.ts';
import { orMeant } from '../core/nearest.ts';
import { GATE_METRICS, isMetric, metricOf } from '../protocol/evaluation-metrics.ts';
import type { Gate, GateResult, Summary } from '../protocol/schemas/evaluation.ts';

/** Checks the bounds of a gate. @throws StudioError bad_input for an unknown metric, or one without a bound */
export function checkGate(gate: Gate): void {
  for (const [metric, { min, max }] of Object.entries(gate)) {
    if (!GATE_METRICS.includes(metric))
      throw badInput(`gate: unknown metric ${quoteName(metric)}${orMeant(metric, GATE_METRICS)}`);
    if (min === undefined && max === undefined) throw badInput(`gate.${metric}: requires min or max`);
  }
}

/** Compares each checkpoint with the gate. @param summaries of all checkpoints under the first condition */
export function gateResults(gate: Gate, summaries: readonly Summary[]): GateResult[] {
  return summaries.flatMap((summary) =>
    Object.entries(gate).map(([metric, { min, max }]) => {
      const value = isMetric(metric) ? metricOf(summary, metric) : summary.episodes;
      const ok = value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
      const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
      return { checkpoint: summary.checkpoint, metric, ...bounds, value, ok };
    }),
  );
}
