import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { fixed } from '../../ui/format.ts';
import { historyLine } from './metric-history-store.ts';
import { jointErrors, meanOfLastSecond, sparkline, torquesAtLimit } from './record-metrics.ts';
import { record, recordError, recordRow } from './record-store.ts';

interface Row {
  readonly name: string;
  /** value of the metric in `unit`; NaN if unknown */
  readonly value: number;
  readonly unit: string;
  readonly decimals: number;
  readonly hint: string;
  readonly line: readonly (readonly [x: number, y: number])[];
}

/** Tracking metrics of the focused environment, each with a sparkline of the last minute. */
export function Tracking({ session: now }: { readonly session: PlaySession }) {
  const view = record.value;
  const end = recordRow.value + 1;
  const figures = now.figures?.tracking;
  const rows: Row[] = [];
  const known = (value: number | null | undefined) => value ?? Number.NaN;
  rows.push({
    name: 'Key-body error',
    value: known(figures?.keybody_error),
    unit: 'm',
    decimals: 3,
    hint: 'Mean distance of the key bodies from the reference, relative to the anchor',
    line: historyLine('keybody', now.history_s),
  });
  if (view !== null) {
    const capacity = Math.round(view.historyS * view.fps);
    const joints = jointErrors(view);
    const torques = torquesAtLimit(view);
    rows.push(
      {
        name: 'Joint RMSE',
        value: meanOfLastSecond(view, joints, end),
        unit: 'rad',
        decimals: 3,
        hint: 'Root mean square over the joints of position minus reference',
        line: sparkline(joints, capacity),
      },
      {
        name: 'Anchor rotation',
        value: known(figures?.anchor_rotation),
        unit: 'rad',
        decimals: 3,
        hint: 'Angle between the anchor and its reference',
        line: historyLine('anchor', now.history_s),
      },
      {
        name: 'Torque at limit',
        value: 100 * meanOfLastSecond(view, torques, end),
        unit: '%',
        decimals: 1,
        hint: 'Share of the joints whose torque is within 2 % of its effort limit',
        line: sparkline(torques, capacity),
      },
    );
  }
  return (
    <section class="play-section tracking" aria-label={`Tracking of env ${now.focus}`}>
      <h3>Tracking, env {now.focus}</h3>
      {recordError.value !== null && (
        <p class="field-note err" role="alert">
          {recordError.value}
        </p>
      )}
      <dl>
        {rows.map(({ name, value, unit, decimals, hint, line }) => (
          <div key={name} title={hint}>
            <dt class="dim">{name}</dt>
            <dd>
              <Spark line={line} />
              <span class="num">
                {fixed(value, decimals)} <span class="dim">{unit}</span>
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const WIDTH = 72;
const HEIGHT = 18;

function Spark({ line }: { readonly line: Row['line'] }) {
  const top = Math.max(1e-9, ...line.map(([, y]) => y));
  const points = line.map(
    ([x, y]) => `${(x * WIDTH).toFixed(1)},${(HEIGHT - 1.5 - (y / top) * (HEIGHT - 3)).toFixed(1)}`,
  );
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {points.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  );
}
