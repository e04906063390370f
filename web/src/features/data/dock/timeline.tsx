import type { TargetedPointerEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clock } from '../../../ui/format.ts';
import { Lazy } from '../../../ui/lazy.tsx';
import { useWidth } from '../../../ui/use-width.ts';
import { editedClip } from '../edit-mode.ts';
import { duration, isOpen, loopRegion, playhead, preview, seek, watchPlayhead } from '../preview-store.ts';
import { timelineTicks } from '../timeline-scale.ts';
import { FootLanes } from './foot-lanes.tsx';
import { QaLane } from './issue-lane.tsx';

const trimLane = () => import('../edit/parts.ts').then((part) => part.TrimLane);

/** Ruler, lanes and playhead of the open clip. A native slider on top handles dragging and keys. Dragging with Shift
 *  selects a region to loop. @param bare show only a line, without ruler and lanes */
export function Timeline({ bare = false }: { readonly bare?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const width = useWidth(box);
  const off = !isOpen.value;
  const open = preview.value;
  const last = Math.max(1, (open?.frames ?? 0) - 1);
  const length = duration.value;
  const region = loopRegion.value;
  const issues = off ? [] : (open?.qa?.issues ?? []);

  useEffect(() => {
    if (off) {
      box.current?.style.setProperty('--at', '0');
      return;
    }
    return watchPlayhead(() => {
      box.current?.style.setProperty('--at', String(Math.min(1, playhead.frame / last)));
      const slider = input.current;
      if (slider === null) return;
      if (slider.value !== String(playhead.frame)) slider.value = String(playhead.frame);
      slider.setAttribute('aria-valuetext', `${clock(playhead.time, 2)}, frame ${playhead.frame}`);
    });
  }, [off, last]);

  const editing = editedClip.value !== null;
  const lanes = !bare && !off && open?.grid === null;
  return (
    <div
      class={`timeline${bare ? ' bare' : ''}${off ? ' off' : ''}${lanes ? ' with-lanes' : ''}${lanes && editing ? ' editing' : ''}`}
    >
      <div class="timeline-box" ref={box}>
        <Ruler length={length} width={bare || off ? 0 : width} />
        {lanes && editing && (
          <span class="lane-name result-name" aria-hidden="true">
            Result
          </span>
        )}
        <div class="timeline-lane" aria-hidden="true">
          <span class="timeline-played" />
          {region !== null && (
            <span
              class="timeline-region"
              style={{ left: `${(100 * region[0]) / last}%`, width: `${(100 * (region[1] - region[0])) / last}%` }}
            />
          )}
        </div>
        {lanes && !editing && <FootLanes frames={last + 1} />}
        <span class="timeline-head" aria-hidden="true" />
        <input
          ref={input}
          type="range"
          aria-label="Timeline"
          title={off ? undefined : 'Shift-drag to loop a range'}
          min={0}
          max={last}
          step={1}
          disabled={off}
          onPointerDown={(event) => dragRegion(event, box.current, last)}
          onInput={(event) => seek(event.currentTarget.valueAsNumber)}
        />
        {lanes && editing && <Lazy load={trimLane} what="The trim handles" quiet />}
        {lanes && !editing && <QaLane issues={issues} frames={last + 1} fps={open.fps} width={width} />}
      </div>
    </div>
  );
}

/** Labels the seconds below the timeline. @param length s @param width px; 0 shows no labels */
function Ruler({ length, width }: { readonly length: number; readonly width: number }) {
  const ticks = width === 0 ? { major: [], minor: [] } : timelineTicks(length, width);
  const left = (time: number) => `${(100 * time) / length}%`;
  return (
    <div class="timeline-ruler" aria-hidden="true">
      {ticks.minor.map((time) => (
        <i key={time} style={{ left: left(time) }} />
      ))}
      {ticks.major.map(({ time, label }) => (
        <span
          key={time}
          class={time > length - length / Math.max(1, width / 48) ? 'at-end' : ''}
          style={{ left: left(time) }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

/** Starts selecting the loop region if Shift is held; otherwise clears the region.
 *  @param element lane of the timeline  @param last frame at the lane's right end */
function dragRegion(event: TargetedPointerEvent<HTMLInputElement>, element: HTMLElement | null, last: number): void {
  if (!event.shiftKey || !isOpen.peek() || element === null) {
    if (loopRegion.peek() !== null && !event.shiftKey) loopRegion.value = null;
    return;
  }
  event.preventDefault();
  const target = event.currentTarget;
  const frameAt = (x: number) => {
    const { left, width: px } = element.getBoundingClientRect();
    return Math.round(Math.min(1, Math.max(0, (x - left) / Math.max(1, px))) * last);
  };
  const from = frameAt(event.clientX);
  const move = (next: PointerEvent) => {
    const to = frameAt(next.clientX);
    loopRegion.value = Math.abs(to - from) < 2 ? null : [Math.min(from, to), Math.max(from, to)];
  };
  target.setPointerCapture(event.pointerId);
  target.addEventListener('pointermove', move);
  target.addEventListener('pointerup', () => target.removeEventListener('pointermove', move), { once: true });
}
