import { useState } from 'preact/hooks';
import { Button, Switch } from '../../../ui/controls.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { count, fixed } from '../../../ui/format.ts';
import { messageOf } from '../../../ui/message-of.ts';
import { numberIn } from '../../../ui/number-field.ts';
import { toast } from '../../../ui/toasts.ts';
import { excludeOthers, pickBest } from '../curation.ts';
import { tick, untickAll } from '../data-store.ts';
import { closeDialog, DialogHead, useStillOpen } from './dialog-head.tsx';

const MAX_MINUTES = 1e6;

/** Selects the clips with the best scores, up to a total duration. */
export function PickDialog({ dataset }: { readonly dataset: string }) {
  const [minutes, setMinutes] = useState('10');
  const [others, setOthers] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const stillOpen = useStillOpen();
  const typed = numberIn(minutes, 0.01, MAX_MINUTES);
  const select = async () => {
    if (typed.value === null) return;
    setBusy(true);
    setError(null);
    try {
      const picked = await pickBest(dataset, typed.value);
      untickAll();
      tick(picked.clips, true);
      if (others && picked.clips.length > 0) await excludeOthers(dataset, picked.clips);
      const unscored = picked.unscored === 0 ? '' : `${count(picked.unscored, 'clip')} without a score left out.`;
      toast('ok', `${count(picked.clips.length, 'clip')} selected, ${fixed(picked.minutes, 1)} min`, unscored);
      if (stillOpen()) closeDialog();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <>
      <DialogHead>Select the best clips of {dataset}</DialogHead>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void select();
        }}
      >
        <p class="dim">
          The clips that the robot can follow best come first (feasibility), and of equal ones the more varied
          (complexity). Excluded clips and clips with errors are left out.
        </p>
        <TextField
          label="Total length"
          value={minutes}
          unit="min"
          numeric
          error={typed.error ?? error}
          autofocus
          onInput={(value) => {
            setMinutes(value);
            setError(null);
          }}
        />
        <Switch label="Exclude all other clips from training and evaluation" on={others} onChange={setOthers} />
      </form>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="outline" onClick={closeDialog}>
          Cancel
        </Button>
        <Button kind="primary" busy={busy} disabled={typed.value === null} onClick={() => void select()}>
          {busy ? 'Selecting' : 'Select'}
        </Button>
      </footer>
    </>
  );
}
