import type { ComponentChildren } from 'preact';
import { dockView } from '../../ui/dock-state.ts';
import { Lazy } from '../../ui/lazy.tsx';
import { DockSplitter } from './dock-splitter.tsx';
import { DockTabs } from './dock-tabs.tsx';

const plotsDock = () => import('../../features/plots/plots-view.tsx').then((part) => part.PlotsDock);
const jobLog = () => import('../../features/jobs/job-log.tsx').then((part) => part.JobLog);

export interface DockProps {
  readonly transport: ComponentChildren;
  readonly timeline: ComponentChildren;
  /** what to do where there is nothing to play; null where there is */
  readonly hint: string | null;
}

/** Transport and timeline of an area that plays; a job's log takes their place, plots lie below the transport. */
export function Dock({ transport, timeline, hint }: DockProps) {
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
          {transport}
          {view === 'plots' ? (
            <Lazy load={plotsDock} what="The plots" />
          ) : (
            <div class="dock-lanes">
              {timeline}
              {hint !== null && <p class="dock-hint dim">{hint}</p>}
            </div>
          )}
        </>
      )}
    </section>
  );
}
