import './tasks.css';
import { useEffect, useState } from 'preact/hooks';
import { Tabs } from '../../ui/controls.tsx';
import { chosen } from './drafts-store.ts';
import { changes } from './editor-store.ts';
import { TasksEditor } from './tasks-editor.tsx';
import { TasksInspector } from './tasks-inspector.tsx';
import { TasksPanel } from './tasks-panel.tsx';

type Tab = 'tasks' | 'editor' | 'draft';

/** The area Tasks on a phone. Shows the list, the editor or the changes, one at a time. */
export function TasksPhone() {
  const [tab, setTab] = useState<Tab>('tasks');
  const now = chosen.value;
  // Open the editor when the user selects an item, but not for the item that was selected before the page opened.
  const [before] = useState(now);
  useEffect(() => {
    if (now !== null && now !== before && now.kind !== 'task') setTab('editor');
  }, [now]);
  return (
    <main class="area-main" aria-label="Tasks" style={{ gridArea: 'sheet' }}>
      <Tabs
        label="Tasks"
        value={tab}
        tabs={[
          ['tasks', 'Tasks'],
          ['editor', 'Editor'],
          ['draft', 'Changes', changes.value.length],
        ]}
        onChange={setTab}
      />
      <p class="task-note dim">Presets are easier to edit on a larger screen.</p>
      {tab === 'tasks' && <TasksPanel />}
      {tab === 'editor' && <TasksEditor />}
      {tab === 'draft' && <TasksInspector />}
    </main>
  );
}
