import type { Job } from '../../../../../src/protocol/schemas/jobs.ts';
import { Progress } from '../../../ui/controls.tsx';
import { isLive } from './job-list.ts';

/** Progress bar of a job: empty while it waits; renders nothing for an ended job without progress. */
export function JobProgress({ job }: { readonly job: Job }) {
  const failed = job.status === 'failed' || job.status === 'lost';
  const share = job.status === 'queued' ? 0 : (job.progress ?? (job.status === 'done' ? 1 : null));
  if (!isLive(job) && share === null) return null;
  return (
    <span class={`job-progress${failed ? ' failed' : job.status === 'done' ? ' full' : ''}`}>
      <Progress value={share} label={`Progress of ${job.name}`} />
    </span>
  );
}
