import { useState } from 'preact/hooks';
import { urlOf } from '../../../../src/protocol/http-client.ts';
import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import { FINAL_NOTE } from '../../net/undo.ts';
import { Badge, Button, Tabs } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { span } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Empty, Failed, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { jobs, stopJob } from '../jobs/jobs-store.ts';
import { statusWord } from '../jobs/shared/job-facts.ts';
import { isLive } from '../jobs/shared/job-list.ts';
import { JobProgress } from '../jobs/shared/job-progress.tsx';
import { ClipsTab } from './clips-tab.tsx';
import { FailuresForm } from './failures-form.tsx';
import { MarginsTab } from './margins-tab.tsx';
import { ProtocolTab } from './protocol-tab.tsx';
import type { Report, RunEvaluations } from './run-evaluations.ts';
import { SummaryTab } from './summary-tab.tsx';

/** Shows the selected evaluation: its progress while it runs, then its report. */
export function ReportView({ model }: { readonly model: RunEvaluations }) {
  const { value: report, error } = model.report.state.value;
  const name = model.shown.value;
  const listed = model.list.value?.find((one) => one.name === name) ?? null;
  const job = jobs.value.find((one) => one.name === listed?.job) ?? null;
  if (report === null) {
    if (error === null) return <Skeleton rows={8} label="Reading the evaluation" />;
    return (
      <Failed
        what="The evaluation could not be read"
        detail={error}
        onRetry={() => {
          void model.report.refresh();
        }}
      />
    );
  }
  return (
    <section aria-label={`Evaluation ${report.name}`}>
      <ReportHead model={model} report={report} job={job} />
      {report.summary.length > 0 ? (
        <ReportTabs model={model} report={report} />
      ) : (
        <Unfinished report={report} job={job} />
      )}
    </section>
  );
}

const KIND = {
  queued: 'neutral',
  running: 'accent',
  stopping: 'accent',
  done: 'ok',
  failed: 'error',
  stopped: 'neutral',
  lost: 'warning',
} as const;

function ReportHead({
  model,
  report: { name, status, run },
  job,
}: {
  readonly model: RunEvaluations;
  readonly report: Report;
  readonly job: Job | null;
}) {
  const [deleting, setDeleting] = useState(false);
  const live = job !== null && isLive(job);
  const resume = () =>
    model
      .start({ resume: name })
      .catch((failure: unknown) => toast('error', 'The evaluation could not be resumed', messageOf(failure)));
  return (
    <header class="report-head">
      <h3 class="ellipsis" title={run}>
        {name}
      </h3>
      <span role="status" aria-label="State of the evaluation">
        <Badge kind={KIND[status]}>{statusWord(status)}</Badge>
      </span>
      <span class="report-actions">
        {status === 'done' &&
          (['html', 'csv', 'json'] as const).map((format) => (
            <a
              key={format}
              class="btn btn-quiet btn-s"
              href={urlOf('GET /api/evaluations/{name}/report', { name }, { format })}
              download={`${name}.${format}`}
              title={`Download the report as ${format.toUpperCase()}`}
            >
              <Icon name="download" />
              {format.toUpperCase()}
            </a>
          ))}
        {live && (
          <Button
            small
            kind="danger"
            icon="stop"
            busy={job.status === 'stopping'}
            onClick={() => void stopJob(job.name)}
          >
            Stop
          </Button>
        )}
        {!live && status !== 'done' && !isOutdated(status, job) && (
          <Button small icon="play" onClick={() => void resume()}>
            Resume
          </Button>
        )}
        <Button small kind="quiet" icon="trash" disabled={live} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </span>
      <Dialog open={deleting} label="Delete evaluation" onClose={() => setDeleting(false)}>
        <Confirm
          title={`Delete ${name}?`}
          word="Delete evaluation"
          onClose={() => setDeleting(false)}
          run={() => model.remove(name)}
        >
          Its results are deleted. {FINAL_NOTE}
        </Confirm>
      </Dialog>
    </header>
  );
}

/** Returns whether the job has ended since the report was read. The report is then being read again. */
function isOutdated(status: Report['status'], job: Job | null): boolean {
  return job !== null && !isLive(job) && ['queued', 'running', 'stopping'].includes(status);
}

function Unfinished({ report, job }: { readonly report: Report; readonly job: Job | null }) {
  if (isOutdated(report.status, job)) return <Skeleton rows={8} label="Reading the results" />;
  if (job === null || !isLive(job))
    return (
      <Empty icon="flag" title={`The evaluation is ${statusWord(report.status).toLowerCase()}`}>
        <p class="dim">{job?.error ?? 'Resume it to get its results.'}</p>
      </Empty>
    );
  const { step, steps, eta } = job;
  return (
    <div class="evaluate-progress">
      <JobProgress job={job} />
      <p class="dim num" role="status">
        {step ?? 0} of {steps ?? '–'} episodes{eta === null ? '' : ` · ${span(eta)} left`}
      </p>
    </div>
  );
}

type Tab = 'summary' | 'clips' | 'margins' | 'data' | 'protocol';

function ReportTabs({ model, report }: { readonly model: RunEvaluations; readonly report: Report }) {
  const [tab, setTab] = useState<Tab>('summary');
  const failing = report.clips.filter(({ success }) => success < 1).length;
  return (
    <>
      <Tabs
        label="Report"
        value={tab}
        tabs={[
          ['summary', 'Summary'],
          ['clips', 'Failures', failing],
          ['margins', 'Margins'],
          ['data', 'Failures to data'],
          ['protocol', 'Protocol'],
        ]}
        onChange={setTab}
      />
      <div class="report-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'summary' && <SummaryTab report={report} />}
        {tab === 'clips' && <ClipsTab model={model} report={report} />}
        {tab === 'margins' && <MarginsTab report={report} />}
        {tab === 'data' && <FailuresForm model={model} report={report} />}
        {tab === 'protocol' && <ProtocolTab report={report} />}
      </div>
    </>
  );
}
