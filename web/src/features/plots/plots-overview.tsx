import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { StateShape } from '../../ui/icon.tsx';
import { playhead, seek, watchPlayhead } from '../data/preview-store.ts';
import { layBadges } from './issues.ts';
import { issues, panTime, plots, timeWindow, usePlots, windowFrom, zoomTime } from './plots-store.ts';
import { clockLabel, wholeClip } from './time-window.ts';

const LEAST_PX = 8;

/** The whole clip in the transport, with the charts' window, the playhead and the issues. A drag or the arrow keys move
 *  the window; a click elsewhere seeks. */
export function PlotsOverview() {
  const track = useRef<HTMLDivElement>(null);
  useEffect(usePlots, []);
  const { data } = plots.value;
  const last = Math.max(1, (data?.frames ?? 1) - 1);
  useEffect(
    () =>
      watchPlayhead(() => {
        track.current?.style.setProperty('--at', String(Math.min(1, playhead.frame / last)));
      }),
    [last],
  );
  if (data === null) return <div class="overview" ref={track} />;
  const { duration, fps } = data;
  const { from, to } = timeWindow.value;
  const percent = (time: number) => `${duration > 0 ? (100 * time) / duration : 0}%`;

  const onTrack = (event: TargetedPointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const time = Math.min(1, Math.max(0, (event.clientX - left) / width)) * duration;
    const window = timeWindow.peek();
    seek(Math.round(time * fps));
    if (time < window.from || time > window.to) windowFrom(time - (window.to - window.from) / 2);
  };
  const markers = layBadges(issues.value, wholeClip(duration), fps, 100, { room: 2 });
  return (
    <div class="overview" ref={track} onPointerDown={onTrack}>
      <div
        class="overview-window"
        role="slider"
        aria-label="Shown time range"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Number(Math.max(0, duration - (to - from)).toFixed(2))}
        aria-valuenow={Number(from.toFixed(2))}
        aria-valuetext={`${clockLabel(from, 1)} to ${clockLabel(to, 1)}`}
        title="Drag, arrows: move the window. Up, down: zoom"
        tabIndex={0}
        style={{ left: percent(from), width: `max(${LEAST_PX}px, ${percent(to - from)})` }}
        onPointerDown={(event) => dragWindow(event, track.current?.clientWidth ?? 1, duration)}
        onKeyDown={(event) => moveByKey(event, duration)}
      />
      {markers.map(({ issue, left }) => (
        <span key={left} class={`overview-issue ${issue.severity}`} style={{ left: `${left + 1}%` }} aria-hidden="true">
          <StateShape kind={issue.severity} />
        </span>
      ))}
      <span class="overview-head" aria-hidden="true" />
    </div>
  );
}

/** Moves the window with the pointer. @param width width of the whole clip, px @param duration s */
function dragWindow(event: TargetedPointerEvent<HTMLDivElement>, width: number, duration: number): void {
  if (event.button !== 0) return;
  event.stopPropagation();
  const thumb = event.currentTarget;
  const start = { x: event.clientX, from: timeWindow.peek().from };
  thumb.setPointerCapture(event.pointerId);
  const move = (next: PointerEvent) => windowFrom(start.from + ((next.clientX - start.x) / width) * duration);
  const end = () => {
    thumb.removeEventListener('pointermove', move);
    thumb.removeEventListener('pointerup', end);
    thumb.removeEventListener('pointercancel', end);
  };
  thumb.addEventListener('pointermove', move);
  thumb.addEventListener('pointerup', end);
  thumb.addEventListener('pointercancel', end);
}

/** Moves and zooms the window with the arrow keys. @param duration s */
function moveByKey(event: TargetedKeyboardEvent<HTMLDivElement>, duration: number): void {
  if (event.key === 'ArrowLeft') panTime(-0.1);
  else if (event.key === 'ArrowRight') panTime(0.1);
  else if (event.key === 'PageUp') panTime(-1);
  else if (event.key === 'PageDown') panTime(1);
  else if (event.key === 'Home') windowFrom(0);
  else if (event.key === 'End') windowFrom(duration);
  else if (event.key === '+' || event.key === 'ArrowUp') zoomTime(0.5);
  else if (event.key === '-' || event.key === 'ArrowDown') zoomTime(2);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
