import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { IconButton } from '../ui/controls.tsx';

interface PaneProps {
  /** overlays the viewport, because the window is narrow */
  readonly over: boolean;
  readonly side: 'left' | 'right';
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A pane of the grid. If it overlays the viewport, Escape closes it. */
export function Pane({ over, side, label, onClose, children }: PaneProps) {
  useEffect(() => {
    if (!over) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open]') === null)
        onClose();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [over, onClose]);
  return (
    <section
      class={`pane pane-${side}${over ? ' over' : ''}`}
      aria-label={side === 'right' ? `${label} inspector` : label}
      style={over ? undefined : { gridArea: side === 'left' ? 'panel' : 'inspector' }}
    >
      {children}
      {over && side === 'left' && (
        <div class="pane-close">
          <IconButton icon="close" label="Close panel" onClick={onClose} />
        </div>
      )}
    </section>
  );
}
