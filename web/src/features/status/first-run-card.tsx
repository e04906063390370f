import { owner } from '../../net/scene-owner.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Badge, Button, IconButton } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { count, whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { foldFirstRun, goTo } from '../../ui/layout.ts';
import { chooseDataset, datasets } from '../data/data-store.ts';
import { isOpen, loadClip, loadingClip } from '../data/preview-store.ts';
import { readyClips } from '../data/shared/counts.ts';
import { jobs } from '../jobs/jobs-store.ts';
import { openImport } from '../robots/import-request-store.ts';
import { robots, selectedSummary } from '../robots/robots-store.ts';
import { firstClipSought, listFirstClips } from './first-clip-store.ts';

/** Card with the checklist, shown over the live robot; see `firstRunShown`. */
export function FirstRunCard() {
  return (
    <section class="first-run" aria-labelledby="first-run-title">
      <div class="first-run-head">
        <h2 id="first-run-title">From a motion clip to a policy</h2>
        <IconButton icon="close" label="Close the checklist" onClick={foldFirstRun} />
        <p class="dim">Five steps, all on this machine.</p>
      </div>
      <Checklist />
    </section>
  );
}

/** Pills with the name and the size of the robot, shown beside the card. */
export function FirstRunPills() {
  const summary = selectedSummary.value;
  if (summary === null) return null;
  return (
    <div class="hud hud-end">
      <span class="pill">
        <Icon name="robot" />
        <span class="ellipsis">{summary.name}</span>
      </span>
      {summary.model !== null && (
        <span class="pill num">
          {summary.source === 'builtin' && 'Built-in · '}
          {count(summary.model.joints, 'joint')} · {Math.round(summary.model.mass)} kg
        </span>
      )}
    </div>
  );
}

/** Returns true if the selected robot has converted clips and no clip that is not converted. */
function allConverted(): boolean {
  const sets = datasets.state.value.value?.datasets ?? [];
  return sets.some((set) => readyClips(set) > 0) && sets.every((set) => set.missing === 0);
}

/** The steps from a motion clip to a trained policy. Each step contains the button that does it. The current step also
 *  shows its HTTP request. */
export function Checklist() {
  const summary = selectedSummary.value;
  const ready = summary !== null && summary.model !== null;
  const watched = isOpen.value;
  const trained =
    (summary?.runs.length ?? 0) > 0 || jobs.value.some((job) => job.kind === 'train' && job.status === 'done');
  const problem = robots.state.value.error ?? summary?.error ?? null;
  return (
    <ol class="steps">
      <li>
        <span class={`step-mark${ready ? ' done' : ' now'}`}>{ready ? <Icon name="check" /> : '1'}</span>
        <div class="step-text">
          <h3>Robot</h3>
          {problem !== null ? (
            <p class="err">{problem}</p>
          ) : (
            <p class="dim">
              {summary === null || !ready
                ? 'The robot is being loaded.'
                : summary.source === 'builtin'
                  ? `The built-in ${summary.name} is loaded. `
                  : `${summary.name} is loaded. `}
              <button type="button" class="link" onClick={() => openImport()}>
                Add your own
              </button>{' '}
              from MJCF or URDF.
            </p>
          )}
        </div>
        {ready ? <Badge kind="ok">Ready</Badge> : <Badge kind="neutral">Loading</Badge>}
      </li>
      <WatchStep current={ready && !watched} done={watched} />
      <ConvertStep current={ready && watched} />
      <TrainStep current={ready && watched && allConverted()} done={trained} />
      <PlayStep current={ready && watched && trained} possible={trained} />
    </ol>
  );
}

function WatchStep({ current, done }: { readonly current: boolean; readonly done: boolean }) {
  const first = listFirstClips();
  const sets = datasets.state.value;
  const folder = sets.value?.datasets[0]?.path;
  const request =
    first === null ? '' : `POST /api/data/load ${JSON.stringify({ dataset: first.dataset, clip: first.clip })}`;
  const play = () => {
    if (first === null) return;
    goTo('data');
    void loadClip(first.dataset, first.clip);
  };
  return (
    <li>
      <span class={`step-mark${done ? ' done' : current ? ' now' : ''}`}>{done ? <Icon name="check" /> : '2'}</span>
      <div class="step-text">
        <h3>Watch a clip</h3>
        <p class="dim">
          {sets.error !== null && sets.value === null
            ? sets.error
            : first === null
              ? sets.value === null || firstClipSought.value
                ? 'Looking for clips.'
                : `No clips yet. Copy CSV files into ${folder ?? 'a dataset folder of this robot'}.`
              : `${count(first.total, 'clip')} in ${first.dataset}. Play one, or drop a folder of your own clips on the page.`}
        </p>
      </div>
      {first !== null && !done && (
        <Button kind="primary" icon="play" busy={loadingClip.value !== null} disabled={!current} onClick={play}>
          Play {first.clip}
        </Button>
      )}
      {done && <Badge kind="ok">Open</Badge>}
      {first !== null && !done && (
        <div class="request">
          <code>{request}</code>
          <IconButton icon="copy" label="Copy as HTTP request" onClick={() => void copyText(request, 'Request')} />
        </div>
      )}
    </li>
  );
}

function ConvertStep({ current }: { readonly current: boolean }) {
  const sets = datasets.state.value.value?.datasets ?? [];
  const next = sets.find((set) => set.missing > 0);
  const done = allConverted();
  const convert = () => {
    if (next === undefined) return;
    goTo('data');
    chooseDataset(next.name);
    dataDialog.value = { kind: 'convert', dataset: next.name, clips: null };
  };
  return (
    <li>
      <span class={`step-mark${done ? ' done' : current ? ' now' : ''}`}>{done ? <Icon name="check" /> : '3'}</span>
      <div class="step-text">
        <h3>Convert</h3>
        <p class="dim">Resample {next?.name ?? 'the clips'} to 50 fps, with velocities and the motion of every body.</p>
      </div>
      {done && <Badge kind="ok">Done</Badge>}
      {next !== undefined && (
        <Button kind={current ? 'primary' : 'outline'} onClick={convert}>
          Convert {whole(next.missing)}
        </Button>
      )}
    </li>
  );
}

interface StepProps {
  readonly current: boolean;
  readonly done: boolean;
}

function TrainStep({ current, done }: StepProps) {
  const now = current && !done;
  return (
    <li>
      <span class={`step-mark${done ? ' done' : now ? ' now' : ''}`}>{done ? <Icon name="check" /> : '4'}</span>
      <div class="step-text">
        <h3>Train</h3>
        <p class="dim">Train a policy that follows the converted clips.</p>
      </div>
      {done && <Badge kind="ok">Done</Badge>}
      <Button kind={now ? 'primary' : 'outline'} onClick={() => goTo('train')}>
        New training
      </Button>
    </li>
  );
}

/** @param possible whether there is a run to play */
function PlayStep({ current, possible }: { readonly current: boolean; readonly possible: boolean }) {
  const done = owner.value === 'play';
  return (
    <li>
      <span class={`step-mark${done ? ' done' : current ? ' now' : ''}`}>{done ? <Icon name="check" /> : '5'}</span>
      <div class="step-text">
        <h3>Play the policy</h3>
        <p class="dim">
          {possible
            ? 'Watch the policy follow the clips, and push the robot.'
            : 'Available after a training has written a checkpoint.'}
        </p>
      </div>
      <Button kind={current && !done ? 'primary' : 'outline'} disabled={!possible} onClick={() => goTo('play')}>
        Play a run
      </Button>
    </li>
  );
}
