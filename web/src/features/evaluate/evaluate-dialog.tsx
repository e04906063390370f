import './evaluate.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ListedEvaluation } from '../../../../src/protocol/schemas/evaluation.ts';
import { call, callBytes } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { ago, fixed } from '../../ui/format.ts';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { failed, toast } from '../../ui/toasts.ts';
import { jobs } from '../jobs/jobs-store.ts';
import { statusWord } from '../jobs/shared/job-facts.ts';
import { CompareView } from './compare-view.tsx';
import { evaluateDialog } from './evaluate-dialog-store.ts';
import { EvaluateForm } from './evaluate-form.tsx';
import { ReportView } from './report-view.tsx';
import { RunEvaluations } from './run-evaluations.ts';

/** Contents of the dialog: on one side the list of the evaluations of a run, on the other a form, a report or a
 *  comparison. */
export function EvaluateDialog() {
  const request = evaluateDialog.value;
  const run = request?.run ?? null;
  const model = useMemo(
    () => (run === null ? null : new RunEvaluations(run, { call, callBytes, runSlow, toast, failed })),
    [run],
  );
  const [comparing, setComparing] = useState(false);
  useEffect(() => {
    setComparing(false);
    if (model === null) return;
    void model.list.refresh().then(() => {
      const newest = model.list.state.peek().value?.[0];
      if (newest !== undefined && model.shown.peek() === null && request?.checkpoint === undefined)
        model.show(newest.name);
    });
  }, [model]);
  // Read the list again when a job ends, because the job may have changed its evaluation.
  const states = jobs.value.map(({ kind, name, status }) => (kind === 'evaluate' ? `${name} ${status}` : '')).join();
  useEffect(() => {
    if (model === null) return;
    void model.list.refresh();
    if (model.shown.peek() !== null) void model.report.refresh();
  }, [states, model]);
  if (model === null || run === null) return null;
  const shown = model.shown.value;
  return (
    <>
      <header class="dialog-head">
        <h2 class="ellipsis" title={run}>
          Evaluations of {run.slice(run.indexOf('/') + 1)}
        </h2>
        <IconButton
          icon="close"
          label="Close"
          hint="Esc"
          onClick={() => {
            evaluateDialog.value = null;
          }}
        />
      </header>
      <div class="evaluate">
        <nav class="evaluate-list" aria-label="Evaluations">
          <div class="evaluate-acts">
            <Button
              icon="plus"
              kind={shown === null && !comparing ? 'primary' : 'default'}
              onClick={() => {
                setComparing(false);
                model.show(null);
              }}
            >
              New
            </Button>
            <Button icon="compare" disabled={!canCompare(model.list.value)} onClick={() => setComparing(true)}>
              Compare
            </Button>
          </div>
          <WithLoaded
            loaded={model.list.state.value}
            what="The evaluations could not be read"
            retry={() => void model.list.refresh()}
          >
            {(list) =>
              list.length === 0 ? (
                <Empty title="No evaluation yet" />
              ) : (
                <ul>
                  {list.map((evaluation) => (
                    <ListItem
                      key={evaluation.name}
                      evaluation={evaluation}
                      on={!comparing && shown === evaluation.name}
                      onChoose={() => {
                        setComparing(false);
                        model.show(evaluation.name);
                      }}
                    />
                  ))}
                </ul>
              )
            }
          </WithLoaded>
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
        <section class="evaluate-main" tabIndex={0} aria-label="Evaluation">
          {comparing ? (
            <CompareView model={model} />
          ) : shown === null ? (
            <EvaluateForm key={run} model={model} checkpoint={request?.checkpoint} />
          ) : (
            <ReportView model={model} key={shown} />
          )}
        </section>
      </div>
    </>
  );
}

function canCompare(list: readonly ListedEvaluation[] | null): boolean {
  const done = (list ?? []).filter(({ status }) => status === 'done');
  return done.length > 1 || done.some(({ protocol }) => protocol.checkpoints.length > 1);
}

interface ListItemProps {
  readonly evaluation: ListedEvaluation;
  readonly on: boolean;
  readonly onChoose: () => void;
}

function ListItem({ evaluation: { name, status, created, summary, protocol, job }, on, onChoose }: ListItemProps) {
  const [first] = summary;
  const progress = jobs.value.find((one) => one.name === job)?.progress ?? null;
  const figure =
    first !== undefined
      ? `${fixed(100 * first.success, 0)} %`
      : status === 'running' && progress !== null
        ? `${Math.floor(100 * progress)} %`
        : '';
  return (
    <li>
      <button type="button" class={`evaluate-item${on ? ' on' : ''}`} aria-current={on} onClick={onChoose}>
        <span class="ellipsis medium">{name}</span>
        <span class="num">{figure}</span>
        <span class="dim ellipsis">
          {status === 'done' ? '' : `${statusWord(status)} · `}
          {protocol.clips} clips × {protocol.starts} × {protocol.conditions.length} · {ago(created, Date.now())}
        </span>
      </button>
    </li>
  );
}
