import { useState } from 'preact/hooks';
import { Button, Segmented } from '../../../ui/controls.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { count } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { numberIn } from '../../../ui/number-field.ts';
import { markClips } from '../curation.ts';
import { closeDialog, DialogHead } from './dialog-head.tsx';

const MAX_WEIGHT = 1e6;

export interface MarkDialogProps {
  readonly dataset: string;
  readonly clips: readonly string[];
  /** present marks, used as initial values of the fields; null if they are unknown, or differ between the clips */
  readonly now: { readonly exclude: boolean; readonly weight: number; readonly tags: readonly string[] } | null;
}

type Excluded = 'keep' | 'exclude' | 'include';

/** Excludes, weights and tags clips. Marks of fields that the user does not change stay unchanged. */
export function MarkDialog({ dataset, clips, now }: MarkDialogProps) {
  const before = {
    excluded: (now === null ? 'keep' : now.exclude ? 'exclude' : 'include') as Excluded,
    weight: now === null ? '' : String(now.weight),
    tags: now === null ? '' : now.tags.join(', '),
  };
  const [excluded, setExcluded] = useState(before.excluded);
  const [weight, setWeight] = useState(before.weight);
  const [tags, setTags] = useState<string>(before.tags);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const factor = numberIn(weight, 0, MAX_WEIGHT);
  const change = {
    ...(excluded === before.excluded || excluded === 'keep' ? {} : { exclude: excluded === 'exclude' }),
    ...(weight === before.weight || factor.value === null ? {} : { weight: factor.value }),
    ...(tags === before.tags ? {} : { tags: wordsOf(tags) }),
  };
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await markClips(dataset, clips, change);
      closeDialog();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  const what = clips.length === 1 ? clips[0] : count(clips.length, 'clip');
  return (
    <>
      <DialogHead>Mark {what}</DialogHead>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="switch-row">
          <span>In training and evaluation</span>
          <Segmented
            label="In training and evaluation"
            value={excluded}
            options={[
              ...(now === null ? [['keep', 'As is'] as const] : []),
              ['include', 'Included'],
              ['exclude', 'Excluded'],
            ]}
            onChange={setExcluded}
          />
        </div>
        <TextField
          label="Weight"
          hint="multiplies the chance that an episode starts in the clip; 1 is usual"
          numeric
          value={weight}
          error={factor.error}
          placeholder={now === null ? 'unchanged' : '1'}
          onInput={setWeight}
        />
        <TextField
          label="Tags"
          hint={now === null ? 'separated by commas; replaces the tags of all chosen clips' : 'separated by commas'}
          value={tags}
          placeholder={now === null ? 'unchanged' : 'none'}
          onInput={setTags}
        />
        {error !== null && (
          <p class="note note-err" role="alert">
            <Icon name="warn" />
            {error}
          </p>
        )}
        <MarkFoot busy={busy} disabled={factor.error !== null || Object.keys(change).length === 0} onSave={save} />
      </form>
    </>
  );
}

interface MarkFootProps {
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly onSave: () => Promise<void>;
}

function MarkFoot({ busy, disabled, onSave }: MarkFootProps) {
  return (
    <footer class="dialog-foot">
      <span class="grow" />
      <Button kind="outline" onClick={closeDialog}>
        Cancel
      </Button>
      <Button kind="primary" busy={busy} disabled={disabled} onClick={() => void onSave()}>
        Save
      </Button>
    </footer>
  );
}

function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
