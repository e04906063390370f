import './tasks.css';
import { useEffect } from 'preact/hooks';
import { Button, IconButton } from '../../ui/controls.tsx';
import { sentence } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { goTo, inspectorOpen, layout, showInspector, showPanel } from '../../ui/layout.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { isChecking, problems, startChecking } from './check-store.ts';
import { change, chosen, discard, draft, isOutdated, isUnsaved, save, saving } from './drafts-store.ts';
import { dryRun, inspectorTab, tryTask } from './dry-run-store.ts';
import { schema, schemaSource } from './editor-store.ts';
import { KnobList } from './knob-list.tsx';
import { Picker } from './picker.tsx';
import { presets } from './presets-store.ts';
import { taskDialog, taskToTrain } from './task-dialog-store.ts';
import type { Draft } from './task-drafts.ts';

/** The editor of the selected task, preset or module with all its knobs. */
export function TasksEditor() {
  useEffect(startChecking, []);
  const bases = (presets.state.value.value?.tasks ?? []).filter(({ preset }) => preset === null);
  // If the user has not selected anything, show the robot's plain task.
  useEffect(() => {
    const [plain] = bases;
    if (chosen.value === null && plain !== undefined) chosen.value = { kind: 'task', name: plain.name };
  });
  const now = chosen.value;
  const edited = draft.value;
  if (now === null) return <Empty icon="tasks" title="Choose a task, a preset or a module" />;
  if (now.kind !== 'task' && edited === null) {
    return presets.state.value.value === null ? null : (
      <Empty icon="tasks" title={`${now.name} is gone`}>
        <p class="dim">The file was deleted elsewhere.</p>
      </Empty>
    );
  }
  const task = bases.find(({ name }) => name === now.name);
  return (
    <>
      {edited === null ? <TaskHead name={now.name} /> : <DraftHead draft={edited} />}
      {edited === null ? (
        <p class="task-about dim">{sentence(task?.description ?? '')}</p>
      ) : (
        <DraftFields draft={edited} />
      )}
      {edited !== null && isOutdated.value && <OutdatedNote draft={edited} />}
      {edited !== null && <FileError draft={edited} />}
      <WithLoaded
        loaded={schema.value}
        what="The settings could not be read"
        rows={12}
        retry={() => void schemaSource.value?.refresh()}
      >
        {() => <KnobList />}
      </WithLoaded>
    </>
  );
}

function SideButtons() {
  const size = layout.value;
  if (size === 'phone' || (size === 'wide' && inspectorOpen.value)) return null;
  return (
    <>
      {size === 'narrow' && <IconButton icon="list" label="Tasks and presets" onClick={() => showPanel(true)} />}
      <IconButton icon="panel" label="Show changes" onClick={() => showInspector(true)} />
    </>
  );
}

function TaskHead({ name }: { readonly name: string }) {
  return (
    <div class="task-head">
      <h2 class="ellipsis">{name}</h2>
      <span class="dim task-state">
        <Icon name="lock" small /> Built-in
      </span>
      <span class="grow" />
      <Button
        kind="primary"
        icon="plus"
        onClick={() =>
          (taskDialog.value = {
            kind: 'new',
            of: 'preset',
            title: `New preset of ${name}`,
            from: { base: name, modules: [], edits: {}, description: '' },
          })
        }
      >
        New preset
      </Button>
      <Button icon="train" title="Opens the form of a training with this task" onClick={() => trainTask(name)}>
        Train
      </Button>
      <SideButtons />
    </div>
  );
}

function DraftHead({ draft: now }: { readonly draft: Draft }) {
  const dirty = isUnsaved(now.kind, now.name);
  const wrong = problems.value.length;
  const why = wrong > 0 ? `Fix ${wrong === 1 ? '1 value' : `${wrong} values`} to save` : null;
  return (
    <div class="task-head">
      <h2 class="ellipsis">{now.name}</h2>
      <span class="dim task-state ellipsis" role="status">
        {now.isNew ? 'Not saved yet' : dirty ? 'Unsaved changes' : now.kind === 'module' ? 'Module' : 'Saved'}
      </span>
      <span class="grow" />
      {why !== null && (
        <span class="err task-why" role="status">
          {why}
        </span>
      )}
      <Button
        kind="primary"
        busy={saving.value}
        disabled={!dirty || wrong > 0 || isChecking.value}
        title={why ?? (dirty ? `Write ${now.kind}s/${now.name}.yaml` : 'Nothing has changed')}
        onClick={() => void save(now)}
      >
        {saving.value ? 'Saving' : 'Save'}
      </Button>
      {now.kind === 'preset' && <TryButtons draft={now} ready={!dirty && wrong === 0} />}
      <Menu label={`More for ${now.name}`} button={<Icon name="dots" />} buttonClass="icon-btn" end>
        <MenuItem disabled={!dirty} onSelect={() => discard(now)}>
          <Icon name="reset" />
          {now.isNew ? 'Discard' : 'Discard changes'}
        </MenuItem>
        <MenuItem
          onSelect={() => {
            const { base, modules, edits, description } = now;
            taskDialog.value = { kind: 'new', of: now.kind, from: { base, modules, edits, description } };
          }}
        >
          <Icon name="copy" />
          Duplicate
        </MenuItem>
        {!now.isNew && (
          <MenuItem danger onSelect={() => (taskDialog.value = { kind: 'delete', draft: now })}>
            <Icon name="trash" />
            Delete
          </MenuItem>
        )}
      </Menu>
      <SideButtons />
    </div>
  );
}

