import { useEffect } from 'preact/hooks';
import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import { call } from '../../net/api.ts';
import { runs } from '../play/setup-store.ts';

const LOOK_EVERY_MS = 2000;
let looked = Number.NEGATIVE_INFINITY;
let timer = 0;

/** Looks at the runs again soon, however often it is called. */
function lookSoon(): void {
  if (timer !== 0) return;
  timer = window.setTimeout(
    () => {
      timer = 0;
      looked = performance.now();
      void runs.refresh();
    },
    Math.max(0, looked + LOOK_EVERY_MS - performance.now()),
  );
}

/** Keeps the list of runs, and with it the checkpoints, as new as a training's progress. @param job null: nothing to do */
export function useFreshRuns(job: Job | null): void {
  useEffect(() => {
    if (job !== null) lookSoon();
  }, [job?.name, job?.step, job?.status, job?.run]);
}

/** Deletes a run with all its files. @throws what the service says is wrong */
export async function deleteRun(run: string): Promise<void> {
  await call('DELETE /api/runs', { query: { run } });
  await runs.refresh();
}
