import { useEffect, useState } from 'preact/hooks';
import { Button, IconButton } from '../../../ui/controls.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { clock, count } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { datasets } from '../data-store.ts';
import { duration, preview } from '../preview-store.ts';
import type { ClipEditor } from './clip-editor.ts';
import { closeEditor, editor, leaveEditor, saveEdit } from './editor-store.ts';
import { STEP_CHOICES } from './step-kinds.ts';
import { StepError, StepList } from './step-list.tsx';

/** The editor of a clip: its steps, the properties of the result, and the form that saves it. */
export function EditPanel() {
  const edit = editor.value;
  useEffect(() => {
    if (edit === null) return;
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y') || isTyping(event.target)) return;
      event.preventDefault();
      if (event.shiftKey || key === 'y') edit.redo();
      else edit.undo();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [edit]);
  const shown = preview.value;
  const other = shown?.dataset !== edit?.clip.dataset || shown?.clip !== edit?.clip.clip || shown?.edit == null;
  const started = edit?.shown.value === true;
  useEffect(() => {
    // The user opened another clip, so close the editor.
    if (started && other) closeEditor();
  }, [started, other]);
  if (edit === null) return null;
  return (
    <section class="edit-panel" aria-label="Edit clip">
      <div class="clip-head">
        <div class="clip-head-row">
          <h2 class="ellipsis grow">Edit {edit.clip.clip}</h2>
          <IconButton
            icon="reset"
            label="Undo"
            hint="Ctrl Z"
            disabled={!edit.canUndo.value}
            onClick={() => edit.undo()}
          />
          <span class="flipped">
            <IconButton
              icon="reset"
              label="Redo"
              hint="Ctrl Shift Z"
              disabled={!edit.canRedo.value}
              onClick={() => edit.redo()}
            />
          </span>
          <IconButton icon="close" label="Close the editor" onClick={leaveEditor} />
        </div>
        <p class="dim num ellipsis">
          {edit.source.value === null
            ? 'Reading'
            : `${clock(edit.duration.value, 2)} → ${clock(duration.value, 2)}, ${count(shown?.frames ?? 0, 'frame')}`}
        </p>
      </div>
      <div class="edit-tools">
        <AddStep edit={edit} />
        <Parts edit={edit} />
      </div>
      <div class="edit-steps">
        {started || edit.error.value !== null ? (
          <StepList edit={edit} />
        ) : (
          <Skeleton rows={3} label="Reading the clip" />
        )}
        {edit.error.value?.step === null && <StepError text={edit.error.value.text} />}
      </div>
      <SaveForm edit={edit} key={`${edit.clip.dataset}/${edit.clip.clip}`} />
    </section>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'text';
}

function AddStep({ edit }: { readonly edit: ClipEditor }) {
  return (
    <Menu
      label="Add a step"
      named
      button={
        <>
          <Icon name="plus" />
          Add a step
        </>
      }
      buttonClass="btn btn-default add-step"
    >
      {STEP_CHOICES.map(({ title, make }) => (
        <MenuItem
          key={title}
          onSelect={() => edit.change([...edit.steps.peek(), make(duration.peek(), edit.clip.clip)])}
        >
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Buttons that choose which part of a split the scene shows. */
function Parts({ edit }: { readonly edit: ClipEditor }) {
  const { part, parts } = edit.part.value;
  if (parts < 2) return null;
  return (
    <div class="edit-parts">
      <span class="grow num">
        Part {part + 1} of {parts}
      </span>
      <IconButton icon="stepBack" label="Previous part" disabled={part === 0} onClick={() => edit.showPart(part - 1)} />
      <IconButton
        icon="stepForward"
        label="Next part"
        disabled={part === parts - 1}
        onClick={() => edit.showPart(part + 1)}
      />
    </div>
  );
}

/** Returns the names of the clips that a split makes. */
function partsHint(name: string, parts: number): string {
  return parts < 2 ? 'The source clip stays unchanged.' : `Makes ${parts} clips: ${name}_1 to ${name}_${parts}.`;
}

function SaveForm({ edit }: { readonly edit: ClipEditor }) {
  const own = (datasets.state.value.value?.datasets ?? []).filter((set) => !set.linked && set.error == null);
  const [name, setName] = useState(`${edit.clip.clip}_edited`);
  const [into, setInto] = useState(
    own.some((set) => set.name === edit.clip.dataset) ? edit.clip.dataset : (own[0]?.name ?? ''),
  );
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const possible = edit.steps.value.length > 0 && edit.error.value === null && name.trim() !== '' && into !== '';
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await saveEdit(edit, name.trim(), into);
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  };
  return (
    <form
      class="edit-save"
      onSubmit={(event) => {
        event.preventDefault();
        if (possible) void save();
      }}
    >
      <TextField
        label="Save as"
        value={name}
        hint={partsHint(name.trim(), edit.part.value.parts)}
        error={error}
        onInput={(value) => {
          setName(value);
          setError(null);
        }}
      />
      <div class="edit-save-row">
        <label class="select grow">
          <span class="visually-hidden">Dataset</span>
          <select value={into} onChange={(event) => setInto(event.currentTarget.value)}>
            {own.map((set) => (
              <option key={set.name} value={set.name}>
                {set.name}
              </option>
            ))}
          </select>
          <Icon name="down" small />
        </label>
        <Button kind="primary" busy={busy} disabled={!possible} onClick={() => void save()}>
          {busy ? 'Saving' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
