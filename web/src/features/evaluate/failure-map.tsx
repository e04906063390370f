import { clock, fixed } from '../../ui/format.ts';
import { failureRows } from './failure-rows.ts';
import type { Episode } from './run-evaluations.ts';

/** Height of the row of one episode, px. */
const LANE = 6;
/** Maximum number of clips whose rows are drawn. Clips with failures come first. */
const SHOWN = 200;

export interface FailureMapProps {
  readonly clips: readonly string[];
  readonly episodes: readonly Episode[];
  readonly controlHz: number;
}

/** Shows the clips on a time axis: one row per episode, with a mark at the time of its failure. */
export function FailureMap({ clips, episodes, controlHz }: FailureMapProps) {
  const { rows, longest } = failureRows(clips, episodes);
  return (
    <figure class="failure-map" aria-label="Failures over time">
      {rows.slice(0, SHOWN).map(({ name, list, failed }) => (
        <div class="map-row" key={name}>
          <span class="ellipsis" title={name}>
            {name}
          </span>
          <svg
            role="img"
            aria-label={`${name}: ${failed} of ${list.length} episodes fail`}
            height={LANE * list.length + 2}
            viewBox={`0 0 1000 ${LANE * list.length + 2}`}
            preserveAspectRatio="none"
          >
            {list.map((episode, lane) => (
              <Lane key={episode.start} episode={episode} lane={lane} longest={longest} controlHz={controlHz} />
            ))}
          </svg>
          <span class="num right">{fixed(100 * (1 - failed / list.length), 0)} %</span>
        </div>
      ))}
      <div class="map-row map-axis num dim" aria-hidden="true">
        <span />
        <span class="map-ticks">
          {[0, 0.5, 1].map((share) => (
            <span key={share}>{clock((share * longest) / controlHz, 2)}</span>
          ))}
        </span>
        <span />
      </div>
      {rows.length > SHOWN && <p class="dim">{rows.length - SHOWN} more clips are in the report.</p>}
    </figure>
  );
}

interface LaneProps {
  readonly episode: Episode;
  readonly lane: number;
  readonly longest: number;
  readonly controlHz: number;
}

function Lane({ episode: { start, steps, possible, failure }, lane, longest, controlHz }: LaneProps) {
  const x = (frames: number) => (1000 * frames) / longest;
  const y = LANE * lane + 2;
  return (
    <g>
      <rect class="lane-tracked" x={x(start)} y={y} width={Math.max(1, x(steps))} height={LANE - 2} />
      {failure !== null && (
        <>
          <rect class="lane-missed" x={x(start + steps)} y={y} width={x(possible - steps)} height={LANE - 2} />
          <rect class="lane-failure" x={Math.max(0, x(failure.frame) - 2)} y={y - 1} width="5" height={LANE}>
            <title>{`Fails at ${clock(failure.frame / controlHz, 2)} by ${failure.term}${failure.subject === null ? '' : `, ${failure.subject}`}`}</title>
          </rect>
        </>
      )}
    </g>
  );
}
