import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';

export interface EdgeProps {
  /** accessible name: the part of the page that is resized */
  readonly label: string;
  readonly class: string;
  /** x: a vertical edge that moves sideways; y: a horizontal edge that moves up and down */
  readonly axis: 'x' | 'y';
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** change of the value per arrow key press */
  readonly step: number;
  /** change of the value per pixel to the right, or down */
  readonly perPixel: () => number;
  /** factor from the value to the number that screen readers announce */
  readonly spoken?: number;
  /** called with the new value, which may be beyond the limits */
  readonly onChange: (value: number) => void;
  /** called on a double click */
  readonly onReset: () => void;
}

/** Edge between two parts of the page. Drags and arrow keys move it; a double click resets it. */
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
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved
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
