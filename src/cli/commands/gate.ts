import { orMeant } from '../../core/nearest.ts';
import { GATE_METRICS } from '../../protocol/evaluation-metrics.ts';
import type { Gate, GateResult } from '../../protocol/schemas/evaluation.ts';
import { UsageError } from '../parse-flags.ts';

/** Reads gates such as `success>=0.9` or `errors.body_pos<=0.1`. A percent sign divides by 100. Bounds of the same
 *  metric are joined. @throws UsageError */
export function readGates(texts: readonly string[]): Gate {
  const gates: Record<string, { min?: number; max?: number }> = {};
  for (const text of texts) {
    const [, metric = '', relation, figure = '', percent] =
      /^\s*([A-Za-z_.]+)\s*(>=|<=)\s*(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(%?)\s*$/.exec(text) ?? [];
    if (relation === undefined)
      throw new UsageError(
        `--gate: must be a metric, >= or <=, and a number, such as "success>=0.9"; got ${JSON.stringify(text)}`,
      );
    const bound = Number(figure) / (percent === '%' ? 100 : 1);
    gates[knownMetric('--gate', metric, GATE_METRICS)] = {
      ...gates[metric],
      ...(relation === '>=' ? { min: bound } : { max: bound }),
    };
  }
  return gates;
}

/** @throws UsageError for a metric that is not one of `known`, with the nearest of them */
export function knownMetric<Name extends string>(where: string, metric: string, known: readonly Name[]): Name {
  const found = known.find((name) => name === metric);
  if (found !== undefined) return found;
  throw new UsageError(
    `${where}: unknown metric ${JSON.stringify(metric)}${orMeant(metric, known) || `; known are ${known.join(', ')}`}`,
  );
}

/** Returns one line for a gate: `PASS success 0.94 ≥ 0.9 (model_900.pt)`. */
export function gateLine({ checkpoint, metric, min, max, value, ok }: GateResult): string {
  const bounds = [...(min === undefined ? [] : [`≥ ${min}`]), ...(max === undefined ? [] : [`≤ ${max}`])].join(', ');
  return `${ok ? 'PASS' : 'FAIL'} ${metric} ${Number(value.toPrecision(4))} ${bounds} (${checkpoint || 'zero action'})`;
}
