import { Edge } from '../ui/edge.tsx';
import { panelWidth, resetPanelWidth, setPanelWidth } from '../ui/layout.ts';
import { PANEL_MAX, PANEL_MIN } from '../ui/page-layout.ts';

interface SplitterProps {
  /** key under which the width is stored */
  readonly slot: string;
  /** initial width, px */
  readonly initial: number;
}

/** The right edge of the left panel, dragged to change the panel's width. */
export function Splitter({ slot, initial }: SplitterProps) {
  return (
    <Edge
      label="Width of the panel"
      class="splitter"
      axis="x"
      value={panelWidth(slot, initial)}
      least={PANEL_MIN}
      most={PANEL_MAX}
      step={16}
      perPixel={() => 1}
      onChange={(width) => setPanelWidth(slot, width)}
      onReset={() => resetPanelWidth(slot)}
    />
  );
}
