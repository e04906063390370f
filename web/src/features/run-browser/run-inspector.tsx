import './run-browser.css';
import { useEffect, useState } from 'preact/hooks';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import { Button } from '../../ui/controls.tsx';
import { dateTime, span } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { goTo } from '../../ui/layout.ts';
import { Empty } from '../../ui/states.tsx';
import { EvaluateButton } from '../evaluate/shared/evaluate-button.tsx';
import { ExportButton } from '../exports/shared/export-button.tsx';
import { jobs } from '../jobs/jobs-store.ts';
import { isLive } from '../jobs/shared/job-list.ts';
import { configure } from '../play/setup-store.ts';
import { DeleteRun } from '../runs/shared/delete-run.tsx';
import { change } from '../train/form-store.ts';
import { chosenRun, mark } from './run-browser-store.ts';

/** Shows the selected run: its actions, its note and tags, and its facts. */
export function RunInspector() {
  const run = chosenRun.value;
  if (run === null) return <Empty icon="flag" title="No run is selected" />;
  return <Inspected key={run.path} run={run} />;
}

function Inspected({ run }: { readonly run: Run }) {
  const live = jobs.value.some((job) => job.run === run.path && isLive(job));
  const play = () => {
    goTo('play');
    void configure({ run: run.path });
  };
  const resume = () => {
    goTo('train');
    change({ resumeRun: run.path, resumeCheckpoint: '' });
  };
  return (
    <>
      <header class="pane-head">
        <h2 class="ellipsis" title={run.path}>
          {run.run}
        </h2>
      </header>
      <section class="pane-body run-inspector" aria-label="Run">
        {run.unplayable !== null && (
          <p class="note note-warn">
            <Icon name="warn" />
            <span>Cannot be played: {run.unplayable}</span>
          </p>
        )}
        <div class="run-acts">
          <Button small kind="primary" icon="play" disabled={run.unplayable !== null} onClick={play}>
            Play
          </Button>
          <Button
            small
            kind="outline"
            disabled={run.format === 'deploy' || run.checkpoints.length === 0 || live}
            title={live ? 'The training is running' : 'Fills in the form of Train to continue this run'}
            onClick={resume}
          >
            Resume
          </Button>
          <EvaluateButton run={run.path} />
          {run.unplayable === null && <ExportButton run={run.path} />}
          <DeleteRun run={run.path} reason={live ? 'Stop the training first' : undefined} />
        </div>
        <Marks run={run} />
        <Facts run={run} />
      </section>
    </>
  );
}

/** Fields for the note and the tags of a run. Each is saved when it loses the focus. */
function Marks({ run }: { readonly run: Run }) {
  const [note, setNote] = useState(run.note);
  const [tags, setTags] = useState(run.tags.join(', '));
  useEffect(() => setNote(run.note), [run.note]);
  useEffect(() => setTags(run.tags.join(', ')), [run.tags.join()]);
  const saveTags = () => {
    const list = [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
    if (list.join() !== run.tags.join()) void mark({ run: run.path, tags: list });
  };
  return (
    <div class="run-marks">
      <label>
        <span class="dim">Tags, separated by commas</span>
        <span class="field">
          <input value={tags} onInput={(event) => setTags(event.currentTarget.value)} onBlur={saveTags} />
        </span>
      </label>
      <label>
        <span class="dim">Note</span>
        <textarea
          rows={4}
          maxLength={4000}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
          onBlur={() => note !== run.note && void mark({ run: run.path, note })}
        />
      </label>
    </div>
  );
}

function Facts({ run }: { readonly run: Run }) {
  const { score } = run;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Task', run.task],
    ['Dataset', run.dataset],
    ['Score', score && `${score.tracked_s.toFixed(2)} of ${score.horizon_s.toFixed(2)} s tracked`],
    ['Whole episodes', score && `${Math.round(100 * score.success)} %`],
    ['Key body error', score && `${(100 * score.body_pos).toFixed(1)} cm`],
    ['Measured by', score?.by ?? null],
    ['Trained', run.minutes === null ? null : span(60 * run.minutes)],
    ['Started from', run.started_from],
    ['Checkpoints', String(run.checkpoints.length)],
    ['Newest', run.latest],
    ['Created', dateTime(run.created)],
    ['Format', run.format],
    ['Robot', run.robot],
  ];
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="num ellipsis" title={value ?? ''}>
              {value}
            </dd>
          </div>
        ))}
    </dl>
  );
}
