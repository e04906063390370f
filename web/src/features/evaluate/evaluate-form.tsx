import { useEffect, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import { call } from '../../net/api.ts';
import { Button } from '../../ui/controls.tsx';
import { Checkbox, FieldRow, TextField } from '../../ui/fields.tsx';
import { count, span } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { runs } from '../runs/runs-store.ts';
import { checkpointTitle } from './metric-words.ts';
import type { RunEvaluations } from './run-evaluations.ts';

type Libraries = ReplyOf<RouteByKey['GET /api/play/libraries']>['libraries'];

const CONDITIONS = [
  ['nominal', 'Nominal', 'No noise, no pushes, no variations'],
  ['pushes', 'Pushes', 'Random pushes, as in the task'],
  ['noise', 'Noise', 'Noise on observations, as in the task'],
  ['randomised', 'Variations', 'Random mass, friction and gains, as in the task'],
  ['task', 'All three', 'Pushes, noise and variations together'],
  ['robustness', 'Robustness', 'About 24 conditions: simulator, friction, delay, gains, mass … varied one at a time'],
] as const;

/** Maximum number of checkpoints that the form lists. */
const LISTED = 50;

/** The form that starts an evaluation. */
export function EvaluateForm({
  model,
  checkpoint,
}: {
  readonly model: RunEvaluations;
  readonly checkpoint: string | undefined;
}) {
  const run = runs.value?.find(({ path }) => path === model.run) ?? null;
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [conditions, setConditions] = useState<readonly string[]>(['nominal']);
  const [libraries, setLibraries] = useState<Libraries>([]);
  const [motion, setMotion] = useState('');
  const [starts, setStarts] = useState('4');
  const [horizon, setHorizon] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const proposed = checkpoint ?? run?.latest ?? null;
  const checkpoints = chosen ?? (proposed === null ? [] : [proposed]);
  useEffect(() => void runs.refresh(), [model]);
  useEffect(() => {
    call('GET /api/play/libraries', { query: { run: model.run } }).then(
      (reply) => setLibraries(reply.libraries),
      (failure: unknown) => setError(messageOf(failure)),
    );
  }, [model]);
  const startsError = /^[1-9]\d{0,3}$/.test(starts.trim()) ? null : 'Must be an integer from 1 to 1000';
  const horizonError = horizon.trim() === '' || Number(horizon) > 0 ? null : 'Must be a number above 0';
  const ready = checkpoints.length > 0 && conditions.length > 0 && startsError === null && horizonError === null;
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      await model.start({
        checkpoints: [...checkpoints],
        conditions: [...conditions],
        starts: Number(starts),
        ...(motion === '' ? {} : { motion }),
        ...(horizon.trim() === '' ? {} : { horizon_s: Number(horizon) }),
      });
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  const names = (run?.checkpoints ?? []).map(({ name }) => name).reverse();
  // A chosen checkpoint stays listed when a training saves newer ones.
  const listed = names.filter((name, at) => at < LISTED || checkpoints.includes(name));
  return (
    <form class="evaluate-form" onSubmit={(event) => event.preventDefault()}>
      <h3>New evaluation</h3>
      <Choices
        label="Checkpoints"
        choices={[...listed, ''].map((name) => [name, checkpointTitle(name), ''])}
        chosen={checkpoints}
        onChange={setChosen}
      />
      <Choices label="Conditions" choices={CONDITIONS} chosen={conditions} onChange={setConditions} />
      <LibraryPicker libraries={libraries} value={motion} onChange={setMotion} />
      <div class="form-pair">
        <TextField
          label="Starts per clip"
          numeric
          value={starts}
          error={startsError}
          hint="The first start is frame 0, the others are spread evenly"
          onInput={setStarts}
        />
        <TextField
          label="Longest episode"
          numeric
          unit="s"
          placeholder="Whole clip"
          value={horizon}
          error={horizonError}
          onInput={setHorizon}
        />
      </div>
      {error !== null && (
        <p class="note note-err" role="alert">
          <Icon name="warn" />
          {error}
        </p>
      )}
      <div class="evaluate-submit">
        <Button kind="primary" icon="flag" busy={busy} disabled={!ready} onClick={() => void start()}>
          {busy ? 'Starting' : 'Evaluate'}
        </Button>
      </div>
    </form>
  );
}

interface LibraryPickerProps {
  readonly libraries: Libraries;
  /** value of the choice; `''` means the run's own setting */
  readonly value: string;
  readonly onChange: (path: string) => void;
}

function LibraryPicker({ libraries, value, onChange }: LibraryPickerProps) {
  return (
    <FieldRow label="Motion library">
      {(ids) => (
        <span class="select boxed">
          <select {...ids} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
            {libraries.map(({ path, name, clips, duration, default: own }) => (
              <option key={path} value={own ? '' : path}>
                {name} · {count(clips, 'clip')}, {span(duration)}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </FieldRow>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly choices: readonly (readonly [value: string, title: string, hint: string])[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Checkboxes of which any number may be checked. The result is in the order of `choices`. */
function Choices({ label, choices, chosen, onChange }: ChoicesProps) {
  const toggle = (value: string) =>
    onChange(
      choices.map(([one]) => one).filter((one) => (one === value ? !chosen.includes(one) : chosen.includes(one))),
    );
  return (
    <fieldset class="evaluate-choices" aria-label={label}>
      <span class="field-label">{label}</span>
      <ul>
        {choices.map(([value, title, hint]) => (
          <li key={value} title={hint}>
            <Checkbox label={title} checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span class="ellipsis" aria-hidden="true">
              {title}
              {hint !== '' && <span class="dim"> {hint}</span>}
            </span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
