import { useState } from 'preact/hooks';
import type { DatasetCounts } from '../../../../../src/protocol/schemas/data.ts';
import { Button, Segmented } from '../../../ui/controls.tsx';
import { dataDialog } from '../../../ui/dialogs.ts';
import { TextField } from '../../../ui/fields.tsx';
import { count } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { numberIn } from '../../../ui/number-field.ts';
import { showJob } from '../../jobs/jobs-store.ts';
import { type ConvertBody, convert } from '../data-actions.ts';
import { datasets } from '../data-store.ts';
import { closeDialog, DialogHead, useStillOpen } from './dialog-head.tsx';

type Which = 'missing' | 'all' | 'selected';
/** `own`: use the setting of `dataset.yaml`. Only options that the user sets are sent. */
type Choice = 'own' | 'on' | 'off';

export interface ConvertDialogProps {
  readonly dataset: string;
  /** names of the selected clips; null for the whole dataset */
  readonly clips: readonly string[] | null;
}

export function ConvertDialog({ dataset, clips }: ConvertDialogProps) {
  const set = datasets.state.value.value?.datasets.find((one) => one.name === dataset);
  const [which, setWhich] = useState<Which>(clips !== null ? 'selected' : (set?.missing ?? 0) > 0 ? 'missing' : 'all');
  const [outputFps, setOutputFps] = useState('');
  const [inputFps, setInputFps] = useState('');
  const [batch, setBatch] = useState('');
  const [mirror, setMirror] = useState<Choice>('own');
  const [debias, setDebias] = useState<Choice>('own');
  const [starting, setStarting] = useState(false);
  const stillOpen = useStillOpen();
  const [error, setError] = useState<string | null>(null);

  const output = numberIn(outputFps, 1, 1000);
  const input = numberIn(inputFps, 1, 1000);
  const batchSize = numberIn(batch, 1, 1024, true);
  const n = clipCount(which, set, clips);
  const wrong = output.error ?? input.error ?? batchSize.error;
  const bodyOf = (): ConvertBody => ({
    dataset,
    which,
    ...(which === 'selected' && clips !== null ? { clips: [...clips] } : {}),
    ...(output.value === null ? {} : { output_fps: output.value }),
    ...(input.value === null ? {} : { input_fps: input.value }),
    ...(batchSize.value === null ? {} : { batch_size: batchSize.value }),
    ...(mirror === 'own' ? {} : { mirror: mirror === 'on' }),
    ...(debias === 'own' ? {} : { debias_z: debias === 'on' }),
  });
  const start = async () => {
    setStarting(true);
    setError(null);
    try {
      const job = await convert(bodyOf());
      showJob(job);
      if (stillOpen()) dataDialog.value = { kind: 'job', job };
    } catch (failure) {
      setError(messageOf(failure));
      setStarting(false);
    }
  };
  return (
    <>
      <DialogHead>Convert {dataset}</DialogHead>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <ClipsRow clips={clips} set={set} which={which} onChange={setWhich} />
        <FrameRates
          output={{ text: outputFps, error: output.error, onInput: setOutputFps }}
          input={{ text: inputFps, error: input.error, onInput: setInputFps }}
        />
        <ChoiceRow
          label="Mirror"
          hint="Adds a left-right mirrored clip beside each, named <clip>_M"
          value={mirror}
          onChange={setMirror}
        />
        <ChoiceRow
          label="Fix floor offset"
          hint="Shifts each clip so that its lowest foot touches the floor"
          value={debias}
          onChange={setDebias}
        />
        <BatchSize value={batch} error={batchSize.error} onInput={setBatch} />
        <Refusal text={error} />
      </form>
      <Foot
        clips={n}
        exact={which !== 'all' || set?.extra === 0}
        starting={starting}
        wrong={wrong !== null}
        onStart={() => void start()}
      />
    </>
  );
}

