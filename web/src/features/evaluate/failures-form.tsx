import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { TextField } from '../../ui/fields.tsx';
import { count } from '../../ui/format.ts';
import { goTo } from '../../ui/layout.ts';
import { chooseDataset } from '../data/data-store.ts';
import { dialogWatch, evaluateDialog } from './evaluate-dialog-store.ts';
import type { Report, RunEvaluations } from './run-evaluations.ts';

/** A form that creates a dataset from the parts of clips around failures. */
export function FailuresForm({ model, report }: { readonly model: RunEvaluations; readonly report: Report }) {
  const source = report.protocol.motion.split('/').at(-1) ?? 'clips';
  const [name, setName] = useState(`${source}_failures`);
  const [below, setBelow] = useState('100');
  const [margin, setMargin] = useState('2');
  const [busy, setBusy] = useState(false);
  const share = Number(below) / 100;
  const belowError = share > 0 && share <= 1 ? null : 'Must be a number above 0 and up to 100';
  const marginError = Number(margin) > 0 && Number(margin) <= 30 ? null : 'Must be a number above 0 and up to 30';
  const clips = new Set(report.clips.filter(({ success }) => success < share).map(({ clip }) => clip));
  const make = async () => {
    const isOpen = dialogWatch();
    setBusy(true);
    const made = await model.makeDataset(report.name, { dataset: name.trim(), below: share, margin_s: Number(margin) });
    setBusy(false);
    if (!made || !isOpen()) return; // The user has closed the dialog.
    chooseDataset(name.trim());
    evaluateDialog.value = null;
    goTo('data');
  };
  return (
    <form class="evaluate-form" onSubmit={(event) => event.preventDefault()}>
      <p class="dim">
        Copies the parts of clips around failures into a new dataset, to look at them or to train on them. The original
        clips are not changed.
      </p>
      <TextField label="Dataset" value={name} onInput={setName} />
      <div class="form-pair">
        <TextField
          label="Clips with a success below"
          unit="%"
          numeric
          value={below}
          error={belowError}
          hint={belowError === null ? `${count(clips.size, 'clip')} of ${report.protocol.clips}` : ''}
          onInput={setBelow}
        />
        <TextField
          label="Time before and after a failure"
          unit="s"
          numeric
          value={margin}
          error={marginError}
          onInput={setMargin}
        />
      </div>
      <div class="evaluate-submit">
        <Button
          kind="primary"
          icon="data"
          busy={busy}
          disabled={clips.size === 0 || name.trim() === '' || belowError !== null || marginError !== null}
          onClick={() => void make()}
        >
          {busy ? 'Making' : 'Make dataset'}
        </Button>
      </div>
    </form>
  );
}
