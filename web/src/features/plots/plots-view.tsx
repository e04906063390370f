import './shared/plots.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Lazy } from '../../ui/lazy.tsx';
import { plotsOf } from '../../ui/plots-shown.ts';
import { Empty, Failed, Skeleton } from '../../ui/states.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { isOpen } from '../data/preview-store.ts';
import { ChannelTree } from './channel-tree.tsx';
import { ChartStack } from './chart-stack.tsx';
import { charts, hasSubject, one, plots, retryPlots, tableShown, usePlots } from './plots-store.ts';
import { type PlotsMode, PlotsToolbar } from './plots-toolbar.tsx';

const plotsTable = () => import('./plots-table.tsx').then((part) => part.PlotsTable);

/** Below `TREE_PX` the tree is an overlay that a button opens; below `VALUES_PX` the values are under the charts. */
const TREE_PX = 760;
const VALUES_PX = 520;

/** Plots in the dock, below the transport. */
export function PlotsDock() {
  return <PlotsView mode="dock" />;
}

/** Plots in a phone's sheet. */
export function PlotsSheet() {
  return <PlotsView mode="phone" />;
}

/** The plots of the open clip or environment: channel tree, charts, values at the playhead. */
export function PlotsView({ mode }: { readonly mode: PlotsMode }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [treeWanted, setTreeWanted] = useState(false);
  useEffect(usePlots, []);
  const { data, loading, error } = plots.value;
  const beside = width >= TREE_PX;
  const tree = beside || treeWanted;
  const narrow = width < VALUES_PX;
  const all = charts.value;
  const shown =
    mode === 'phone'
      ? all.filter(({ key }, k) => (all.some((c) => c.key === one.value) ? key === one.value : k === 0))
      : all;
  return (
    <div class={`plots plots-${mode}${beside ? '' : ' tree-over'}${narrow ? ' narrow' : ''}`} ref={box}>
      <h2 class="visually-hidden">Channels and charts</h2>
      {data !== null && tree && <ChannelTree data={data} />}
      <div class="plots-main">
        <PlotsToolbar
          mode={mode}
          data={data}
          loading={loading}
          shown={shown}
          tree={beside ? null : treeWanted}
          onTree={() => setTreeWanted(!treeWanted)}
        />
        {data === null ? (
          <Without error={error} />
        ) : shown.length === 0 ? (
          <Empty icon="plots" title="No channel is shown">
            <p class="dim">Select one in the list of channels.</p>
          </Empty>
        ) : tableShown.value ? (
          <Lazy load={plotsTable} what="The table" />
        ) : (
          width > 0 && <ChartStack data={data} shown={shown} beside={!narrow} />
        )}
      </div>
    </div>
  );
}

function Without({ error }: { readonly error: string | null }) {
  if (error !== null) return <Failed what="The plots could not be read" detail={error} onRetry={retryPlots} />;
  if (hasSubject.value) return <Skeleton rows={6} label="Loading the plots" />;
  if (plotsOf.value === 'play') {
    return (
      <Empty icon="plots" title="No session">
        <p class="dim">Play a policy to plot the data of its robots.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="plots" title={isOpen.value ? 'More than one clip is open' : 'No clip open'}>
      <p class="dim">
        {isOpen.value ? 'Plots show a single clip. Open one of them.' : 'Open a clip to plot its channels.'}
      </p>
    </Empty>
  );
}
