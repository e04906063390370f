import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { PANEL_MAX, PANEL_MIN, type PanelKey, panelWidths, resetPanelWidth, setPanelWidth } from '../state/ui.ts';

const STEP = 16;

/** The edge of the left panel: dragged, moved by arrow keys, a double click gives the first width back. */
export function Splitter({ of: key }: { readonly of: PanelKey }) {
  const width = panelWidths.value[key];
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const edge = event.currentTarget;
    const from = event.clientX;
    const start = panelWidths.peek()[key];
    edge.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent) => setPanelWidth(key, start + next.clientX - from);
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
    const by = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
    if (by === 0) return;
    event.preventDefault();
    setPanelWidth(key, width + by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no <hr>
    <div
      class="splitter"
      role="separator"
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={PANEL_MIN}
      aria-valuemax={PANEL_MAX}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDblClick={() => resetPanelWidth(key)}
    />
  );
}
