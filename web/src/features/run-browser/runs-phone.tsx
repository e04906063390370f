import { useState } from 'preact/hooks';
import { Tabs } from '../../ui/controls.tsx';
import { RunInspector } from './run-inspector.tsx';
import { RunsMain } from './runs-main.tsx';
import { RunsPanel } from './runs-panel.tsx';

type Tab = 'list' | 'filter' | 'run';

/** The area Runs on a phone. Shows the table, the filters or the selected run, one at a time. */
export function RunsPhone() {
  const [tab, setTab] = useState<Tab>('list');
  return (
    <main class="area-main" aria-label="Runs" style={{ gridArea: 'sheet' }}>
      <Tabs
        label="Runs"
        value={tab}
        tabs={[
          ['list', 'Runs'],
          ['filter', 'Filter'],
          ['run', 'Run'],
        ]}
        onChange={setTab}
      />
      {tab === 'list' && <RunsMain />}
      {tab === 'filter' && <RunsPanel />}
      {tab === 'run' && <RunInspector />}
    </main>
  );
}
