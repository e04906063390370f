import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import { Button, Switch } from '../../ui/controls.tsx';
import { count } from '../../ui/format.ts';
import { numberIn } from '../../ui/number-field.ts';
import { Picker } from '../../ui/picker.tsx';
import { jobs } from '../jobs/jobs-store.ts';
import { runs } from '../runs/runs-store.ts';
import { DeleteRun } from '../runs/shared/delete-run.tsx';
import { useFreshRuns } from '../runs/shared/use-fresh-runs.ts';
import { newerCheckpoint } from './newer-checkpoint.ts';
import { session } from './session-store.ts';
import { building, choose, chosen, libraries, noClips } from './setup-store.ts';

const ENVS_MOST = 4096;
const NO_RUNS: readonly Run[] = [];

/** Fields to select run, checkpoint, number of environments, motion library and terminations. */
export function Pickers() {
  const { path, run, checkpoint, motion, numEnvs, terminations } = chosen.value;
  const list = runs.value ?? NO_RUNS;
  const options = useMemo(
    () =>
      list.map((one) => (
        <option key={one.path} value={one.path} disabled={one.error !== null && one.path !== path}>
          {one.run_dir} / {one.run}
          {one.error !== null ? ' (cannot be read)' : one.checkpoints.length === 0 ? ' (no checkpoint)' : ''}
        </option>
      )),
    [list, path],
  );
  const known = list.some((one) => one.path === path);
  const own = libraries.value.run === path ? (libraries.value.value ?? []) : [];
  return (
    <section class="section play-pickers" aria-label="Session">
      <div class="play-run">
        <Picker label="Run" value={path ?? ''} onChange={(next) => choose({ run: next })}>
          {!known && path !== null && <option value={path}>{path}</option>}
          {options}
        </Picker>
        {known && path !== null && <DeleteRun run={path} small />}
      </div>
      {run !== null && run.error !== null && <p class="field-note err">{run.error}</p>}
      <div class="picker-pair">
        <Picker
          label="Checkpoint"
          about="zeroAction"
          value={checkpoint}
          onChange={(next) => choose({ checkpoint: next })}
        >
          {checkpointsOf(run, checkpoint).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value="">Zero action</option>
        </Picker>
        <EnvCount value={numEnvs} />
      </div>
      <NewerCheckpoint />
      <Picker
        label="Motion library"
        about="library"
        value={motion}
        disabled={own.length === 0 && motion === ''}
        onChange={(next) => choose({ motion: next })}
      >
        {motion !== '' && !own.some((library) => library.path === motion) && <option value={motion}>{motion}</option>}
        {own.length === 0 && motion === '' && (
          <option value="">{libraries.value.loading ? 'Loading' : 'None for this run'}</option>
        )}
        {own.map((library) => (
          <option key={library.path} value={library.path}>
            {library.name} · {count(library.clips, 'clip')}
          </option>
        ))}
      </Picker>
      {noClips.value && (
        <p class="field-note dim">
          This robot has no converted clips yet. A policy needs a clip to track: convert one in Data.
        </p>
      )}
      {libraries.value.run === path && libraries.value.error !== null && (
        <p class="field-note err">{libraries.value.error}</p>
      )}
      <Switch
        label="Terminations"
        on={terminations}
        title="On: a robot restarts when it fails. Off: it stays where it fell"
        onChange={(on) => choose({ terminations: on })}
      />
    </section>
  );
}

/** Offers to load a checkpoint of the run that is newer than the played one. It is loaded only after a click. */
function NewerCheckpoint() {
  const now = session.value;
  useFreshRuns((now && jobs.value.find(({ run }) => run === now.run)) ?? null);
  const run = now === null ? undefined : runs.value?.find(({ path }) => path === now.run);
  const newer = run === undefined || now === null ? null : newerCheckpoint(run, now.checkpoint);
  return (
    <div role="status" aria-label="Newer checkpoint" class="play-newer">
      {newer !== null && (
        <>
          <span class="grow">
            <span class="mono">{newer}</span> is newer
          </span>
          <Button
            small
            icon="play"
            busy={building.value?.checkpoint === newer}
            onClick={() => choose({ checkpoint: newer })}
          >
            Play it
          </Button>
        </>
      )}
    </div>
  );
}

/** Returns the checkpoints of a run, newest first. */
function checkpointsOf(run: Run | null, shown: string): readonly string[] {
  const names = (run?.checkpoints ?? [])
    .toSorted((a, b) => (b.iteration ?? Number.POSITIVE_INFINITY) - (a.iteration ?? Number.POSITIVE_INFINITY))
    .map(({ name }) => name);
  return shown === '' || names.includes(shown) ? names : [shown, ...names];
}

function EnvCount({ value }: { readonly value: number }) {
  const [text, setText] = useState(String(value));
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText(String(value));
    setWrong(false);
  }, [value]);
  const commit = () => {
    const { value: next } = numberIn(text, 1, ENVS_MOST, true);
    setWrong(next === null);
    if (next !== null && next !== value) choose({ num_envs: next });
  };
  return (
    <label class="picker">
      <span class="picker-label">Environments</span>
      <span class={`field${wrong ? ' invalid' : ''}`}>
        <input
          class="num"
          type="text"
          inputMode="numeric"
          aria-label="Environments"
          aria-invalid={wrong}
          title={`1 to ${ENVS_MOST}`}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            if (event.key === 'Escape') {
              setText(String(value));
              setWrong(false);
            }
          }}
        />
      </span>
      {wrong && <span class="field-note err">1 to {ENVS_MOST}</span>}
    </label>
  );
}
