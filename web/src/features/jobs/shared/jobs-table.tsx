import { useState } from 'preact/hooks';
import type { Job } from '../../../../../src/protocol/schemas/jobs.ts';
import { Button, IconButton, Segmented } from '../../../ui/controls.tsx';
import { span, whole } from '../../../ui/format.ts';
import { Empty } from '../../../ui/states.tsx';
import { forgetJob, jobs, jobsError, refreshJobs, stopJob } from '../jobs-store.ts';
import { jobState } from './job-facts.ts';
import { isLive } from './job-list.ts';
import { JobProgress } from './job-progress.tsx';

type Kind = 'all' | 'train' | 'convert';
/** Maximum number of rows that are rendered. */
const SHOWN = 100;

export interface JobsTableProps {
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

/** All jobs that the service keeps, newest first. A click on a row or Enter selects its job. */
export function JobsTable({ chosen, onChoose }: JobsTableProps) {
  const [kind, setKind] = useState<Kind>('all');
  const all = jobs.value;
  const fitting = all.filter((job) => kind === 'all' || job.kind === kind);
  const error = jobsError.value;
  return (
    <section class="jobs-table" aria-labelledby="all-jobs">
      <div class="jobs-head">
        <h3 id="all-jobs">Jobs</h3>
        {(error === null || all.length > 0) && <span class="count num">{whole(all.length)}</span>}
        <span class="grow" />
        <Segmented
          label="Kind of job"
          value={kind}
          options={[
            ['all', 'All'],
            ['train', 'Training'],
            ['convert', 'Conversion'],
          ]}
          onChange={setKind}
        />
      </div>
      {error !== null && (
        <p class="jobs-error">
          <span class="err">The jobs could not be read: {error}</span>{' '}
          <Button small onClick={() => void refreshJobs()}>
            Try again
          </Button>
        </p>
      )}
      {error === null && fitting.length === 0 && (
        <Empty title={all.length === 0 ? 'Conversions and trainings are listed here.' : 'No job of this kind.'} />
      )}
      {fitting.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        <div class="jobs-scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col" class="wide-only">
                  Task or dataset
                </th>
                <th scope="col">Status</th>
                <th scope="col" class="wide-only">
                  Progress
                </th>
                <th scope="col" class="right">
                  Step
                </th>
                <th scope="col" class="right">
                  ETA
                </th>
                <th scope="col">
                  <span class="visually-hidden">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {fitting.slice(0, SHOWN).map((job) => (
                <Row key={job.name} job={job} on={job.name === chosen} onChoose={onChoose} />
              ))}
            </tbody>
          </table>
          {fitting.length > SHOWN && <p class="dim num jobs-more">and {whole(fitting.length - SHOWN)} older ones</p>}
        </div>
      )}
    </section>
  );
}

/** Returns the name that the user entered for the run of a training; `''` if none was entered. */
function runNameOf({ params }: Job): string {
  const name = params['run_name'];
  return typeof name === 'string' ? name : '';
}

interface RowProps {
  readonly job: Job;
  readonly on: boolean;
  readonly onChoose: (name: string) => void;
}

function Row({ job, on, onChoose }: RowProps) {
  const [dot, word] = jobState(job);
  const bad = job.status === 'failed' || job.status === 'lost';
  const alarm = isLive(job) && job.alarm != null;
  return (
    <tr class={on ? 'on' : ''} aria-current={on ? 'true' : undefined} onClick={() => onChoose(job.name)}>
      <td>
        <button type="button" class="job-pick ellipsis" title={job.run ?? job.name}>
          {job.name}
          {runNameOf(job) !== '' && <span class="dim"> {runNameOf(job)}</span>}
        </button>
      </td>
      <td class="dim wide-only">
        <span class="ellipsis">{job.task ?? job.dataset ?? '–'}</span>
      </td>
      <td title={job.error ?? job.alarm ?? undefined}>
        <span class="job-status">
          <span class={`dot dot-${alarm ? 'warn' : dot}`} />
          <span class={`ellipsis${bad ? ' err' : ''}`}>
            {word}
            {bad && job.error !== null ? `: ${job.error}` : alarm ? `: ${job.alarm}` : ''}
          </span>
        </span>
      </td>
      <td class="wide-only">
        <JobProgress job={job} />
      </td>
      <td class="num right">
        {job.step === null || job.steps === null ? '–' : `${whole(job.step)} / ${whole(job.steps)}`}
      </td>
      <td class="num right">{isLive(job) && job.eta !== null ? span(job.eta) : '–'}</td>
      <td class="job-act">
        {isLive(job) ? (
          <IconButton
            icon="stop"
            label={`Stop ${job.name}`}
            disabled={job.status === 'stopping'}
            onClick={() => void stopJob(job.name)}
          />
        ) : (
          <IconButton icon="close" label={`Remove ${job.name} from the list`} onClick={() => forgetJob(job.name)} />
        )}
      </td>
    </tr>
  );
}
