import '../../ui/dialog-forms.css';
import './tasks.css';
import { useState } from 'preact/hooks';
import { UNDO_NOTE } from '../../net/undo.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldRow, TextField } from '../../ui/fields.tsx';
import { match } from '../../ui/fuzzy-match.ts';
import { Icon } from '../../ui/icon.tsx';
import { addTerm, begin, chosen, remove, reset, unsaved } from './drafts-store.ts';
import { isRemoved, libraryOf, schema, query as settingsQuery, show } from './editor-store.ts';
import { Picker } from './picker.tsx';
import { presets } from './presets-store.ts';
import type { SchemaReply } from './saved-presets.ts';
import { addedTerm, type TaskDialog, taskDialog } from './task-dialog-store.ts';
import type { Draft } from './task-drafts.ts';

const LABEL: Readonly<Record<TaskDialog['kind'], string>> = {
  new: 'New preset or module',
  delete: 'Delete',
  'add-term': 'Add a term',
};

const close = () => {
  taskDialog.value = null;
};

export function TaskDialogs() {
  const now = taskDialog.value;
  return (
    <Dialog open={now !== null} label={now === null ? 'Tasks' : LABEL[now.kind]} class="dialog-task" onClose={close}>
      {now?.kind === 'new' && <NewDialog of={now.of} from={now.from} title={now.title} />}
      {now?.kind === 'delete' && <DeleteDialog draft={now.draft} />}
      {now?.kind === 'add-term' && <AddTermDialog container={now.container} title={now.title} />}
    </Dialog>
  );
}

function Head({ children }: { readonly children: string }) {
  return (
    <header class="dialog-head">
      <h2 class="ellipsis">{children}</h2>
      <IconButton icon="close" label="Close" onClick={close} />
    </header>
  );
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns why a name is invalid for a preset or module; null for a valid name. The service also refuses a few rare
 *  cases that are not checked here. */
function nameProblem(of: 'preset' | 'module', name: string): string | null {
  const list = presets.state.value.value;
  const taken = [
    ...(of === 'preset' ? (list?.presets ?? []) : (list?.modules ?? [])),
    ...unsaved.value.filter(({ kind }) => kind === of),
  ];
  if (taken.some((one) => one.name === name)) return `a ${of} of this name exists`;
  if (!NAME.test(name)) return 'must start with a letter or digit; then letters, digits, dots, underscores, hyphens';
  if (name.includes('..') || name.endsWith('.')) return 'must not contain two dots in a row or end with a dot';
  if (of === 'preset' && name.includes('--')) return '"--" separates a base task from its preset';
  return of === 'preset' && name === 'schema' ? 'is reserved' : null;
}

interface NewProps {
  readonly of: 'preset' | 'module';
  readonly from: Extract<TaskDialog, { kind: 'new' }>['from'];
  readonly title: string | undefined;
}

function NewDialog({ of, from, title }: NewProps) {
  const bases = (presets.state.value.value?.tasks ?? []).filter((task) => task.preset === null).map(({ name }) => name);
  const current = chosen.peek();
  const [name, setName] = useState('');
  const [base, setBase] = useState(from?.base ?? (current?.kind === 'task' ? current.name : (bases[0] ?? '')));
  const problem = name === '' ? null : nameProblem(of, name);
  const start = () => {
    begin(of, name, { modules: [], edits: {}, description: '', ...from, base });
    close();
  };
  return (
    <>
      <Head>{title ?? (from === null ? `New ${of}` : `Duplicate as a new ${of}`)}</Head>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '' && problem === null) start();
        }}
      >
        <TextField
          label="Name"
          value={name}
          mono
          autofocus
          placeholder={of === 'preset' ? 'rough-ground' : 'push-hard'}
          error={problem}
          hint={of === 'preset' ? `Task name: ${base}--${name === '' ? 'name' : name}` : 'Presets use it by this name'}
          onInput={(text) => setName(text.trim())}
        />
        {of === 'preset' && (
          <FieldRow label="Base task">
            {(ids) => <Picker {...ids} value={base} options={bases} onChange={setBase} />}
          </FieldRow>
        )}
      </form>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="outline" onClick={close}>
          Cancel
        </Button>
        <Button kind="primary" disabled={name === '' || problem !== null} onClick={start}>
          Create {of}
        </Button>
      </footer>
    </>
  );
}

