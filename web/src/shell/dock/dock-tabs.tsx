import { shownJob } from '../../features/jobs/jobs-store.ts';
import { IconButton, Tabs } from '../../ui/controls.tsx';
import type { DockView } from '../../ui/dock-layout.ts';
import { dockView } from '../../ui/dock-state.ts';

/** Tabs for the contents of the dock and the button that returns to the timeline. */
export function DockTabs({ view }: { readonly view: DockView }) {
  const job = shownJob.value;
  return (
    <div class="dock-tabs">
      <Tabs
        label="Dock"
        value={view}
        tabs={[['timeline', 'Timeline'], ['plots', 'Plots'], ...(job === null ? [] : ([['job', 'Job log']] as const))]}
        onChange={(next) => {
          dockView.value = next;
        }}
      />
      <IconButton icon="close" label="Close" onClick={() => (dockView.value = 'timeline')} />
    </div>
  );
}
