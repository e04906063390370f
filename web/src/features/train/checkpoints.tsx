import { useEffect, useState } from 'preact/hooks';
import type { Job, Run } from '../../../../src/protocol/schemas/jobs.ts';
import { Badge, Button, IconButton } from '../../ui/controls.tsx';
import { ago, whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { goTo } from '../../ui/layout.ts';
import { Empty } from '../../ui/states.tsx';
import { EvaluateButton } from '../evaluate/shared/evaluate-button.tsx';
import { ExportButton } from '../exports/shared/export-button.tsx';
import { isLive } from '../jobs/shared/job-list.ts';
import { openCompare } from '../play/compare-store.ts';
import { session } from '../play/session-store.ts';
import { building, configure } from '../play/setup-store.ts';
import { DeleteRun } from '../runs/shared/delete-run.tsx';
import { change } from './form-store.ts';
import { chosenRun } from './train-view-store.ts';
import { runFileUrl } from './training-launch.ts';

/** Opens the area Play with a checkpoint. The session is built in the background, and the training continues. */
export function playCheckpoint(run: string, checkpoint: string): void {
  goTo('play');
  void configure({ run, checkpoint });
}

const AGE_EVERY_MS = 10_000;

/** Lists all checkpoints of the job's run, newest first. Buttons play, resume from, and download a checkpoint. */
export function Checkpoints({ job }: { readonly job: Job }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), AGE_EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
  const run = chosenRun.value;
  if (run === null || run.checkpoints.length === 0) {
    return (
      <Empty icon="flag" title={isLive(job) ? 'No checkpoint yet' : 'No checkpoint'}>
        <p class="dim">
          {isLive(job)
            ? 'The first one is saved within the next iterations.'
            : 'The run has none, was deleted, or belongs to another robot.'}
        </p>
      </Empty>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="checkpoints" aria-label="Checkpoints" tabIndex={0}>
      <header class="checkpoints-head">
        <span class="mono dim ellipsis grow" title={run.path}>
          {run.path}
        </span>
        <EvaluateButton run={run.path} />
        <ExportButton run={run.path} />
        <DeleteRun run={run.path} reason={isLive(job) ? 'Stop the training first' : undefined} />
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">Checkpoint</th>
            <th scope="col" class="right">
              Iteration
            </th>
            <th scope="col" class="right wide-only">
              Saved
            </th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {run.checkpoints.toReversed().map((checkpoint) => (
            <Row
              key={checkpoint.name}
              run={run}
              checkpoint={checkpoint}
              saved={ago(checkpoint.modified, Math.max(now, Date.parse(checkpoint.modified)))}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  readonly run: Run;
  readonly checkpoint: Run['checkpoints'][number];
  readonly saved: string;
}

function Row({ run, checkpoint: { name, iteration }, saved }: RowProps) {
  const playing = session.value?.run === run.path && session.value.checkpoint === name;
  const busy = building.value?.run === run.path && building.value.checkpoint === name;
  return (
    <tr>
      <td>
        <span class="mono">{name}</span> {name === run.latest && <Badge kind="accent">Newest</Badge>}{' '}
        {playing && <Badge kind="ok">Playing</Badge>}
      </td>
      <td class="num right">{iteration === null ? '–' : whole(iteration)}</td>
      <td class="dim num right wide-only">{saved}</td>
      <td>
        <span class="checkpoint-acts">
          <Button small icon="play" busy={busy} onClick={() => playCheckpoint(run.path, name)}>
            Play
          </Button>
          <Button
            small
            kind="quiet"
            title="Fills in the form to resume from this checkpoint"
            onClick={() => change({ resumeRun: run.path, resumeCheckpoint: name })}
          >
            Resume
          </Button>
          <IconButton
            icon="compare"
            label={`Compare ${name}`}
            onClick={() => openCompare([{ run: run.path, checkpoint: name }])}
          />
          <a
            class="icon-btn"
            href={runFileUrl(run.path, name)}
            download={name}
            aria-label={`Download ${name}`}
            title={`Download ${name}`}
          >
            <Icon name="download" />
          </a>
        </span>
      </td>
    </tr>
  );
}
