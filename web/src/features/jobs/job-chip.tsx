import { Progress } from '../../ui/controls.tsx';
import { whole } from '../../ui/format.ts';
import { goTo, layout } from '../../ui/layout.ts';
import { jobs, liveJobs } from './jobs-store.ts';
import { openJob } from './open-job.ts';
import { overallProgress } from './shared/job-list.ts';

/** A button in the top bar that shows the running jobs with their progress. */
export function JobChip() {
  const live = liveJobs.value;
  const newest = live[0];
  if (newest === undefined) {
    const failed = jobs.value[0]?.status === 'failed' || jobs.value[0]?.status === 'lost' ? jobs.value[0] : undefined;
    if (failed === undefined) {
      return layout.value === 'wide' ? (
        <span class="top-btn still">
          <span class="dot dot-hollow" />
          <span class="dim">No jobs running</span>
        </span>
      ) : null;
    }
    return (
      <button type="button" class="top-btn" title={failed.error ?? failed.name} onClick={() => openJob(failed.name)}>
        <span class="dot dot-err" />
        <span class="err medium">1 failed</span>
      </button>
    );
  }
  const one = live.length === 1;
  return (
    <button
      type="button"
      class="top-btn busy-chip"
      aria-label={`Running: ${live.map((job) => job.name).join(', ')}`}
      title={live.map((job) => job.name).join(', ')}
      onClick={() => (one ? openJob(newest.name) : goTo('status'))}
    >
      <span class="dim ellipsis">
        {one ? (newest.kind === 'convert' ? 'Converting' : newest.name) : `${whole(live.length)} jobs`}
      </span>
      {one && newest.step !== null && newest.steps !== null && (
        <span class="medium num">
          {whole(newest.step)} / {whole(newest.steps)}
        </span>
      )}
      <Progress value={overallProgress(live)} label={one ? newest.name : 'Jobs'} />
    </button>
  );
}

/** The progress of the newest running job, for narrow windows. */
export function JobDot() {
  const newest = liveJobs.value[0];
  if (newest === undefined) return null;
  return (
    <button type="button" class="top-btn" aria-label={`Show ${newest.name}`} onClick={() => openJob(newest.name)}>
      <span class="dot dot-accent" />
      <span class="num">{newest.progress === null ? 'Running' : `${Math.round(100 * newest.progress)} %`}</span>
    </button>
  );
}
