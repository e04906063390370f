import type { Job } from '../../../../../src/protocol/schemas/jobs.ts';
import { Button, IconButton } from '../../../ui/controls.tsx';
import { ago } from '../../../ui/format.ts';
import { forgetJob, jobs, jobsError, refreshJobs, stopJob } from '../jobs-store.ts';
import { openJob } from '../open-job.ts';
import { JOB_KIND, jobFigures, jobState } from './job-facts.ts';
import { isLive } from './job-list.ts';
import { JobProgress } from './job-progress.tsx';

const SHOWN = 20;

/** All jobs that the service keeps. @param now current time of the page's clock, ms */
export function JobsSection({ now }: { readonly now: number }) {
  const all = jobs.value;
  const error = jobsError.value;
  return (
    <section class="section" aria-labelledby="jobs-title">
      <h3 id="jobs-title">Jobs</h3>
      {error !== null && (
        <p class="dim pad-x jobs-error">
          <span class="err">The jobs could not be read: {error}</span>{' '}
          <Button small onClick={() => void refreshJobs()}>
            Try again
          </Button>
        </p>
      )}
      {error === null && all.length === 0 && <p class="dim pad-x">Conversions and trainings are listed here.</p>}
      <ul class="tasks">
        {all.slice(0, SHOWN).map((job) => (
          <JobRow key={job.name} job={job} now={now} />
        ))}
      </ul>
      {all.length > SHOWN && <p class="dim pad-x num">and {all.length - SHOWN} older ones</p>}
    </section>
  );
}

function JobRow({ job, now }: { readonly job: Job; readonly now: number }) {
  const [dot, word] = jobState(job);
  const live = isLive(job);
  return (
    <li>
      <div class="task-row">
        <span class={`dot dot-${dot}`} />
        <button
          type="button"
          class="link ellipsis grow job-link"
          title="Show its log"
          onClick={() => openJob(job.name)}
        >
          {job.name}
        </button>
        <span class={job.status === 'failed' || job.status === 'lost' ? 'err' : 'dim'}>{word}</span>
        <span class="dim num task-when">{ago(job.ended ?? job.started ?? job.created, now)}</span>
        {live ? (
          <IconButton
            icon="stop"
            label={`Stop ${job.name}`}
            disabled={job.status === 'stopping'}
            onClick={() => void stopJob(job.name)}
          />
        ) : (
          <IconButton icon="close" label={`Remove ${job.name} from the list`} onClick={() => forgetJob(job.name)} />
        )}
      </div>
      {live && <JobProgress job={job} />}
      <p class="dim num">
        {[JOB_KIND[job.kind], job.dataset, jobFigures(job, now)]
          .filter((part) => part !== null && part !== '')
          .join(' · ')}
      </p>
      {job.error !== null && <p class="err">{job.error}</p>}
    </li>
  );
}
