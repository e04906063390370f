import { areaSpec, type LoadPart, type Player } from '../../features/areas.ts';
import { dockView } from '../../ui/dock-state.ts';
import { area } from '../../ui/layout.ts';
import { Lazy } from '../../ui/lazy.tsx';
import { DockSplitter } from './dock-splitter.tsx';
import { DockTabs } from './dock-tabs.tsx';

const plotsDock: LoadPart = () => import('../../features/plots/plots-view.tsx').then((part) => part.PlotsDock);
const jobLog: LoadPart = () => import('../../features/jobs/shared/job-log.tsx').then((part) => part.JobLog);

/** The dock of the current area: a log, or transport and timeline. */
export function Dock() {
  const { dock } = areaSpec(area.value);
  if (dock === undefined) return null;
  if (dock.kind === 'log') return <Lazy key={area.value} load={dock.load} what="The log" quiet />;
  return <PlayerDock key={area.value} dock={dock} />;
}

/** Transport and timeline. A job's log replaces both; plots replace the timeline. */
function PlayerDock({ dock }: { readonly dock: Player }) {
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
          <Lazy load={dock.transport} what="The transport" quiet />
          {view === 'plots' ? (
            <Lazy load={plotsDock} what="The plots" />
          ) : (
            <div class="dock-lanes">
              <Lazy load={dock.timeline} what="The timeline" quiet />
            </div>
          )}
        </>
      )}
    </section>
  );
}
