import { useState } from 'preact/hooks';
import { urlOf } from '../../../../../src/protocol/http-client.ts';
import type { Job } from '../../../../../src/protocol/schemas/jobs.ts';
import { copyText } from '../../../ui/clipboard.ts';
import { Button, IconButton, Segmented } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { LogBox, LogSearch } from '../../../ui/log-box.tsx';
import { Empty, Failed, Skeleton } from '../../../ui/states.tsx';
import { jobLog, jobs, showJob, shownJob, stopJob } from '../jobs-store.ts';
import { jobFigures, jobState } from './job-facts.ts';
import { isLive } from './job-list.ts';
import { parseLogLine } from './job-log-line.ts';
import { JobProgress } from './job-progress.tsx';

/** The header and the log of the selected job. */
export function JobLog() {
  return <ShownLog bare={false} />;
}

/** The log of the selected job without the header. */
export function JobLines() {
  return <ShownLog bare />;
}

function ShownLog({ bare }: { readonly bare: boolean }) {
  const name = shownJob.value;
  const job = jobs.value.find((one) => one.name === name);
  if (name === null || job === undefined) return <Empty title="No job is chosen" />;
  return (
    <div class="job-log">
      <Lines job={job} bare={bare} />
    </div>
  );
}

function JobHead({ job }: { readonly job: Job }) {
  const [dot, word] = jobState(job);
  return (
    <div class="job-head">
      <span class={`dot dot-${dot}`} />
      <span class="semi ellipsis">{job.name}</span>
      <span class="dim num" role="status" aria-label="Job">
        {word} {jobFigures(job, Date.now())}
      </span>
      {isLive(job) && (
        <Button
          small
          icon="stop"
          kind="outline"
          busy={job.status === 'stopping'}
          onClick={() => void stopJob(job.name)}
        >
          {job.status === 'stopping' ? 'Stopping' : 'Stop'}
        </Button>
      )}
    </div>
  );
}

function Lines({ job, bare }: { readonly job: Job; readonly bare: boolean }) {
  const [only, setOnly] = useState<'all' | 'errors'>('all');
  const [text, setText] = useState('');
  const log = jobLog.value;
  const lines = (log?.lines ?? []).map(parseLogLine);
  const timed = lines.some((line) => line.time !== null);
  const errors = lines.filter((line) => line.level === 'error').length;
  const needle = text.trim().toLowerCase();
  const shown = lines.filter(
    (line) => (only === 'all' || line.level === 'error') && (needle === '' || line.text.toLowerCase().includes(needle)),
  );
  return (
    <>
      <div class="job-bar">
        {!bare && <JobHead job={job} />}
        {bare && <span class="grow" />}
        <LogSearch value={text} onInput={setText} />
        <Segmented
          label="Lines"
          value={only}
          options={[
            ['all', 'All'],
            ['errors', 'Errors', errors],
          ]}
          onChange={setOnly}
        />
        <IconButton
          icon="copy"
          label="Copy log"
          disabled={shown.length === 0}
          onClick={() => void copyText((log?.lines ?? []).join('\n'), 'Log')}
        />
        <a
          class="icon-btn"
          href={urlOf('GET /api/jobs/{name}/log', { name: job.name }, {})}
          download={`${job.name}.log`}
          aria-label="Download the whole log"
          title="Download the whole log"
        >
          <Icon name="download" />
        </a>
        {isLive(job) && !bare && <JobProgress job={job} />}
      </div>
      {job.error !== null && !bare && (
        <p class="note note-err job-error">
          <Icon name="warn" />
          <span>{job.error}</span>
        </p>
      )}
      <LogBox label={`Log of ${job.name}`} class={timed ? '' : 'untimed'} end={`${shown.length} ${log?.lines.at(-1)}`}>
        {shown.map((line, k) => (
          <div key={k} class={`log-line job-line log-${line.level}`}>
            {timed && <span class="faint">{line.time ?? ''}</span>}
            <span class="log-level">{line.level}</span>
            <span class="log-message">{line.text}</span>
          </div>
        ))}
        {shown.length === 0 && log?.loading === true && <Skeleton rows={4} label="Loading the log" />}
        {shown.length === 0 && log?.loading === false && log.error === null && (
          <Empty title={lines.length === 0 ? 'Nothing was logged yet.' : 'No line matches.'} />
        )}
        {log !== null && log.error !== null && (
          <Failed what="The log could not be read" detail={log.error} onRetry={() => showJob(job.name)} />
        )}
      </LogBox>
    </>
  );
}
