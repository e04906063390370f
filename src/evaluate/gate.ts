import { badInput } from '../core/errors.ts';
import { quoteName } from '../core/files/names.ts';
import { didYouMean } from '../core/nearest.ts';
import { GATE_METRICS, isMetric, metricOf } from '../protocol/evaluation-metrics.ts';
import type { Gate, GateResult, Summary } from '../protocol/schemas/evaluation.ts';

/** Checks the bounds of a gate. @throws StudioError bad_input for an unknown metric, or one without a bound */
export function checkGate(gate: Gate): void {
  for (const [metric, { min, max }] of Object.entries(gate)) {
    if (!GATE_METRICS.includes(metric))
      throw badInput(
        `gate: unknown metric ${quoteName(metric)}; ${didYouMean(metric, GATE_METRICS) ?? `choose one of ${GATE_METRICS.join(', ')}`}`,
      );
    if (min === undefined && max === undefined) throw badInput(`gate.${metric}: requires min or max`);
  }
}

/** Metrics that exist without a tracked step. */
const PER_EPISODE: ReadonlySet<string> = new Set(['episodes', 'success', 'tracked_s', 'tracked_share']);

/** Compares each checkpoint with the gate. Errors over no step at all are 0 and miss the gate: a policy that falls in
 *  its first step does not track well. @param summaries of all checkpoints under the first condition */
export function gateResults(gate: Gate, summaries: readonly Summary[]): GateResult[] {
  return summaries.flatMap((summary) =>
    Object.entries(gate).map(([metric, { min, max }]) => {
      const value = isMetric(metric) ? metricOf(summary, metric) : summary.episodes;
      const measured = summary.tracked_s > 0 || PER_EPISODE.has(metric);
      const inBounds = value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
      const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
      return { checkpoint: summary.checkpoint, metric, ...bounds, value, ok: measured && inBounds };
    }),
  );
}
