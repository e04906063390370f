import { useEffect } from 'preact/hooks';
import type { Job } from '../../../../../src/protocol/schemas/jobs.ts';
import { refreshSoon } from '../runs-store.ts';

/** Reads the runs again whenever a training advances, because it may have written a checkpoint. @param job the training
 *  to follow; null: none */
export function useFreshRuns(job: Job | null): void {
  useEffect(() => {
    if (job !== null) refreshSoon();
  }, [job?.name, job?.step, job?.status, job?.run]);
}
