import { DOCK_MAX, DOCK_MIN } from '../../ui/dock-layout.ts';
import { dockShare, resetDockShare, setDockShare } from '../../ui/dock-state.ts';
import { Edge } from '../../ui/edge.tsx';

/** Upper edge of an enlarged dock; drags change its share of the page's height. */
export function DockSplitter() {
  return (
    <Edge
      label="Height of the dock"
      class="dock-splitter"
      axis="y"
      value={dockShare.value}
      least={DOCK_MIN}
      most={DOCK_MAX}
      step={0.04}
      perPixel={() => -1 / window.innerHeight}
      spoken={100}
      onChange={setDockShare}
      onReset={resetDockShare}
    />
  );
}
