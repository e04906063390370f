import '../../../ui/dialog-forms.css';
import './comparison.css';
import { useEffect, useState } from 'preact/hooks';
import type { Run } from '../../../../../src/protocol/schemas/jobs.ts';
import type { CompareLayout } from '../../../../../src/protocol/schemas/play.ts';
import { Button, IconButton, Segmented } from '../../../ui/controls.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FieldRow } from '../../../ui/fields.tsx';
import { count } from '../../../ui/format.ts';
import { Picker } from '../../../ui/picker.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { runs } from '../../runs/runs-store.ts';
import { playable } from '../../runs/shared/playable.ts';
import { compare, compareDialog, comparing, type Entry, MOST_ENTRIES } from '../compare-store.ts';
import { session } from '../session-store.ts';
import { clips, libraries, loadLibraries } from '../setup-store.ts';

const close = () => {
  compareDialog.value = null;
};

/** Lets the user select 2 to 4 policies and the clip that they play at the same time, step by step. */
export function CompareDialog() {
  const first = compareDialog.value;
  return (
    <Dialog open={first !== null} label="Compare policies" class="dialog-compare" onClose={close}>
      {first !== null && runs.value !== null && <Form first={first} />}
      {first !== null && runs.value === null && <Skeleton rows={4} label="Loading the runs" />}
    </Dialog>
  );
}

/** Returns the policies that are preselected: the given ones. If fewer than two are given, adds the newest checkpoint,
 *  then zero action. */
function begin(first: readonly Entry[], list: readonly Run[]): Entry[] {
  const run = list.find(({ path }) => path === first[0]?.run) ?? list[0];
  if (run === undefined) return [...first];
  const spare = [
    { run: run.path, checkpoint: run.latest ?? '' },
    { run: run.path, checkpoint: '' },
  ];
  const entries = first.map(({ run: path, checkpoint }) => ({
    run: path,
    checkpoint: checkpoint ?? list.find((one) => one.path === path)?.latest ?? '',
  }));
  for (const entry of spare) {
    const known = entries.some((one) => one.run === entry.run && one.checkpoint === entry.checkpoint);
    if (entries.length < 2 && !known) entries.push(entry);
  }
  return entries;
}

function Form({ first }: { readonly first: readonly Entry[] }) {
  const list = (runs.value ?? []).filter(playable);
  const [entries, setEntries] = useState(() => begin(first, list));
  const [motion, setMotion] = useState(session.peek()?.motion ?? '');
  const [clip, setClip] = useState(session.peek()?.pins[0]?.clip ?? '');
  const [layout, setLayout] = useState<CompareLayout>(session.peek()?.compare?.layout ?? 'beside');
  const run = entries[0]?.run;
  useEffect(() => {
    if (run !== undefined) void loadLibraries(run);
  }, [run]);
  const known = libraries.value.run === run ? (libraries.value.value ?? []) : [];
  const library = known.find(({ path }) => path === motion) ?? known.find((one) => one.default) ?? known[0];
  const names = session.value?.motion === library?.path ? (clips.value.value ?? []) : [];
  const set = (index: number, entry: Entry) => setEntries(entries.with(index, entry));
  const start = async () => {
    const chosen = names.some(({ name }) => name === clip) ? { clip } : {};
    const body = { entries, layout, ...(library === undefined ? {} : { motion: library.path }), ...chosen };
    if (await compare(body)) close();
  };
  return (
    <>
      <header class="dialog-head">
        <h2 class="ellipsis">Compare policies</h2>
        <IconButton icon="close" label="Close" onClick={close} />
      </header>
      <div class="dialog-form">
        <ul class="compare-entries" aria-label="Policies">
          {entries.map((entry, index) => (
            <EntryRow
              key={index}
              index={index}
              entry={entry}
              list={list}
              removable={entries.length > 2}
              onChange={(next) => set(index, next)}
              onRemove={() => setEntries(entries.toSpliced(index, 1))}
            />
          ))}
        </ul>
        <div>
          <Button
            kind="outline"
            icon="plus"
            small
            disabled={entries.length >= MOST_ENTRIES || list.length === 0}
            title={entries.length >= MOST_ENTRIES ? `At most ${MOST_ENTRIES} policies` : 'Adds a policy'}
            onClick={() => setEntries([...entries, { ...entries.at(-1)! }])}
          >
            Add policy
          </Button>
        </div>
        <div class="form-pair">
          <Picker label="Motion library" value={library?.path ?? ''} disabled={known.length === 0} onChange={setMotion}>
            {known.length === 0 && <option value="">{libraries.value.loading ? 'Loading' : 'None'}</option>}
            {known.map(({ path, name, clips: total }) => (
              <option key={path} value={path}>
                {name} · {count(total, 'clip')}
              </option>
            ))}
          </Picker>
          <Picker label="Clip" value={clip} disabled={names.length === 0} onChange={setClip}>
            <option value="">First clip</option>
            {names.map(({ index, name }) => (
              <option key={index} value={name}>
                {name}
              </option>
            ))}
          </Picker>
        </div>
        <FieldRow label="Layout">
          {() => (
            <Segmented
              label="Layout"
              value={layout}
              options={[
                ['beside', 'Beside'],
                ['overlay', 'Overlay'],
              ]}
              onChange={setLayout}
            />
          )}
        </FieldRow>
        <p class="field-note">
          All policies get the same clip, start, noise and pushes. Fallen robots wait for the others.
        </p>
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="default" onClick={close}>
          Cancel
        </Button>
        <Button
          kind="primary"
          icon="compare"
          busy={comparing.value}
          disabled={entries.length < 2}
          title={entries.length < 2 ? 'There is no run with a checkpoint yet' : 'Builds the comparison and plays it'}
          onClick={() => void start()}
        >
          {comparing.value ? 'Building' : 'Compare'}
        </Button>
      </footer>
    </>
  );
}

interface EntryRowProps {
  readonly index: number;
  readonly entry: Entry;
  readonly list: readonly Run[];
  readonly removable: boolean;
  readonly onChange: (entry: Entry) => void;
  readonly onRemove: () => void;
}

function EntryRow({ index, entry, list, removable, onChange, onRemove }: EntryRowProps) {
  const run = list.find(({ path }) => path === entry.run);
  const checkpoints = (run?.checkpoints ?? []).toReversed();
  return (
    <li class="compare-entry">
      <span class={`dot dot-c${index + 1}`} aria-hidden="true" />
      <Picker
        label={`Run ${index + 1}`}
        value={entry.run}
        onChange={(path) => onChange({ run: path, checkpoint: list.find((one) => one.path === path)?.latest ?? '' })}
      >
        {run === undefined && <option value={entry.run}>{entry.run}</option>}
        {list.map((one) => (
          <option key={one.path} value={one.path}>
            {one.run_dir} / {one.run}
          </option>
        ))}
      </Picker>
      <Picker
        label={`Checkpoint ${index + 1}`}
        value={entry.checkpoint ?? ''}
        onChange={(checkpoint) => onChange({ run: entry.run, checkpoint })}
      >
        {checkpoints.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="">Zero action</option>
      </Picker>
      <IconButton icon="close" label={`Remove policy ${index + 1}`} disabled={!removable} onClick={onRemove} />
    </li>
  );
}
