import { settingUnit, variedSetting } from '../../../../src/protocol/condition-words.ts';
import { EVALUATION_METRICS, METRIC_NAMES, metricOf } from '../../../../src/protocol/evaluation-metrics.ts';
import type { Summary } from '../../../../src/protocol/schemas/evaluation.ts';
import { StateShape } from '../../ui/icon.tsx';
import { JointFindings } from './joint-findings.tsx';
import { checkpointTitle, metricText, successClass, unitText } from './metric-words.ts';
import type { Report } from './run-evaluations.ts';
import { ShareBar } from './share-bar.tsx';
import { type Column, SortedTable } from './sorted-table.tsx';

/** Returns one column for each metric. */
export function metricColumns<R extends Summary>(): Column<R>[] {
  return METRIC_NAMES.map((metric) => ({
    title: EVALUATION_METRICS[metric].title,
    ...(metric === 'success' ? {} : { unit: unitText(metric) }),
    value: (row) => metricOf(row, metric),
    show: (row) =>
      metric === 'success' ? (
        <ShareBar share={row.success} kind={successClass(row.success)} />
      ) : (
        metricText(metric, metricOf(row, metric))
      ),
  }));
}

const COLUMNS: readonly Column<Summary>[] = [
  {
    title: 'Checkpoint',
    value: ({ checkpoint }) => checkpoint,
    show: ({ checkpoint }) => <span class="mono">{checkpointTitle(checkpoint)}</span>,
  },
  { title: 'Condition', value: ({ condition }) => condition, show: ({ condition }) => condition },
  ...metricColumns<Summary>(),
];

/** The tab that shows the gates, the metrics of all checkpoints under all conditions, and the values at which success
 *  drops below 90 %. */
export function SummaryTab({ report }: { readonly report: Report }) {
  return (
    <>
      <Gates gate={report.gate} />
      <Findings report={report} />
      <SortedTable
        label="Summary"
        rows={report.summary}
        columns={COLUMNS}
        keyOf={({ checkpoint, condition }) => `${checkpoint} ${condition}`}
      />
      <Robustness report={report} />
    </>
  );
}

/** What the joints say about each checkpoint under the first condition. */
function Findings({ report: { protocol, summary, joints } }: { readonly report: Report }) {
  const first = protocol.conditions[0]?.name;
  return summary
    .filter(({ condition }) => condition === first)
    .map((row) => (
      <JointFindings
        key={row.checkpoint}
        joints={joints.filter((one) => one.checkpoint === row.checkpoint && one.condition === first)}
        summary={row}
        checkpoint={protocol.checkpoints.length > 1 ? row.checkpoint : null}
      />
    ));
}

function Gates({ gate }: Pick<Report, 'gate'>) {
  if (gate === null || gate.length === 0) return null;
  return (
    <ul class="gates" aria-label="Gates">
      {gate.map(({ checkpoint, metric, min, max, value, ok }) => (
        <li key={`${checkpoint} ${metric}`}>
          <StateShape kind={ok ? 'ok' : 'error'} />
          <span>
            {ok ? 'Passed' : 'Missed'}: <span class="mono">{metric}</span> is {Number(value.toPrecision(4))}
            {min !== undefined && `, at least ${min}`}
            {max !== undefined && `, at most ${max}`} <span class="dim">{checkpointTitle(checkpoint)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Robustness({ report: { protocol, summary } }: { readonly report: Report }) {
  const checkpoint = protocol.checkpoints[0];
  const fields = new Map<string, { value: string; success: number }[]>();
  for (const condition of protocol.conditions) {
    const setting = variedSetting(condition);
    const row = summary.find((one) => one.checkpoint === checkpoint && one.condition === condition.name);
    if (setting === null || row === undefined) continue;
    const { field, value } = setting;
    fields.set(field, [...(fields.get(field) ?? []), { value, success: row.success }]);
  }
  if (fields.size === 0) return null;
  return (
    <section class="robustness" aria-label="Robustness">
      <h4>Robustness of {checkpointTitle(checkpoint ?? '')}</h4>
      <ul>
        {[...fields].map(([field, values]) => {
          const broken = values.find(({ success }) => success < 0.9);
          return (
            <li key={field}>
              <span>
                <span class="mono">{field}</span> <span class="dim">{settingUnit(field)}</span>
              </span>
              <span class="robust-values">
                {values.map(({ value, success }) => (
                  <span key={value} class={`robust-value share-${successClass(success)}`}>
                    <span class="dim">{value}</span>
                    <span class="num medium">{(100 * success).toFixed(0)} %</span>
                  </span>
                ))}
              </span>
              <span class="robust-end">
                {broken === undefined ? (
                  <>
                    <StateShape kind="ok" /> holds
                  </>
                ) : (
                  <>
                    <StateShape kind="error" /> below 90 % {broken.value === 'on' ? 'when on' : `at ${broken.value}`}
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
