import { Lazy } from '../../../parts/lazy.tsx';
import { isOpen } from '../../../service/preview.ts';
import { DockSplitter } from '../../../shell/dock-splitter.tsx';
import { DockTabs } from '../../../shell/dock-tabs.tsx';
import { dockView } from '../../../state/dock.ts';
import { Timeline } from './timeline.tsx';
import { Transport } from './transport.tsx';

const plotsDock = () => import('../../plots/plots-view.tsx').then((part) => part.PlotsDock);
const jobLog = () => import('../../jobs/job-log.tsx').then((part) => part.JobLog);

/** Transport and timeline; a job's log takes their place, plots lie below the transport. */
export function DataDock() {
  const view = dockView.value;
  return (
    <section class={`dock dock-${view}`} aria-label="Playback" style={{ gridArea: 'dock' }}>
      {view !== 'timeline' && <DockSplitter />}
      {view === 'job' ? (
        <>
          <DockTabs view={view} />
          <Lazy load={jobLog} what="The log" />
        </>
      ) : (
        <>
          <Transport />
          {view === 'plots' ? (
            <Lazy load={plotsDock} what="The plots" />
          ) : (
            <div class="dock-lanes">
              <Timeline />
              {!isOpen.value && <p class="dock-hint dim">Open a clip to play it.</p>}
            </div>
          )}
        </>
      )}
    </section>
  );
}
