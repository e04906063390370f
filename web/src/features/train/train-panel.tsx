import './train.css';
import { computed } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import { call } from '../../net/api.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { count, sentence } from '../../ui/format.ts';
import { Picker } from '../../ui/picker.tsx';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { failed } from '../../ui/toasts.ts';
import { datasets } from '../data/data-store.ts';
import { readyClips } from '../data/shared/counts.ts';
import { liveJobs, ownJob } from '../jobs/jobs-store.ts';
import { resumeRequest } from '../jobs/resume-request-store.ts';
import { robot } from '../robots/robots-store.ts';
import { runs } from '../runs/runs-store.ts';
import { playable } from '../runs/shared/playable.ts';
import { presets } from '../tasks/presets-store.ts';
import { change, checked, form, startChecking, trainer } from './form-store.ts';
import { LaunchChecks, LaunchFoot } from './launch-checks.tsx';
import { type LaunchForm, numberProblem } from './launch-form.ts';
import { choices } from './launch-store.ts';
import type { TrainChoices } from './training-launch.ts';

/** The form of a new training with its checks and the start button. */
export function TrainPanel() {
  useEffect(() => {
    void choices.refresh();
    void runs.refresh();
  }, [robot.value?.id, presets.state.value.value]);
  useEffect(startChecking, []);
  useEffect(() => {
    if (resumeRequest.value !== null) change({ resumeRun: resumeRequest.value, resumeCheckpoint: '' });
    resumeRequest.value = null;
  }, [resumeRequest.value]);
  return (
    <>
      <header class="pane-head">
        <h2>Train</h2>
        <span class="grow" />
        <IconButton
          icon="reset"
          label="Clear the form"
          onClick={() =>
            change({
              numEnvs: '',
              maxIterations: '',
              seed: '',
              runName: '',
              startFrom: 'best',
              resumeRun: '',
              resumeCheckpoint: '',
              extra: '',
            })
          }
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section class="pane-body train-panel" aria-label="New training" tabIndex={0}>
        <WithLoaded
          loaded={choices.state.value}
          what="Tasks and trainers could not be read"
          rows={10}
          retry={() => void choices.refresh()}
        >
          {(lists) =>
            lists.tasks.length === 0 ? (
              <Empty icon="train" title="This robot has no task yet">
                <p class="dim">Saving a robot in the import wizard creates its tasks.</p>
              </Empty>
            ) : (
              <>
                <Fields lists={lists} />
                <LaunchChecks />
              </>
            )
          }
        </WithLoaded>
      </section>
      <LaunchFoot />
    </>
  );
}