/** Buttons that start a dry run and that open the form of a training. Both use the saved file, not the draft. */
function TryButtons({ draft: now, ready }: { readonly draft: Draft; readonly ready: boolean }) {
  const file = presets.state.value.value?.presets.find(({ name }) => name === now.name);
  const usable = ready && file !== undefined && file.error === null;
  const why = usable || file?.error != null ? null : 'Save the preset first';
  const task = file?.task ?? '';
  const phone = layout.value === 'phone';
  return (
    <>
      {!phone && (
        <Button
          kind="outline"
          icon="check"
          disabled={!usable}
          busy={dryRun.value?.task === task && dryRun.value.loading}
          title={why ?? 'Builds the task for this robot and takes its first steps'}
          onClick={() => {
            inspectorTab.value = 'checks';
            showInspector(true);
            void tryTask(task);
          }}
        >
          Dry run
        </Button>
      )}
      <Button
        icon="train"
        disabled={!usable}
        title={why ?? 'Opens the form of a training with this task'}
        onClick={() => trainTask(task)}
      >
        Train
      </Button>
    </>
  );
}

function trainTask(task: string): void {
  taskToTrain.value = task;
  goTo('train');
}

function DraftFields({ draft: now }: { readonly draft: Draft }) {
  const list = presets.state.value.value;
  const bases = (list?.tasks ?? []).filter(({ preset }) => preset === null).map(({ name }) => name);
  const free = (list?.modules ?? []).map(({ name }) => name).filter((name) => !now.modules.includes(name));
  const isPreset = now.kind === 'preset';
  return (
    <div class={`task-fields${isPreset ? '' : ' of-module'}`}>
      <div class="task-field">
        <label for="task-base">{isPreset ? 'Base task' : 'Shown on'}</label>
        <Picker id="task-base" value={now.base} options={bases} onChange={(base) => change({ base })} />
      </div>
      {isPreset && (
        <div class="task-field">
          <span class="field-label" id="task-modules">
            Modules, applied in order
          </span>
          <fieldset class="field task-modules" aria-labelledby="task-modules">
            {now.modules.map((name) => (
              <span class="task-module" key={name}>
                {name}
                <button
                  type="button"
                  aria-label={`Remove module ${name}`}
                  onClick={() => change({ modules: now.modules.filter((other) => other !== name) })}
                >
                  <Icon name="close" />
                </button>
              </span>
            ))}
            <select
              aria-label="Add module"
              value=""
              disabled={free.length === 0}
              onChange={(event) => {
                const name = event.currentTarget.value;
                if (name !== '') change({ modules: [...now.modules, name] });
                event.currentTarget.value = '';
              }}
            >
              <option value="">
                {free.length > 0 ? 'Add module' : now.modules.length > 0 ? '' : 'No modules yet'}
              </option>
              {free.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </fieldset>
        </div>
      )}
      <div class="task-field">
        <label for="task-description">Description</label>
        <span class="field">
          <input
            id="task-description"
            type="text"
            maxLength={2000}
            value={now.description}
            placeholder="Description"
            onInput={(event) => change({ description: event.currentTarget.value })}
          />
        </span>
      </div>
    </div>
  );
}

function OutdatedNote({ draft: now }: { readonly draft: Draft }) {
  return (
    <p class="note" role="alert">
      <Icon name="info" />
      <span class="grow">The file was changed elsewhere. Saving overwrites it.</span>
      <Button small kind="outline" onClick={() => discard({ ...now, isNew: false })}>
        Load the file
      </Button>
    </p>
  );
}

/** Shows an error of the file on disk while the draft has no changes. */
function FileError({ draft: now }: { readonly draft: Draft }) {
  const list = presets.state.value.value;
  const file = (now.kind === 'preset' ? list?.presets : list?.modules)?.find(({ name }) => name === now.name);
  if (file === undefined || file.error === null || isUnsaved(now.kind, now.name)) return null;
  return (
    <p class="note note-err" role="alert">
      <Icon name="warn" />
      <span class="grow task-error">{file.error}</span>
    </p>
  );
}
