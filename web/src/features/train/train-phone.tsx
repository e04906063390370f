import './train.css';
import { useEffect, useState } from 'preact/hooks';
import { Tabs } from '../../ui/controls.tsx';
import { jobs, liveJobs, shownJob } from '../jobs/jobs-store.ts';
import { JobsTable } from '../jobs/shared/jobs-table.tsx';
import { TrainInspector } from './train-inspector.tsx';
import { ChosenJob } from './train-main.tsx';
import { TrainPanel } from './train-panel.tsx';
import { chooseJob, chosenJob } from './train-view-store.ts';

type Tab = 'new' | 'job' | 'newest' | 'jobs';

/** The area Train on a phone. Shows one view at a time: the form, the job, the newest checkpoint, or all jobs. */
export function TrainPhone() {
  const [tab, setTab] = useState<Tab>(liveJobs.peek().some(({ kind }) => kind === 'train') ? 'job' : 'new');
  const chosen = shownJob.value;
  const [before, setBefore] = useState(chosen);
  // Switch to the job when a training starts, and when the user selects a job.
  useEffect(() => {
    if (chosen === before) return;
    setBefore(chosen);
    if (chosen !== null && before !== null) setTab('job');
  }, [chosen]);
  return (
    <main class="area-main train-phone" aria-label="Train" style={{ gridArea: 'sheet' }}>
      <Tabs
        label="Train"
        value={tab}
        tabs={[
          ['new', 'New'],
          ['job', 'Job'],
          ['newest', 'Checkpoint'],
          ['jobs', 'Jobs', jobs.value.length],
        ]}
        onChange={setTab}
      />
      {tab === 'new' && <TrainPanel />}
      {tab === 'job' && <ChosenJob />}
      {tab === 'newest' && <TrainInspector />}
      {tab === 'jobs' && (
        <JobsTable
          chosen={chosenJob.value?.name ?? null}
          onChoose={(name) => {
            chooseJob(name);
            setTab('job');
          }}
        />
      )}
    </main>
  );
}