function Fields({ lists }: { readonly lists: TrainChoices }) {
  const now = form.value;
  const sets = datasets.state.value.value?.datasets ?? [];
  const chosenSet = sets.find(({ name }) => name === now.dataset);
  const takes = (
    field: 'num_envs' | 'max_iterations' | 'run_name' | 'seed' | 'start_from' | 'resume' | 'extra' | 'logger',
  ) => trainer.value?.takes.includes(field) !== false;
  const task = lists.tasks.find(({ name }) => name === now.task);
  return (
    <div class="train-fields">
      <Picker label="Task" value={now.task} onChange={(next) => change({ task: next })}>
        <Options
          label="Presets"
          names={lists.tasks.filter(({ preset }) => preset !== null).map(({ name }) => [name, name])}
        />
        <Options
          label="Built-in"
          names={lists.tasks.filter(({ preset }) => preset === null).map(({ name }) => [name, name])}
        />
      </Picker>
      {task !== undefined && task.description !== '' && <p class="field-note dim">{sentence(task.description)}</p>}
      <Picker label="Dataset" value={now.dataset} onChange={(dataset) => change({ dataset })}>
        {sets.length === 0 && <option value="">No dataset yet</option>}
        {sets.map((set) => (
          <option key={set.name} value={set.name}>
            {set.name} ·{' '}
            {readyClips(set) === 0
              ? `none of ${count(set.missing, 'clip')} converted`
              : count(readyClips(set), 'converted clip')}
          </option>
        ))}
      </Picker>
      {chosenSet !== undefined && readyClips(chosenSet) === 0 && <ConvertFirst set={chosenSet} />}
      <div class="picker-pair">
        <Picker label="Trainer" value={now.trainer} onChange={(next) => change({ trainer: next })}>
          {lists.trainers.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Picker>
        <Picker label="Launcher" value={now.launcher} onChange={(launcher) => change({ launcher })}>
          {lists.launchers.map(({ name, kind, label }) => (
            <option key={name} value={name}>
              {name === kind ? name : `${name} · ${label}`}
            </option>
          ))}
        </Picker>
      </div>
      <div class="train-three">
        <NumberBox label="Environments" field="numEnvs" of="num_envs" disabled={!takes('num_envs')} />
        <NumberBox label="Iterations" field="maxIterations" of="max_iterations" disabled={!takes('max_iterations')} />
        <NumberBox label="Seed" field="seed" of="seed" disabled={!takes('seed')} />
      </div>
      <TextBox
        label="Run name"
        field="runName"
        placeholder="Optional, appended to the date"
        disabled={!takes('run_name')}
      />
      <StartFrom disabled={!takes('start_from')} />
      <details class="train-more" open={resumes.value || now.extra !== ''}>
        <summary>Resume, logger and extra arguments</summary>
        <div class="train-fields-more">
          <Resume disabled={!takes('resume')} />
          <div class="picker-pair">
            <Picker
              label="Logger"
              value={now.logger}
              disabled={!takes('logger')}
              onChange={(next) => change({ logger: next === 'wandb' || next === 'none' ? next : 'tensorboard' })}
            >
              {(trainer.value?.loggers ?? ['tensorboard']).map((name) => (
                <option key={name} value={name}>
                  {{ tensorboard: 'TensorBoard', wandb: 'W&B', none: 'None' }[name]}
                </option>
              ))}
            </Picker>
            <TextBox
              label="Extra arguments"
              field="extra"
              placeholder="None"
              title={trainer.value?.extra ?? ''}
              disabled={!takes('extra')}
              mono
            />
          </div>
        </div>
      </details>
    </div>
  );
}

/** Whether the form resumes a run. */
const resumes = computed(() => form.value.resumeRun !== '');

/** Converts a dataset without converted clips with its own settings, and shows the progress. */
function ConvertFirst({ set }: { readonly set: DatasetCounts }) {
  const [starting, setStarting] = useState(false);
  const job = liveJobs.value.find(({ kind, dataset }) => kind === 'convert' && dataset === set.name);
  const convert = async () => {
    setStarting(true);
    try {
      const started = await call('POST /api/data/convert', { body: { dataset: set.name, which: 'missing' } });
      ownJob(started.job);
    } catch (error) {
      failed('The conversion could not be started', error);
    } finally {
      setStarting(false);
    }
  };
  useEffect(() => {
    // The button goes with the conversion, and the focus with it: pass it on to the next step.
    return () => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('.train-start')?.focus();
    };
  }, []);
  return (
    <p class="field-note train-convert">
      <span class="grow">A training needs converted clips.</span>
      <Button small kind="primary" busy={starting || job !== undefined} onClick={() => void convert()}>
        {job === undefined
          ? `Convert ${count(set.missing, 'clip')}`
          : `Converting ${job.step ?? 0} of ${job.steps ?? set.missing}`}
      </Button>
    </p>
  );
}

function Options({ label, names }: { readonly label: string; readonly names: readonly (readonly [string, string])[] }) {
  if (names.length === 0) return null;
  return (
    <optgroup label={label}>
      {names.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </optgroup>
  );
}

interface NumberBoxProps {
  readonly label: string;
  readonly field: 'numEnvs' | 'maxIterations' | 'seed';
  /** name of the field in the reply of the dry run that contains this parameter */
  readonly of: string;
  readonly disabled: boolean;
}

/** A number field. While it is empty, it shows the trainer's default. */
function NumberBox({ label, field, of, disabled }: NumberBoxProps) {
  const value = form.value[field];
  const problem = numberProblem(field, value);
  const params = checked.value.reply?.params;
  const otherwise = params?.[of];
  const automatic = of === 'max_iterations' && params?.['automatic'] === true;
  return (
    <label class="picker">
      <span class="picker-label">{label}</span>
      <span class={`field${problem === null ? '' : ' invalid'}`}>
        <input
          class="num"
          type="text"
          inputMode="numeric"
          aria-label={label}
          aria-invalid={problem !== null}
          title={problem ?? (disabled ? 'Not supported by this trainer' : label)}
          placeholder={typeof otherwise === 'number' ? `${automatic ? 'auto ' : ''}${otherwise}` : 'default'}
          value={value}
          disabled={disabled}
          onInput={(event) => change({ [field]: event.currentTarget.value })}
        />
      </span>
      {problem !== null && <span class="field-note err">{problem}</span>}
    </label>
  );
}

interface TextBoxProps {
  readonly label: string;
  readonly field: 'runName' | 'extra';
  readonly placeholder: string;
  readonly title?: string;
  readonly disabled: boolean;
  readonly mono?: boolean;
}

function TextBox({ label, field, placeholder, title, disabled, mono = false }: TextBoxProps) {
  return (
    <label class="picker train-text">
      <span class="picker-label">{label}</span>
      <span class="field">
        <input
          type="text"
          class={mono ? 'mono' : ''}
          aria-label={label}
          title={title}
          placeholder={placeholder}
          value={form.value[field]}
          disabled={disabled}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => change({ [field]: event.currentTarget.value } as Partial<LaunchForm>)}
        />
      </span>
    </label>
  );
}

