import { useState } from 'preact/hooks';
import { Button, Segmented } from '../../../ui/controls.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { count } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { numberIn } from '../../../ui/number-field.ts';
import { markClips } from '../curation.ts';
import { closeDialog, DialogHead, useStillOpen } from './dialog-head.tsx';

const MAX_WEIGHT = 1e6;

export interface MarkDialogProps {
  readonly dataset: string;
  readonly clips: readonly string[];
  /** present marks, used as initial values of the fields; null if they are unknown, or differ between the clips */
  readonly now: { readonly exclude: boolean; readonly weight: number; readonly tags: readonly string[] } | null;
}

type Excluded = 'keep' | 'exclude' | 'include';

/** Contents of the fields. */
interface Texts {
  readonly excluded: Excluded;
  readonly weight: string;
  /** tags of a single clip, or tags to add to several clips */
  readonly tags: string;
  /** tags to remove from several clips */
  readonly removed: string;
}

function textsOf(now: MarkDialogProps['now']): Texts {
  if (now === null) return { excluded: 'keep', weight: '', tags: '', removed: '' };
  const { exclude, weight, tags } = now;
  return { excluded: exclude ? 'exclude' : 'include', weight: String(weight), tags: tags.join(', '), removed: '' };
}

/** Returns the marks that the user changed. */
function changeOf(texts: Texts, before: Texts, weight: number | null, many: boolean) {
  const { excluded, tags } = texts;
  const [added, removed] = [wordsOf(tags), wordsOf(texts.removed)];
  return {
    ...(excluded === before.excluded || excluded === 'keep' ? {} : { exclude: excluded === 'exclude' }),
    ...(texts.weight === before.weight || weight === null ? {} : { weight }),
    ...(many || tags === before.tags ? {} : { tags: added }),
    ...(many && added.length > 0 ? { add: { tags: added } } : {}),
    ...(many && removed.length > 0 ? { remove: { tags: removed } } : {}),
  };
}

/** Excludes, weights and tags clips. Marks of fields that the user does not change stay unchanged. */
export function MarkDialog({ dataset, clips, now }: MarkDialogProps) {
  const before = textsOf(now);
  const [texts, setTexts] = useState(before);
  const [busy, setBusy] = useState(false);
  const stillOpen = useStillOpen();
  const [error, setError] = useState<string | null>(null);
  const set = (change: Partial<Texts>) => setTexts((old) => ({ ...old, ...change }));
  const factor = numberIn(texts.weight, 0, MAX_WEIGHT);
  const change = changeOf(texts, before, factor.value, now === null);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await markClips(dataset, clips, change);
      if (stillOpen()) closeDialog();
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
            value={texts.excluded}
            options={[
              ...(now === null ? [['keep', 'Unchanged'] as const] : []),
              ['include', 'Included'],
              ['exclude', 'Excluded'],
            ]}
            onChange={(excluded) => set({ excluded })}
          />
        </div>
        <TextField
          label="Weight"
          hint="Multiplies the chance that an episode starts in the clip. Default: 1"
          numeric
          value={texts.weight}
          error={factor.error}
          placeholder={now === null ? 'Unchanged' : '1'}
          onInput={(weight) => set({ weight })}
        />
        <TagFields many={now === null} texts={texts} onInput={set} />
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

interface TagFieldsProps {
  /** whether several clips are marked */
  readonly many: boolean;
  readonly texts: Texts;
  readonly onInput: (change: Partial<Texts>) => void;
}

function TagFields({ many, texts, onInput }: TagFieldsProps) {
  return (
    <>
      <TextField
        label={many ? 'Add tags' : 'Tags'}
        hint="Separated by commas"
        value={texts.tags}
        placeholder="None"
        onInput={(tags) => onInput({ tags })}
      />
      {many && (
        <TextField
          label="Remove tags"
          hint="Separated by commas"
          value={texts.removed}
          placeholder="None"
          onInput={(removed) => onInput({ removed })}
        />
      )}
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
