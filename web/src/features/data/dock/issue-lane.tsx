import { useRef, useState } from 'preact/hooks';
import { CHECK_KINDS } from '../../../../../src/protocol/check-kinds.ts';
import { StateShape } from '../../../ui/icon.tsx';
import { chosenIssue, showIssue } from '../preview-store.ts';
import { issueTime, type Marker, markersOf, type QaIssue } from '../shared/clip-issues.ts';

export interface QaLaneProps {
  readonly issues: readonly QaIssue[];
  readonly frames: number;
  readonly fps: number;
  /** width of the lane, px */
  readonly width: number;
}

/** Markers of the open clip's issues: shape by severity, width by the frames they span. A click on a marker goes to the
 *  frame of its issue; repeated clicks on a marker of several issues step through them. */
export function QaLane({ issues, frames, fps, width }: QaLaneProps) {
  const turns = useRef(new Map<string, number>());
  const [, redraw] = useState(0);
  const chosen = chosenIssue.value;
  const markers = markersOf(issues, frames, width);
  const click = (marker: Marker) => {
    const key = String(marker.at);
    const turn = turns.current.get(key) ?? 0;
    const issue = marker.issues[turn % marker.issues.length];
    turns.current.set(key, turn + 1);
    redraw(turn);
    if (issue !== undefined) void showIssue(issue);
  };
  return (
    <div class="lane qa-lane">
      <span class="lane-name" aria-hidden="true">
        QA
      </span>
      <span class="lane-track" aria-hidden="true" />
      {markers.map((marker) => (
        <span
          key={`range-${marker.at}`}
          class={`qa-range qa-${marker.severity}`}
          aria-hidden="true"
          style={{ left: `${100 * marker.at}%`, width: `${100 * (marker.to - marker.at)}%` }}
        />
      ))}
      {markers.map((marker) => (
        <button
          type="button"
          key={marker.at}
          tabIndex={-1}
          class={`qa-marker shape-${marker.severity}${chosen !== null && marker.issues.includes(chosen) ? ' on' : ''}`}
          style={{ left: `${100 * marker.at}%` }}
          aria-label={markerName(marker)}
          title={markerName(marker, fps)}
          onClick={() => click(marker)}
        >
          <StateShape kind={marker.severity} />
        </button>
      ))}
    </div>
  );
}

function markerName(marker: Marker, fps?: number): string {
  const lines = marker.issues
    .slice(0, 6)
    .map(
      (issue) => `${CHECK_KINDS[issue.kind]}: ${issue.text}${fps === undefined ? '' : ` (${issueTime(issue, fps)})`}`,
    );
  const more = marker.issues.length - lines.length;
  return lines.join(fps === undefined ? '; ' : '\n') + (more > 0 ? `\nand ${more} more` : '');
}
