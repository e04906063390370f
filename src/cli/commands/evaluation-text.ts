import type { EvaluationMetric } from '../../protocol/evaluation-metrics.ts';
import { metricOf } from '../../protocol/evaluation-metrics.ts';
import { jointFindings } from '../../protocol/joint-findings.ts';
import type { Evaluation, Summary } from '../../protocol/schemas/evaluation.ts';
import type { Output } from './output.ts';

/** Number of clips listed as the worst. */
const WORST = 5;

/** Columns of the summary: metric, title, decimals; shares in percent. */
const COLUMNS: readonly (readonly [metric: EvaluationMetric, title: string, decimals: number])[] = [
  ['success', ' SUCCESS %', 1],
  ['tracked_s', ' TRACKED s', 2],
  ['errors.body_pos', ' BODY m', 3],
  ['errors.body_pos_local', ' LOCAL m', 3],
  ['errors.joint_pos', ' JOINT rad', 3],
];

/** Prints an evaluation: summary, where robustness ends, and the worst clips. */
export function printEvaluation(output: Output, evaluation: Evaluation): void {
  output.table({
    columns: ['CHECKPOINT', 'CONDITION', ' EPISODES', ...COLUMNS.map(([, title]) => title)],
    rows: evaluation.summary.map((row) => [
      row.checkpoint || 'zero action',
      row.condition,
      String(row.episodes),
      ...COLUMNS.map(([metric, , decimals]) => figureOf(row, metric, decimals)),
    ]),
  });
  for (const { field, breaks_at: at, values } of evaluation.robustness)
    output.line(
      at === null
        ? `${field}: success stays at 90 % or more from ${values[0]} to ${values.at(-1)}`
        : `${field}: success falls below 90 % at ${at}`,
    );
  const [first] = evaluation.protocol.conditions;
  for (const summary of evaluation.summary.filter(({ condition }) => condition === first?.name)) {
    const { checkpoint } = summary;
    const own = evaluation.joints.filter((joint) => joint.checkpoint === checkpoint && joint.condition === first?.name);
    for (const finding of jointFindings(own, summary)) output.line(`${finding} [${checkpoint}]`);
  }
  const failed = evaluation.clips.filter(({ success }) => success < 1).sort((a, b) => a.success - b.success);
  for (const { clip, checkpoint, condition, success, worst } of failed.slice(0, WORST)) {
    const at = worst.failed === null ? '' : ` at ${(worst.failed / evaluation.protocol.control_hz).toFixed(2)} s`;
    const cause = worst.term === null ? '' : ` by ${worst.term}${worst.subject === null ? '' : ` (${worst.subject})`}`;
    output.line(
      `${clip}: success ${(100 * success).toFixed(0)} %, worst episode fails${at}${cause} [${checkpoint || 'zero action'}, ${condition}]`,
    );
  }
  if (failed.length > WORST) output.line(`and ${failed.length - WORST} more clips with failures: see the report`);
}

function figureOf(row: Summary, metric: EvaluationMetric, decimals: number): string {
  const value = metricOf(row, metric);
  return Number.isFinite(value) ? (metric === 'success' ? 100 * value : value).toFixed(decimals) : '–';
}
