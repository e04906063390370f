import './tasks.css';
import { Badge, Button, IconButton } from '../../ui/controls.tsx';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { layout, overlayPanel } from '../../ui/layout.ts';
import { WithLoaded } from '../../ui/states.tsx';
import { chosen, isUnsaved, unsaved } from './drafts-store.ts';
import { presets } from './presets-store.ts';
import type { PresetsReply } from './saved-presets.ts';
import { flatten } from './shared/edits.ts';
import { taskDialog } from './task-dialog-store.ts';
import type { Chosen } from './task-drafts.ts';

/** Lists the presets, modules and base tasks of the selected robot. */
export function TasksPanel() {
  return (
    <>
      <header class="pane-head">
        <h2>Tasks</h2>
        <span class="grow" />
        <Button icon="plus" onClick={() => (taskDialog.value = { kind: 'new', of: 'preset', from: null })}>
          New preset
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section class="pane-body" aria-label="Presets, modules and built-in tasks" tabIndex={0}>
        <WithLoaded
          loaded={presets.state.value}
          what="The tasks could not be read"
          rows={8}
          retry={() => void presets.refresh()}
        >
          {(list) => <Lists list={list} />}
        </WithLoaded>
      </section>
    </>
  );
}

function Lists({ list }: { readonly list: PresetsReply }) {
  const fresh = (kind: 'preset' | 'module') => unsaved.value.filter((one) => one.kind === kind && one.isNew);
  const bases = list.tasks.filter(({ preset }) => preset === null);
  const presetCount = list.presets.length + fresh('preset').length;
  return (
    <>
      <section class="task-list" aria-labelledby="presets-title">
        <h3 id="presets-title">Presets</h3>
        {presetCount === 0 && (
          <p class="dim task-none">None yet. A preset is a base task with some settings changed.</p>
        )}
        {list.presets.map(({ name, base, overrides, error }) => (
          <Entry
            key={name}
            of={{ kind: 'preset', name }}
            line={error ?? `${base} · ${count(Object.keys(flatten(overrides)).length, 'change')}`}
            error={error !== null}
          />
        ))}
        {fresh('preset').map(({ name, base }) => (
          <Entry key={name} of={{ kind: 'preset', name }} line={`${base} · not saved`} />
        ))}
      </section>
      <section class="task-list" aria-labelledby="modules-title">
        <div class="task-list-head">
          <h3 id="modules-title">Modules</h3>
          <IconButton
            icon="plus"
            label="New module"
            onClick={() => (taskDialog.value = { kind: 'new', of: 'module', from: null })}
          />
        </div>
        {list.modules.length + fresh('module').length === 0 && (
          <p class="dim task-none">None yet. A module is a set of changes that presets share.</p>
        )}
        {list.modules.map(({ name, overrides, error }) => (
          <Entry
            key={name}
            of={{ kind: 'module', name }}
            line={error ?? count(Object.keys(flatten(overrides)).length, 'change')}
            error={error !== null}
          />
        ))}
        {fresh('module').map(({ name }) => (
          <Entry key={name} of={{ kind: 'module', name }} line="not saved" />
        ))}
      </section>
      <section class="task-list" aria-labelledby="built-in-title">
        <div class="task-list-head">
          <h3 id="built-in-title">Built-in</h3>
          <Icon name="lock" />
        </div>
        {bases.map(({ name, description }) => (
          <Entry key={name} of={{ kind: 'task', name }} line={null} title={description} />
        ))}
      </section>
    </>
  );
}

interface EntryProps {
  readonly of: Chosen;
  readonly line: string | null;
  readonly error?: boolean;
  readonly title?: string;
}

function Entry({ of, line, error = false, title }: EntryProps) {
  const on = chosen.value?.kind === of.kind && chosen.value.name === of.name;
  const dirty = of.kind !== 'task' && isUnsaved(of.kind, of.name);
  return (
    <button
      type="button"
      class={`task-entry${on ? ' on' : ''}`}
      aria-current={on ? 'true' : undefined}
      title={title ?? (error && line !== null ? line : of.name)}
      onClick={() => {
        chosen.value = of;
        if (layout.peek() === 'narrow') overlayPanel.value = false;
      }}
    >
      <span class="task-entry-name">
        <span class="ellipsis">{of.name}</span>
        {dirty && (
          <>
            <span class="dot dot-accent" aria-hidden="true" />
            <span class="visually-hidden">not saved</span>
          </>
        )}
        {error && <Badge kind="error">Error</Badge>}
      </span>
      {line !== null && <span class="dim ellipsis task-entry-line">{line}</span>}
    </button>
  );
}
