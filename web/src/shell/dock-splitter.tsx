import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { DOCK_MAX, DOCK_MIN, dockShare, resetDockShare, setDockShare } from '../state/dock.ts';

const STEP = 0.04;

/** The upper edge of a grown dock: dragged, moved by arrow keys, a double click gives the first height back. */
export function DockSplitter() {
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const edge = event.currentTarget;
    edge.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent) => setDockShare(1 - next.clientY / window.innerHeight);
    const end = () => {
      edge.removeEventListener('pointermove', move);
      edge.removeEventListener('pointerup', end);
      edge.removeEventListener('pointercancel', end);
    };
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', end);
    edge.addEventListener('pointercancel', end);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowUp' ? STEP : event.key === 'ArrowDown' ? -STEP : 0;
    if (by === 0) return;
    event.preventDefault();
    setDockShare(dockShare.peek() + by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no <hr>
    <div
      class="dock-splitter"
      role="separator"
      aria-label="Height of the dock"
      aria-orientation="horizontal"
      aria-valuenow={Math.round(100 * dockShare.value)}
      aria-valuemin={100 * DOCK_MIN}
      aria-valuemax={100 * DOCK_MAX}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDblClick={resetDockShare}
    />
  );
}
