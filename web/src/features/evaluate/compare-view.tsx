import { useEffect, useState } from 'preact/hooks';
import { EVALUATION_METRICS } from '../../../../src/protocol/evaluation-metrics.ts';
import { FieldRow } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Skeleton } from '../../ui/states.tsx';
import { checkpointTitle, metricText, unitText, verdictOf } from './metric-words.ts';
import { type Difference, type RunEvaluations, type Side, sideIndex } from './run-evaluations.ts';

const WORD = { better: '▲ better', worse: '▼ worse', same: '● no difference' } as const;

/** Compares two evaluations, or two checkpoints of one evaluation: shows the difference of each metric with its 95 %
 *  interval. */
export function CompareView({ model }: { readonly model: RunEvaluations }) {
  const sides = (model.list.value ?? [])
    .filter(({ status }) => status === 'done')
    .flatMap(({ name, protocol }) =>
      protocol.checkpoints.map((checkpoint): Side => ({ evaluation: name, checkpoint })),
    );
  // Not indices: the list grows while the comparison is open.
  const [chosenA, setA] = useState(sides[1] ?? sides[0]);
  const [chosenB, setB] = useState(sides[0]);
  const [differences, setDifferences] = useState<readonly Difference[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [a, b] = [sideIndex(sides, chosenA), sideIndex(sides, chosenB)];
  const [ofA, ofB] = [sides[a], sides[b]];
  useEffect(() => {
    if (ofA === undefined || ofB === undefined) return;
    let gone = false;
    setDifferences(null);
    setError(null);
    model.compare(ofA, ofB).then(
      (found) => gone || setDifferences(found),
      (failure: unknown) => gone || setError(messageOf(failure)),
    );
    return () => {
      gone = true;
    };
  }, [ofA?.evaluation, ofA?.checkpoint, ofB?.evaluation, ofB?.checkpoint]);
  return (
    <section class="compare" aria-label="Comparison">
      <h3>Comparison</h3>
      <div class="form-pair">
        <SidePicker label="A" sides={sides} value={a} onChange={(index) => setA(sides[index])} />
        <SidePicker label="B" sides={sides} value={b} onChange={(index) => setB(sides[index])} />
      </div>
      <p class="dim">Difference B − A over the same clips and starts, with its 95 % interval.</p>
      {error !== null && (
        <p class="note note-err" role="alert">
          <Icon name="warn" />
          {error}
        </p>
      )}
      {error === null && differences === null && <Skeleton rows={6} label="Comparing" />}
      {differences !== null && <Differences differences={differences} />}
    </section>
  );
}

interface SidePickerProps {
  readonly label: string;
  readonly sides: readonly Side[];
  readonly value: number;
  readonly onChange: (index: number) => void;
}

function SidePicker({ label, sides, value, onChange }: SidePickerProps) {
  return (
    <FieldRow label={label}>
      {(ids) => (
        <span class="select boxed">
          <select {...ids} value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
            {sides.map(({ evaluation, checkpoint }, index) => (
              <option key={`${evaluation} ${checkpoint}`} value={index}>
                {evaluation} · {checkpointTitle(checkpoint)}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </FieldRow>
  );
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const conditions = [...new Set(differences.map(({ condition }) => condition))];
  return (
    <>
      {conditions.map((condition) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        <section class="evaluate-scroll" key={condition} tabIndex={0} aria-label={`Under ${condition}`}>
          <table class="evaluate-table">
            <caption>{condition}</caption>
            <thead>
              <tr>
                <th scope="col">Metric</th>
                <th scope="col" class="right">
                  A
                </th>
                <th scope="col" class="right">
                  B
                </th>
                <th scope="col" class="right">
                  B − A
                </th>
                <th scope="col" class="right">
                  95 % interval
                </th>
                <th scope="col">
                  <span class="visually-hidden">Interval as a line</span>
                </th>
                <th scope="col">B is</th>
              </tr>
            </thead>
            <tbody>
              {differences
                .filter((one) => one.condition === condition)
                .map((one) => (
                  <Row key={one.metric} {...one} />
                ))}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}

function Row({ metric, a, b, mean, low, high }: Difference) {
  const verdict = verdictOf(metric, low, high);
  return (
    <tr>
      <th scope="row">
        {EVALUATION_METRICS[metric].title} <span class="faint">{unitText(metric)}</span>
      </th>
      <td class="num right">{metricText(metric, a)}</td>
      <td class="num right">{metricText(metric, b)}</td>
      <td class="num right semi">{metricText(metric, mean)}</td>
      <td class="num right">
        {metricText(metric, low)} … {metricText(metric, high)}
      </td>
      <td>
        <Interval mean={mean} low={low} high={high} verdict={verdict} />
      </td>
      <td class={`verdict verdict-${verdict}`}>{WORD[verdict]}</td>
    </tr>
  );
}

interface IntervalProps {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly verdict: string;
}

/** Draws the 95 % interval of a difference on an axis with zero in the middle. */
function Interval({ mean, low, high, verdict }: IntervalProps) {
  const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(mean)) * 1.1 || 1;
  const x = (value: number) => 60 + (56 * value) / reach;
  return (
    <svg class={`interval verdict-${verdict}`} width="120" height="16" aria-hidden="true">
      <line class="interval-zero" x1="60" x2="60" y1="1" y2="15" />
      <line class="interval-line" x1={x(low)} x2={x(high)} y1="8" y2="8" />
      <circle cx={x(mean)} cy="8" r="3" />
    </svg>
  );
}
