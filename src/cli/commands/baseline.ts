import { readFileSync, statSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { messageOf, StudioError } from '../../core/errors.ts';
import { check } from '../../core/validation.ts';
import {
  EVALUATION_METRICS,
  type EvaluationMetric,
  METRIC_NAMES,
  metricOf,
} from '../../protocol/evaluation-metrics.ts';
import { oneOf, strictBody } from '../../protocol/route.ts';
import type { Summary } from '../../protocol/schemas/evaluation.ts';
import { UsageError } from '../parse-flags.ts';
import { knownMetric } from './gate.ts';
import { saveText } from './saved-file.ts';

/** Maximum size of a baseline file, bytes. */
const MAX_BYTES = 64 * 1024;

const BaselineFile = strictBody({
  version: Type.Literal(1),
  metrics: Type.Record(Type.String(), strictBody({ value: Type.Number(), better: oneOf(['high', 'low']) })),
});
/** Metrics of an accepted policy, to be committed. Later policies must not be worse. */
export type Baseline = Static<typeof BaselineFile>;

/** Result of comparing one metric with its baseline. */
export interface BaselineResult {
  readonly checkpoint: string;
  readonly metric: string;
  readonly baseline: number;
  readonly better: 'high' | 'low';
  /** the worst value that passes */
  readonly bound: number;
  readonly value: number;
  readonly ok: boolean;
}

/** Reads a baseline file. @returns null if it does not exist @throws UsageError for any other problem */
export function readBaseline(file: string): Baseline | null {
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES} bytes`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new UsageError(`--baseline: ${file}: ${messageOf(error)}`);
  }
  try {
    const baseline = check(BaselineFile, JSON.parse(text), 'baseline');
    for (const metric of Object.keys(baseline.metrics)) knownMetric(`--baseline: ${file}`, metric, METRIC_NAMES);
    return baseline;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof StudioError)
      throw new UsageError(
        `--baseline: ${file} is not a baseline file: ${error.message}. Write a new one with --update.`,
      );
    throw error;
  }
}

/** Compares every metric of the baseline. A value passes if it is worse by at most `tolerance` times the amount of the
 *  baseline's value. */
export function compareToBaseline(baseline: Baseline, summary: Summary, tolerance: number): BaselineResult[] {
  return Object.entries(baseline.metrics).map(([metric, { value: before, better }]) => {
    const slack = tolerance * Math.abs(before) * (better === 'high' ? -1 : 1);
    const bound = before + slack;
    const value = metricOf(summary, metric as EvaluationMetric);
    const ok = better === 'high' ? value >= bound : value <= bound;
    return { checkpoint: summary.checkpoint, metric, baseline: before, better, bound, value, ok };
  });
}

/** Writes the values of `summary` as the new baseline: the metrics of the old baseline, or all metrics if there is
 *  none. The file appears when it is complete. */
export function writeBaseline(file: string, old: Baseline | null, summary: Summary): void {
  const names = old === null ? METRIC_NAMES : (Object.keys(old.metrics) as EvaluationMetric[]);
  const metrics: Baseline['metrics'] = {};
  for (const metric of names) {
    const better = old?.metrics[metric]?.better ?? EVALUATION_METRICS[metric].better;
    // Not rounded: the same policy must pass its own baseline with --tolerance 0.
    metrics[metric] = { value: metricOf(summary, metric), better };
  }
  saveText('--baseline', file, `${JSON.stringify({ version: 1, metrics } satisfies Baseline, null, 2)}\n`);
}

/** Returns one line for a result: `PASS success 0.94, baseline 0.95, at least 0.931 (model_900.pt)`. */
export function baselineLine({ metric, baseline, better, bound, value, ok, checkpoint }: BaselineResult): string {
  const short = (figure: number) => Number(figure.toPrecision(4));
  const limit = `${better === 'high' ? 'at least' : 'at most'} ${short(bound)}`;
  return `${ok ? 'PASS' : 'FAIL'} ${metric} ${short(value)}, baseline ${short(baseline)}, ${limit} (${checkpoint || 'zero action'})`;
}
