import { Edge } from '../ui/edge.tsx';
import { PANEL_MAX, PANEL_MIN, type PanelKey, panelWidths, resetPanelWidth, setPanelWidth } from '../ui/layout.ts';

/** The edge of the left panel; px. */
export function Splitter({ of: key }: { readonly of: PanelKey }) {
  return (
    <Edge
      label="Width of the panel"
      class="splitter"
      axis="x"
      value={panelWidths.value[key]}
      least={PANEL_MIN}
      most={PANEL_MAX}
      step={16}
      perPixel={() => 1}
      onChange={(width) => setPanelWidth(key, width)}
      onReset={() => resetPanelWidth(key)}
    />
  );
}
