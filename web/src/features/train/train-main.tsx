import './train.css';
import { useEffect } from 'preact/hooks';
import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import { Badge, type BadgeKind, Button, IconButton, Tabs } from '../../ui/controls.tsx';
import { count, span, whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { goTo, inspectorOpen, layout, showInspector, showPanel } from '../../ui/layout.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { jobTab } from '../jobs/job-tab-store.ts';
import { jobLog, jobs, jobsError, refreshJobs, showJob, shownJob, stopJob } from '../jobs/jobs-store.ts';
import { askResume } from '../jobs/resume-request-store.ts';
import { atMost, jobFigures, jobState } from '../jobs/shared/job-facts.ts';
import { isLive } from '../jobs/shared/job-list.ts';
import { JobLines } from '../jobs/shared/job-log.tsx';
import { JobProgress } from '../jobs/shared/job-progress.tsx';
import { JobsTable } from '../jobs/shared/jobs-table.tsx';
import { runs } from '../runs/runs-store.ts';
import { useFreshRuns } from '../runs/shared/use-fresh-runs.ts';
import { Checkpoints } from './checkpoints.tsx';
import { figure } from './curve-charts.ts';
import { JobSettings } from './job-settings.tsx';
import { CurvesView, type ShownCurves } from './shared/curves-view.tsx';
import { MOST_COMPARED } from './train-view.ts';
import { chooseJob, chosenJob, chosenRun, compared, toggleCompared } from './train-view-store.ts';
import { metricsUrl } from './training-launch.ts';

/** Number of lines from the end of the log that are shown for a failed job. */
const LAST_LINES = 4;

/** Shows the selected job, and below it the list of all jobs. */
export function TrainMain() {
  return (
    <>
      <ChosenJob />
      <JobsTable chosen={chosenJob.value?.name ?? null} onChoose={(name) => chooseJob(name, jobTab.peek())} />
    </>
  );
}

export function ChosenJob() {
  const job = chosenJob.value;
  useFreshRuns(job);
  useEffect(() => {
    if (job !== null && shownJob.value === null) showJob(job.name);
  }, [job?.name, shownJob.value]);
  if (job === null) {
    const trained = runs.value?.length ?? 0;
    return (
      <section class="train-job" aria-label="Job">
        <div class="train-head">
          <h2>{jobsError.value === null ? 'No job yet' : 'Jobs'}</h2>
          <span class="grow" />
          <SideButtons />
        </div>
        {jobsError.value !== null ? (
          <Failed what="The jobs could not be read" detail={jobsError.value} onRetry={() => void refreshJobs()} />
        ) : (
          <Empty icon="train" title={trained > 0 ? 'No training in the list of jobs' : 'Nothing has been trained yet'}>
            <p class="dim">Start a training on the left. It continues without this page, and its curves appear here.</p>
            {trained > 0 && (
              <Button kind="outline" icon="table" onClick={() => goTo('runs')}>
                Show {count(trained, 'run')}
              </Button>
            )}
          </Empty>
        )}
      </section>
    );
  }
  return (
    <section class="train-job" aria-label={`Job ${job.name}`}>
      <JobTop job={job} />
      <JobBody job={job} />
    </section>
  );
}

const BADGE: Readonly<Record<string, BadgeKind>> = {
  accent: 'accent',
  ok: 'ok',
  err: 'error',
  warn: 'warning',
  hollow: 'neutral',
  square: 'neutral',
};

/** @param rate iterations per second */
function pace(rate: number): string {
  return rate < 1 ? `${figure(1 / rate)} s an iteration` : `${figure(rate)} iterations/s`;
}

/** Returns whether a running training has made all of its iterations. */
function isAtEnd({ step, steps }: Job): boolean {
  return step !== null && step === steps;
}

/** Formats the progress of a running training, such as `Iteration 254 of 300 · 1.2 iterations/s · 58 s left`. For other
 *  jobs, returns the text of `jobFigures`. */
function figuresOf(job: Job): string {
  if (job.kind !== 'train' || !isLive(job)) return jobFigures(job, Date.now());
  const parts = [
    job.step === null || job.steps === null ? null : `Iteration ${whole(job.step)} of ${whole(job.steps)}`,
    isAtEnd(job) ? 'evaluating the best policies' : job.rate === null || job.rate <= 0 ? null : pace(job.rate),
    job.eta === null ? null : `${atMost(job)}${span(job.eta)} left`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/** Formats the place of a job among those that wait for the same launcher, such as `Queued, 2nd of 3`. */
function queueText(job: Job): string {
  const waiting = jobs.value.filter(({ status, launcher }) => status === 'queued' && launcher === job.launcher);
  const place = waiting.filter(({ created }) => created < job.created).length + 1;
  return `Queued, ${place} of ${waiting.length}`;
}

/** Describes a job without figures. */
function stateText(job: Job): string | null {
  if (job.status === 'queued') return queueText(job);
  return neverStarted(job) ? 'It ended before it started' : job.run;
}

/** Returns whether a job ended before its processes started. */
function neverStarted(job: Job): boolean {
  return !isLive(job) && job.started === null;
}

/** Returns whether a training that ended early has a checkpoint to continue from. */
function canResume({ kind, run, status }: Job): boolean {
  if (kind !== 'train' || !['stopped', 'lost', 'failed'].includes(status)) return false;
  return (runs.value?.find(({ path }) => path === run)?.checkpoints.length ?? 0) > 0;
}

/** Shows the last lines of the log of a failed job. */
function LastLines({ job }: { readonly job: Job }) {
  const log = jobLog.value;
  const lines = log?.job === job.name ? log.lines.filter((line) => line.trim() !== '').slice(-LAST_LINES) : [];
  return lines.length === 0 ? null : <pre class="mono train-last-lines">{lines.join('\n')}</pre>;
}

function JobTop({ job }: { readonly job: Job }) {
  const [dot, word] = jobState(job);
  return (
    <>
      <div class="train-head">
        <div class="train-title">
          <h2 class="ellipsis" title={job.name}>
            {job.name}
          </h2>
          <span role="status" aria-label="State of the job">
            <Badge kind={BADGE[dot] ?? 'neutral'}>{word}</Badge>
          </span>
          <p class="dim num ellipsis">{figuresOf(job) || stateText(job)}</p>
        </div>
        {job.run !== null && (
          <a class="btn btn-quiet" href={metricsUrl(job.run)} target="_blank" rel="noreferrer">
            <Icon name="window" />
            Metrics
          </a>
        )}
        {canResume(job) && (
          <Button icon="reset" onClick={() => askResume(job.run ?? '')}>
            Resume
          </Button>
        )}
        {isLive(job) && (
          <Button
            kind="danger"
            icon="stop"
            busy={job.status === 'stopping'}
            title="Stops the job; a training saves a checkpoint first"
            onClick={() => void stopJob(job.name)}
          >
            {job.status === 'stopping' ? 'Stopping' : 'Stop'}
          </Button>
        )}
        <SideButtons />
      </div>
      <div class="train-progress">
        <JobProgress job={job} />
      </div>
      {isLive(job) && job.alarm != null && (
        <p class="note note-warn train-note" role="alert">
          <Icon name="warn" />
          <span class="grow">{job.alarm}</span>
        </p>
      )}
      {job.error !== null && (
        <p class={`note train-note ${isLive(job) ? 'note-warn' : 'note-err'}`} role={isLive(job) ? 'status' : 'alert'}>
          <Icon name="warn" />
          <span class="grow">
            {job.error}
            {!isLive(job) && <LastLines job={job} />}
          </span>
          {jobTab.value !== 'log' && (
            <Button
              small
              onClick={() => {
                jobTab.value = 'log';
              }}
            >
              Show log
            </Button>
          )}
        </p>
      )}
    </>
  );
}

function JobBody({ job }: { readonly job: Job }) {
  if (job.kind !== 'train') {
    return (
      <div class="train-body">
        <JobLines />
      </div>
    );
  }
  const tab = jobTab.value;
  return (
    <>
      <Tabs
        label="Job"
        value={tab}
        tabs={[
          ['curves', 'Curves'],
          ['log', 'Log'],
          ['settings', 'Settings'],
          ['checkpoints', 'Checkpoints', chosenRun.value?.checkpoints.length ?? 0],
        ]}
        onChange={(next) => {
          jobTab.value = next;
        }}
      />
      <div class="train-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'curves' && <JobCurves job={job} />}
        {tab === 'log' && <JobLines />}
        {tab === 'settings' && <JobSettings job={job} />}
        {tab === 'checkpoints' && <Checkpoints job={job} />}
      </div>
    </>
  );
}

/** Says why a training has no curves. */
function noCurvesText(job: Job): string {
  if (job.status === 'queued') return 'The training waits for its turn';
  if (isLive(job)) return 'The first iteration has not finished yet';
  return (job.step ?? 0) > 0 ? 'The run has no curves in this group' : 'The training ended before its first iteration';
}

function JobCurves({ job }: { readonly job: Job }) {
  const list = runs.value ?? [];
  const others = list.filter(({ path, format }) => path !== job.run && format !== 'deploy');
  const beside = compared.value.filter((path) => path !== job.run && list.some((run) => run.path === path));
  const sources: readonly ShownCurves[] = [
    { key: `job ${job.name}`, label: job.name, job: job.name, run: null },
    ...beside.map((path) => ({ key: path, label: path.slice(path.indexOf('/') + 1), job: null, run: path })),
  ];
  return (
    <CurvesView
      sources={sources}
      until={isLive(job) ? (job.steps ?? 0) : 0}
      empty={noCurvesText(job)}
      tools={
        <Menu
          label="Compare with other runs"
          named
          end
          buttonClass="btn btn-quiet"
          button={
            <>
              <Icon name="plus" />
              {beside.length === 0 ? 'Compare' : `Compare ${beside.length}`}
            </>
          }
        >
          {others.length === 0 && (
            <MenuItem disabled onSelect={() => {}}>
              No other run yet
            </MenuItem>
          )}
          {others.map(({ path, run }) => (
            <MenuItem
              key={path}
              checked={beside.includes(path)}
              disabled={!beside.includes(path) && beside.length >= MOST_COMPARED - 1}
              onSelect={() => toggleCompared(path)}
            >
              <span class="menu-check">{beside.includes(path) && <Icon name="check" />}</span>
              <span class="ellipsis grow">{run}</span>
            </MenuItem>
          ))}
        </Menu>
      }
    />
  );
}

function SideButtons() {
  const size = layout.value;
  if (size === 'phone' || (size === 'wide' && inspectorOpen.value)) return null;
  return (
    <>
      {size === 'narrow' && <IconButton icon="list" label="New training" onClick={() => showPanel(true)} />}
      <IconButton icon="panel" label="Show the newest checkpoint" onClick={() => showInspector(true)} />
    </>
  );
}
