import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';

export interface EdgeProps {
  /** the accessible name: what is made larger */
  readonly label: string;
  readonly class: string;
  /** x: an upright edge that moves sideways; y: a level one that moves up and down */
  readonly axis: 'x' | 'y';
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** what an arrow key changes */
  readonly step: number;
  /** by how much the value changes with a pixel to the right, or down */
  readonly perPixel: () => number;
  /** what is read out is the value times this */
  readonly spoken?: number;
  /** may be beyond the ends */
  readonly onChange: (value: number) => void;
  /** a double click */
  readonly onReset: () => void;
}

/** An edge between two parts of the page: dragged, moved by arrow keys, put back by a double click. */
export function Edge({ label, class: kind, axis, value, spoken = 1, ...props }: EdgeProps) {
  const { least, most, step, perPixel, onChange, onReset } = props;
  const [more, less] = axis === 'x' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowUp', 'ArrowDown'];
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const edge = event.currentTarget;
    const place = (at: PointerEvent) => (axis === 'x' ? at.clientX : at.clientY);
    const from = place(event);
    edge.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent) => onChange(value + (place(next) - from) * perPixel());
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
    const by = event.key === more ? step : event.key === less ? -step : 0;
    if (by === 0) return;
    event.preventDefault();
    onChange(value + by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no <hr>
    <div
      class={kind}
      role="separator"
      aria-label={label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(spoken * value)}
      aria-valuemin={spoken * least}
      aria-valuemax={spoken * most}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDblClick={onReset}
    />
  );
}
