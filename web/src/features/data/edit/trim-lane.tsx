import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { clock } from '../../../ui/format.ts';
import type { ClipEditor } from './clip-editor.ts';
import { editor } from './editor-store.ts';

/** Shows the whole source, with handles at the ends of the range that the edit keeps. */
export function TrimLane() {
  const now = editor.value;
  if (now === null || now.source.value === null) return null;
  return <Lane edit={now} frames={now.source.value.frames} fps={now.source.value.fps} />;
}

interface LaneProps {
  readonly edit: ClipEditor;
  readonly frames: number;
  readonly fps: number;
}

function Lane({ edit, frames, fps }: LaneProps) {
  const box = useRef<HTMLDivElement>(null);
  /** pointer that drags a handle; null if none does */
  const pointer = useRef<number | null>(null);
  const { from, to } = edit.range.value;
  const last = Math.max(1, frames - 1);
  const firstFrame = Math.round(from * fps);
  const lastFrame = Math.min(last, Math.round(to * fps));
  const move = (end: 'start' | 'end', frame: number) => {
    const [a, b] =
      end === 'start' ? [Math.min(frame, lastFrame - 2), lastFrame] : [firstFrame, Math.max(frame, firstFrame + 2)];
    edit.dragTrim(Math.max(0, a) / fps, Math.min(last, b) / fps, end);
  };
  const share = (frame: number) => `${(100 * frame) / last}%`;
  const handle = (end: 'start' | 'end', frame: number) => (
    <span
      role="slider"
      tabIndex={0}
      class={`trim-handle trim-${end}`}
      style={{ left: share(frame) }}
      aria-label={end === 'start' ? 'Trim start' : 'Trim end'}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={frame}
      aria-valuetext={clock(frame / fps, 2)}
      onPointerDown={(event) => {
        pointer.current = event.pointerId;
        drag(
          event,
          box.current,
          (at) => move(end, Math.round(at * last)),
          () => {
            pointer.current = null;
            edit.dropTrim();
          },
        );
      }}
      onKeyDown={(event) => {
        const target = keyTarget(event, frame, last, fps);
        if (target === null) return;
        event.preventDefault();
        event.stopPropagation();
        if (target === 'cancel') {
          edit.cancelTrim();
          release(event.currentTarget, pointer.current);
        } else move(end, target);
      }}
      // While a key is held, the handle moves many times: undo goes back to where the handle was before.
      onKeyUp={() => pointer.current === null && edit.dropTrim()}
      onBlur={() => edit.dropTrim()}
    />
  );
  return (
    <div class="lane trim-lane" ref={box}>
      <span class="lane-name" aria-hidden="true">
        Source
      </span>
      <span class="lane-track" aria-hidden="true" />
      <span
        class="trim-kept"
        aria-hidden="true"
        style={{ left: share(firstFrame), width: `${(100 * (lastFrame - firstFrame)) / last}%` }}
      >
        <span class="num">
          {clock(firstFrame / fps, 2)} – {clock(lastFrame / fps, 2)}
          <span class="dim"> of {clock(last / fps, 2)}</span>
        </span>
      </span>
      {handle('start', firstFrame)}
      {handle('end', lastFrame)}
    </div>
  );
}

/** Returns the frame to which a key moves a handle: arrows by a frame, with Shift by a second. Escape cancels a drag;
 *  other keys give null. */
function keyTarget(
  { key, shiftKey }: TargetedKeyboardEvent<HTMLElement>,
  frame: number,
  last: number,
  fps: number,
): number | 'cancel' | null {
  const size = shiftKey ? Math.max(1, Math.round(fps)) : 1;
  if (key === 'Escape') return 'cancel';
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return frame - size;
  return key === 'ArrowRight' || key === 'ArrowUp' ? frame + size : null;
}

function release(handle: HTMLElement, pointer: number | null): void {
  if (pointer !== null && handle.hasPointerCapture(pointer)) handle.releasePointerCapture(pointer);
}

/** Follows the pointer while a handle is dragged. @param move called with the position in the lane, 0..1 */
function drag(
  event: TargetedPointerEvent<HTMLElement>,
  lane: HTMLElement | null,
  move: (at: number) => void,
  end: () => void,
): void {
  if (lane === null) return;
  event.preventDefault();
  const target = event.currentTarget;
  target.focus();
  target.setPointerCapture(event.pointerId);
  const follow = (next: PointerEvent) => {
    const { left, width } = lane.getBoundingClientRect();
    move(Math.min(1, Math.max(0, (next.clientX - left) / Math.max(1, width))));
  };
  target.addEventListener('pointermove', follow);
  target.addEventListener(
    'lostpointercapture',
    () => {
      target.removeEventListener('pointermove', follow);
      end();
    },
    { once: true },
  );
}
