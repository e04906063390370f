import '../../../styles/play.css';
import { useEffect } from 'preact/hooks';
import { Lazy } from '../../../parts/lazy.tsx';
import { useRecord } from '../../../service/play/record.ts';
import { isLive } from '../../../service/play/session.ts';
import { DockSplitter } from '../../../shell/dock-splitter.tsx';
import { DockTabs } from '../../../shell/dock-tabs.tsx';
import { dockView } from '../../../state/dock.ts';
import { PlayTimeline } from './play-timeline.tsx';
import { PlayTransport } from './play-transport.tsx';

const plotsDock = () => import('../../plots/plots-view.tsx').then((part) => part.PlotsDock);
const jobLog = () => import('../../jobs/job-log.tsx').then((part) => part.JobLog);

/** Transport and the last minute of the focused environment; plots lie below the transport. */
export function PlayDock() {
  useEffect(useRecord, []);
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
          <PlayTransport />
          {view === 'plots' ? (
            <Lazy load={plotsDock} what="The plots" />
          ) : (
            <div class="dock-lanes">
              <PlayTimeline />
              {!isLive.value && <p class="dock-hint dim">Play a policy to see its last minute here.</p>}
            </div>
          )}
        </>
      )}
    </section>
  );
}
