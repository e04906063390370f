import { jobs, stopJob } from '../features/jobs/jobs-store.ts';
import { openJob } from '../features/jobs/open-job.ts';
import { isLive } from '../features/jobs/shared/job-list.ts';
import { showCurves } from '../features/run-browser/run-browser-store.ts';
import { runs } from '../features/runs/runs-store.ts';
import { chosen } from '../features/tasks/drafts-store.ts';
import { presets } from '../features/tasks/presets-store.ts';
import type { IconName } from '../ui/icon.tsx';
import { goTo } from '../ui/layout.ts';

interface Entry {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  readonly kind: string;
  readonly run: () => void;
}

/** Returns the entries of the command palette that open a task, a module, a job or a run. */
export function namedEntries(): readonly Entry[] {
  const taskEntries = (presets.state.value.value?.tasks ?? [])
    .filter(({ preset }) => preset === null)
    .map(
      ({ name }): Entry => ({
        id: `task:${name}`,
        icon: 'tasks',
        text: name,
        kind: 'Task',
        run: () => {
          goTo('tasks');
          chosen.value = { kind: 'task', name };
        },
      }),
    );
  const moduleEntries = (presets.state.value.value?.modules ?? []).map(
    ({ name }): Entry => ({
      id: `module:${name}`,
      icon: 'tasks',
      text: name,
      kind: 'Module',
      run: () => {
        goTo('tasks');
        chosen.value = { kind: 'module', name };
      },
    }),
  );
  return [...taskEntries, ...moduleEntries, ...jobEntries(), ...runEntries()];
}

function jobEntries(): readonly Entry[] {
  return jobs.peek().flatMap((job): Entry[] => {
    const open: Entry = {
      id: `job:${job.name}`,
      icon: 'list',
      text: job.name,
      kind: 'Job',
      run: () => openJob(job.name),
    };
    if (!isLive(job)) return [open];
    const stop = () => void stopJob(job.name);
    return [open, { id: `stop:${job.name}`, icon: 'stop', text: `Stop ${job.name}`, kind: 'Command', run: stop }];
  });
}

function runEntries(): readonly Entry[] {
  return (runs.state.peek().value ?? []).map(
    ({ path, run: name }): Entry => ({
      id: `run:${path}`,
      icon: 'table',
      text: name,
      kind: 'Run',
      run: () => showCurves(path),
    }),
  );
}