function DeleteDialog({ draft }: { readonly draft: Draft }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const users = (presets.state.value.value?.presets ?? []).filter(({ modules }) => modules.includes(draft.name));
  return (
    <>
      <Head>{`Delete ${draft.name}?`}</Head>
      <div class="dialog-form">
        <p class="dim">
          {draft.kind === 'module' && users.length > 0
            ? `${users.map(({ name }) => name).join(', ')} cannot be used without it. `
            : draft.kind === 'preset'
              ? 'Runs that were trained with it stay. '
              : ''}
          {draft.isNew ? 'It was never saved: this cannot be undone.' : UNDO_NOTE}
        </p>
        {error !== null && (
          <p class="note note-err" role="alert">
            <Icon name="warn" />
            {error}
          </p>
        )}
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="outline" onClick={close}>
          Cancel
        </Button>
        <Button
          kind="confirm"
          busy={busy}
          onClick={async () => {
            setBusy(true);
            const problem = await remove(draft);
            setBusy(false);
            setError(problem);
            if (problem === null) close();
          }}
        >
          Delete {draft.kind}
        </Button>
      </footer>
    </>
  );
}

/** Returns the names of the functions that the terms of a container use, as in the framework from which the terms
 *  come. */
function usedFunctions(reply: SchemaReply, container: string): ReadonlySet<string> {
  const library = new Map(libraryOf(reply, container).map((term) => [term.name, term.alias_of ?? term.name]));
  const own = reply.terms.filter(({ path }) => path.startsWith(`${container}.`));
  return new Set(own.map(({ func }) => library.get(func) ?? func));
}

/** A dialog to search the library for terms that the task does not have, and to add one. */
function AddTermDialog({ container, title }: { readonly container: string; readonly title: string }) {
  const [query, setQuery] = useState('');
  const reply = schema.value.value;
  if (reply === null) return null;
  const present = new Set(reply.terms.map(({ path }) => path));
  const terms = libraryOf(reply, container)
    .filter(({ name }) => !present.has(`${container}.${name}`) || isRemoved(`${container}.${name}`))
    .filter(
      ({ name, description }) =>
        match(query, name) !== null || (query.length > 2 && description.toLowerCase().includes(query.toLowerCase())),
    );
  // List the terms first whose function the task does not use yet.
  const inUse = usedFunctions(reply, container);
  const sorted = [...terms].sort(
    (a, b) => Number(inUse.has(a.alias_of ?? a.name)) - Number(inUse.has(b.alias_of ?? b.name)),
  );
  const add = (name: string) => {
    const path = `${container}.${name}`;
    if (isRemoved(path)) reset(path);
    else addTerm(path);
    settingsQuery.value = '';
    show.value = 'all';
    addedTerm.value = path;
    close();
  };
  return (
    <>
      <Head>{`Add to ${title.toLowerCase()}`}</Head>
      <div class="term-search">
        <span class="field">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Find a term"
            placeholder={`Search ${terms.length} terms`}
            value={query}
            autofocus
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </span>
      </div>
      <ul class="term-choices" aria-label="Terms of the library">
        {sorted.map(({ name, alias_of, description, dim, unit }) => (
          <li key={name}>
            <button type="button" class="term-choice" onClick={() => add(name)}>
              <span class="medium">{name}</span>
              <span class="dim num">
                {inUse.has(alias_of ?? name)
                  ? 'in use'
                  : dim === undefined
                    ? unit === '1'
                      ? ''
                      : unit
                    : `${dim} values`}
              </span>
              <span class="dim term-choice-text">{description}</span>
            </button>
          </li>
        ))}
        {terms.length === 0 && <li class="dim term-choice">No term matches.</li>}
      </ul>
    </>
  );
}