/** Lets the user select the initial networks of a new training. Networks of an earlier run make it shorter. */
function StartFrom({ disabled }: { readonly disabled: boolean }) {
  const { startFrom, resumeRun, task } = form.value;
  const list = trainable.value;
  const [same, others] = useMemo(() => {
    const option = ({ path, run: name, score, task: own }: Run) => (
      <option key={path} value={path}>
        {name}
        {own === task ? '' : ` · ${own ?? 'unknown task'}`}
        {score === null ? '' : ` · ${score.tracked_s.toFixed(1)} of ${score.horizon_s.toFixed(1)} s`}
      </option>
    );
    return [list.filter((run) => run.task === task), list.filter((run) => run.task !== task)].map((part) =>
      part.map(option),
    );
  }, [list, task]);
  const resumes = resumeRun !== '';
  const isRun = startFrom !== 'best' && startFrom !== 'fresh';
  const note = disabled || resumes ? null : (checked.value.reply?.note ?? null);
  return (
    <>
      <Picker
        label="Start from"
        value={disabled || resumes ? 'fresh' : startFrom}
        disabled={disabled || resumes}
        onChange={(next) => change({ startFrom: next })}
      >
        <option value="best">Best earlier run of this task</option>
        <option value="fresh">{resumes ? 'The resumed run' : 'New networks'}</option>
        {isRun && <Unlisted path={startFrom} list={list} />}
        {same!.length > 0 && <optgroup label="Networks of">{same}</optgroup>}
        {others!.length > 0 && <optgroup label="Networks of other tasks">{others}</optgroup>}
      </Picker>
      {note !== null && <p class="field-note dim">{sentence(note)}</p>}
    </>
  );
}

/** The runs that the trainer can continue, or from whose networks it can start. */
const trainable = computed(() => (runs.value ?? []).filter((run) => playable(run) && run.format !== 'deploy'));

/** Option of a selected run that is not in the list: it was deleted, it belongs to another robot, or the list is still
 *  loading. */
function Unlisted({ path, list }: { readonly path: string; readonly list: readonly Run[] }) {
  if (list.some((run) => run.path === path)) return null;
  const name = path.slice(path.indexOf('/') + 1);
  return <option value={path}>{runs.value === null ? name : `${name} (not available)`}</option>;
}

/** Lets the user select the checkpoint from which a training continues. */
function Resume({ disabled }: { readonly disabled: boolean }) {
  const { resumeRun, resumeCheckpoint } = form.value;
  const list = trainable.value;
  const options = useMemo(
    () =>
      list.map(({ path, run: name }) => (
        <option key={path} value={path}>
          {name}
        </option>
      )),
    [list],
  );
  const run: Run | undefined = list.find(({ path }) => path === resumeRun);
  return (
    <div class="picker-pair">
      <Picker
        label="Resume from"
        value={resumeRun}
        disabled={disabled}
        onChange={(next) => change({ resumeRun: next, resumeCheckpoint: '' })}
      >
        <option value="">None</option>
        {resumeRun !== '' && <Unlisted path={resumeRun} list={list} />}
        {options}
      </Picker>
      <Picker
        label="Checkpoint"
        value={resumeCheckpoint}
        disabled={disabled || run === undefined}
        onChange={(next) => change({ resumeCheckpoint: next })}
      >
        <option value="">{run === undefined ? '–' : `Newest (${run.latest ?? ''})`}</option>
        {(run?.checkpoints ?? []).toReversed().map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Picker>
    </div>
  );
}
