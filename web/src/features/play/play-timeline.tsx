import { useRef } from 'preact/hooks';
import { fixed } from '../../ui/format.ts';
import { StateShape } from '../../ui/icon.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { episodesOf, jointErrors, sparkline } from './record-metrics.ts';
import type { RecordView } from './record-ring.ts';
import { backToLive, frozen, holdAt, record, recordRow } from './record-store.ts';
import { isLive } from './session-store.ts';

const EVERY_S = 10;
const LINE_HEIGHT = 14;

/** The last minute of the focused environment: its episodes, pushes and joint error. A slider covers them; moving it
 *  freezes the record at the chosen row. */
export function PlayTimeline() {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const view = record.value;
  const off = !isLive.value || view === null || view.rows === 0;
  const history = view?.historyS ?? 60;
  const capacity = Math.max(2, Math.round(history * (view?.fps ?? 50)));
  const missing = off ? 0 : capacity - view.rows;
  const share = (row: number) => (missing + row) / (capacity - 1);
  const row = recordRow.value;
  const seconds = off ? 0 : (view.rows - 1 - row) / view.fps;
  const ticks = Array.from({ length: Math.floor(history / EVERY_S) + 1 }, (_, k) => history - k * EVERY_S);
  return (
    <div class={`timeline play-timeline${off ? ' off' : ''}`}>
      <div class="timeline-box" ref={box} style={{ '--at': off ? 1 : share(row) }}>
        <div class="timeline-ruler" aria-hidden="true">
          {!off &&
            ticks
              .slice(0, -1)
              .map((ago) => <i key={ago} style={{ left: `${100 * (1 - (ago - EVERY_S / 2) / history)}%` }} />)}
          {!off &&
            ticks.map((ago) => (
              <span key={ago} class={ago === 0 ? 'at-end' : ''} style={{ left: `${100 * (1 - ago / history)}%` }}>
                {ago === 0 ? (frozen.value ? '0 s' : 'live') : `−${ago} s`}
              </span>
            ))}
        </div>
        {!off && <Lanes view={view} share={share} capacity={capacity} width={width} />}
        <span class="timeline-head" aria-hidden="true" />
        <input
          type="range"
          aria-label="Timeline"
          aria-valuetext={seconds > 0 ? `${fixed(seconds, 2)} s ago` : 'live'}
          title={off ? undefined : 'Drag to look back'}
          min={0}
          max={capacity - 1}
          step={1}
          disabled={off}
          value={off ? 0 : missing + row}
          onInput={(event) => {
            const to = event.currentTarget.valueAsNumber - missing;
            if (view !== null && to >= view.rows - 1) backToLive();
            else holdAt(Math.max(0, to));
          }}
        />
      </div>
    </div>
  );
}

interface LanesProps {
  readonly view: RecordView;
  /** returns the position of a row along the timeline, 0..1 */
  readonly share: (row: number) => number;
  readonly capacity: number;
  readonly width: number;
}

function Lanes({ view, share, capacity, width }: LanesProps) {
  const episodes = episodesOf(view);
  const failures = view.events.filter(({ kind }) => kind !== 'push');
  const pushes = view.events.filter(({ kind }) => kind === 'push');
  const percent = (row: number) => `${100 * share(row)}%`;
  const errors = jointErrors(view);
  const line = sparkline(errors, capacity, Math.max(20, Math.floor(width / 4)));
  const top = Math.max(0.1, ...line.map(([, y]) => y));
  const last = errors.at(-1) ?? Number.NaN;
  const text = `${episodes.length === 1 ? '1 episode' : `${episodes.length} episodes`}, ${pushes.length} pushes`;
  return (
    <div class="play-lanes" role="img" aria-label={`The last minute: ${text}, joint error ${fixed(last, 3)} rad`}>
      <div class="play-lane lane-episodes">
        <span class="lane-name">Episodes</span>
        {episodes.map(({ first, end }) => (
          <span
            key={view.first + first}
            class="episode"
            style={{ left: percent(first), right: `calc(${100 * (1 - share(end - 1))}% + 1px)` }}
          />
        ))}
        {failures.map(({ row, kind, text: why }) => (
          <span key={row} class="lane-mark" style={{ left: percent(row - view.first) }} title={why}>
            <StateShape kind={kind === 'failure' ? 'error' : 'info'} />
          </span>
        ))}
      </div>
      <div class="play-lane lane-pushes">
        <span class="lane-name">Pushes</span>
        {pushes.map(({ row, text: how }) => (
          <span key={row} class="lane-mark" style={{ left: percent(row - view.first) }} title={how}>
            <StateShape kind="warning" />
          </span>
        ))}
      </div>
      <div class="play-lane lane-error">
        <span class="lane-name">Error</span>
        <svg viewBox={`0 0 1000 ${LINE_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <polyline
            points={line
              .map(
                ([x, y]) => `${(1000 * x).toFixed(1)},${(LINE_HEIGHT - 1 - (y / top) * (LINE_HEIGHT - 2)).toFixed(2)}`,
              )
              .join(' ')}
          />
        </svg>
      </div>
    </div>
  );
}