interface Typed {
  readonly text: string;
  readonly error: string | null;
  readonly onInput: (text: string) => void;
}

function FrameRates({ output, input }: { readonly output: Typed; readonly input: Typed }) {
  return (
    <div class="form-pair">
      <TextField
        label="Output frame rate"
        value={output.text}
        placeholder="Default"
        unit="fps"
        numeric
        error={output.error}
        hint="Default: set for the dataset, else 50 fps"
        onInput={output.onInput}
      />
      <TextField
        label="Input frame rate"
        value={input.text}
        placeholder="Default"
        unit="fps"
        numeric
        error={input.error}
        hint="Of source files. Default: stated by the file or its format, else 30 fps"
        onInput={input.onInput}
      />
    </div>
  );
}

function Refusal({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p class="note note-err" role="alert">
      <Icon name="warn" />
      {text}
    </p>
  );
}

interface BatchSizeProps {
  readonly value: string;
  readonly error: string | null;
  readonly onInput: (text: string) => void;
}

function BatchSize({ value, error, onInput }: BatchSizeProps) {
  return (
    <TextField
      label="Batch size"
      value={value}
      placeholder="8"
      unit="clips"
      numeric
      error={error}
      hint="Clips converted together"
      onInput={onInput}
    />
  );
}

interface ClipsRowProps {
  readonly clips: readonly string[] | null;
  readonly set: DatasetCounts | undefined;
  readonly which: Which;
  readonly onChange: (which: Which) => void;
}

function ClipsRow({ clips, set, which, onChange }: ClipsRowProps) {
  return (
    <div class="field-row">
      <span class="field-label">Clips</span>
      {clips !== null ? (
        <p class="num ellipsis">{clips.length === 1 ? clips[0] : `${count(clips.length, 'selected clip')}`}</p>
      ) : (
        <Segmented
          label="Clips"
          value={which}
          options={[
            ['missing', 'Not converted', set?.missing ?? 0],
            ['all', 'All', (set?.source ?? 0) + (set?.extra ?? 0)],
          ]}
          onChange={onChange}
        />
      )}
    </div>
  );
}

interface FootProps {
  /** largest number of clips to convert */
  readonly clips: number;
  /** false if it is not known how many clips will be converted: a clip without a source file is converted only if its
   *  frame rate is not the requested one */
  readonly exact: boolean;
  readonly starting: boolean;
  readonly wrong: boolean;
  readonly onStart: () => void;
}

function Foot({ clips: n, exact, starting, wrong, onStart }: FootProps) {
  return (
    <footer class="dialog-foot">
      <span class="dim ellipsis grow">Original files are kept.</span>
      <Button kind="outline" onClick={closeDialog}>
        Cancel
      </Button>
      <Button
        kind="primary"
        busy={starting}
        disabled={n === 0 || wrong}
        {...(n === 0 ? { title: 'No clips to convert' } : {})}
        onClick={onStart}
      >
        {starting ? 'Starting' : exact ? `Convert ${count(n, 'clip')}` : 'Convert all clips'}
      </Button>
    </footer>
  );
}

function clipCount(which: Which, set: DatasetCounts | undefined, clips: readonly string[] | null): number {
  if (which === 'selected') return clips?.length ?? 0;
  if (set === undefined) return 0;
  return which === 'missing' ? set.missing : set.source + set.extra;
}

interface ChoiceRowProps {
  readonly label: string;
  readonly hint: string;
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
}

function ChoiceRow({ label, hint, value, onChange }: ChoiceRowProps) {
  return (
    <div class="choice-row">
      <div class="grow">
        <p class="medium">{label}</p>
        <p class="field-note">{hint}</p>
      </div>
      <Segmented
        label={label}
        value={value}
        options={[
          ['own', 'Dataset default'],
          ['on', 'On'],
          ['off', 'Off'],
        ]}
        onChange={onChange}
      />
    </div>
  );
}
