import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { undoButton } from '../../net/undo.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { toast } from '../../ui/toasts.ts';
import type { PresetBody, PresetsReply, SavedPresets } from './saved-presets.ts';
import { type Edits, equal, flatten, type Json, nest, without } from './shared/edits.ts';

/** The item that is selected in the editor: a base task, which cannot be changed, a preset or a module. */
export interface Chosen {
  readonly kind: 'task' | 'preset' | 'module';
  readonly name: string;
}

/** The text of a field if it is not a valid value, with the reason. */
interface BadText {
  readonly text: string;
  readonly problem: string;
}

/** A preset or module as it is being edited. */
export interface Draft {
  readonly kind: 'preset' | 'module';
  readonly name: string;
  /** true if the draft has not been saved to a file yet */
  readonly isNew: boolean;
  /** for a module: the task whose knobs are shown; not saved */
  readonly base: string;
  readonly modules: readonly string[];
  readonly description: string;
  readonly edits: Edits;
  /** by path */
  readonly bad: Readonly<Record<string, BadText>>;
}

interface Kept {
  readonly draft: Draft;
  /** the file when the edit began, to notice that others change it; null if there was no file */
  readonly file: Draft | null;
}

/** Initial content of a new draft. */
export type DraftSource = Pick<Draft, 'base' | 'modules' | 'edits' | 'description'>;

export interface DraftsDeps {
  readonly presets: SavedPresets;
  /** id of the selected robot; '' until it is known */
  readonly robotId: ReadonlySignal<string>;
  readonly toast: typeof toast;
  /** shows an error to the user */
  readonly failed: (what: string, error: unknown) => void;
}

/** Drafts of presets and modules. A draft is kept when the user selects another item. A draft that is equal to its file
 *  is dropped. */
export class TaskDrafts {
  readonly #deps: DraftsDeps;
  readonly chosen = signal<Chosen | null>(null);
  readonly saving = signal(false);
  /** The drafts by key. A key consists of robot, kind and name. */
  readonly #drafts = signal<ReadonlyMap<string, Kept>>(new Map());
  /** The edited preset or module; null if a base task or nothing is chosen. */
  readonly draft = computed<Draft | null>(() => {
    const now = this.chosen.value;
    const list = this.#deps.presets.presets.state.value.value;
    if (now === null || now.kind === 'task') return null;
    const kept = this.#drafts.value.get(this.#keyOf(now.kind, now.name));
    return kept?.draft ?? (list === null ? null : fileOf(list, now));
  });
  /** Presets and modules of the selected robot with unsaved changes, including new ones. */
  readonly unsaved = computed<readonly Draft[]>(() => {
    const robotPart = `${this.#deps.robotId.value} `;
    return [...this.#drafts.value].flatMap(([key, { draft }]) => (key.startsWith(robotPart) ? [draft] : []));
  });
  /** True if the page has unsaved changes for any robot. */
  readonly hasUnsaved = computed(() => this.#drafts.value.size > 0);
  /** True if the edited file is not as it was when the edit began: another page or program changed it. */
  readonly isOutdated = computed(() => {
    const now = this.chosen.value;
    const list = this.#deps.presets.presets.state.value.value;
    const kept = now === null ? undefined : this.#drafts.value.get(this.#keyOf(now.kind, now.name));
    if (now === null || list === null || kept === undefined || this.saving.value) return false;
    const file = fileOf(list, now);
    return file === null || kept.file === null ? file !== kept.file : !isSame(file, kept.file);
  });

  constructor(deps: DraftsDeps) {
    this.#deps = deps;
  }

  #keyOf(kind: string, name: string): string {
    return `${this.#deps.robotId.value} ${kind} ${name}`;
  }

  readonly isUnsaved = (kind: 'preset' | 'module', name: string): boolean =>
    this.unsaved.value.some((one) => one.kind === kind && one.name === name);

  #put(next: Draft): void {
    const list = this.#deps.presets.presets.state.peek().value;
    const file = list === null ? null : fileOf(list, next);
    const key = this.#keyOf(next.kind, next.name);
    const others = new Map(this.#drafts.peek());
    if (file !== null && isSame(next, file)) others.delete(key);
    else others.set(key, { draft: next, file: (others.get(key) ?? { file }).file });
    this.#drafts.value = others;
  }

  readonly change = (part: Partial<Pick<Draft, 'base' | 'modules' | 'description'>>): void => {
    const now = this.draft.peek();
    if (now !== null) this.#put({ ...now, ...part });
  };

  /** Sets a knob. If the value is equal to `standing`, removes the edit of the knob. @param standing value of the knob
   *  without this draft */
  readonly setKnob = (path: string, value: Json, standing: Json | undefined): void => {
    const now = this.draft.peek();
    if (now === null) return;
    const edits = { ...without(now.edits, path), ...(equal(value, standing) ? {} : { [path]: value }) };
    const bad = Object.fromEntries(Object.entries(now.bad).filter(([other]) => other !== path));
    this.#put({ ...now, edits, bad });
  };

  /** Keeps text that is not a valid value, so that the user can correct it. */
  readonly setBadText = (path: string, text: string, problem: string): void => {
    const now = this.draft.peek();
    if (now !== null) this.#put({ ...now, bad: { ...now.bad, [path]: { text, problem } } });
  };

  /** Undoes every change at `path` and below it. */
  readonly reset = (path: string): void => {
    const now = this.draft.peek();
    if (now === null) return;
    const bad = Object.fromEntries(
      Object.entries(now.bad).filter(([key]) => key !== path && !key.startsWith(`${path}.`)),
    );
    this.#put({ ...now, edits: without(now.edits, path), bad });
  };

  readonly addTerm = (path: string): void => {
    const now = this.draft.peek();
    if (now !== null) this.#put({ ...now, edits: { ...without(now.edits, path), [path]: {} } });
  };

  readonly removeTerm = (path: string): void => {
    const now = this.draft.peek();
    if (now === null) return;
    this.reset(path);
    const cleared = this.draft.peek() ?? now;
    this.#put({ ...cleared, edits: { ...cleared.edits, [path]: null } });
  };

  /** Starts a new preset or module and chooses it. */
  readonly begin = (kind: 'preset' | 'module', name: string, from: DraftSource): void => {
    const others = new Map(this.#drafts.peek());
    others.set(this.#keyOf(kind, name), { draft: { kind, name, isNew: true, bad: {}, ...from }, file: null });
    this.#drafts.value = others;
    this.chosen.value = { kind, name };
  };

  /** Drops unsaved changes. Removes a preset or module that was never saved. */
  readonly discard = ({ kind, name, isNew }: Draft): void => {
    const others = new Map(this.#drafts.peek());
    others.delete(this.#keyOf(kind, name));
    this.#drafts.value = others;
    if (isNew && this.chosen.peek()?.name === name) this.chosen.value = null;
  };

  readonly save = async (now: Draft): Promise<void> => {
    const { presets, toast, failed } = this.#deps;
    const key = this.#keyOf(now.kind, now.name);
    this.saving.value = true;
    try {
      const undo =
        now.kind === 'preset'
          ? await presets.savePreset(now.name, bodyOf(now))
          : await presets.saveModule(now.name, bodyOf(now));
      this.#takeSaved(key, now);
      toast('ok', `${now.name} saved`, '', undoButton(`${now.name} saved`, [undo]));
    } catch (error) {
      failed(`${now.name} could not be saved`, error);
    } finally {
      this.saving.value = false;
    }
  };

  /** Drops a saved draft. Changes made during the save stay, as changes of the saved file. */
  #takeSaved(key: string, sent: Draft): void {
    const drafts = new Map(this.#drafts.peek());
    const now = drafts.get(key)?.draft;
    const list = this.#deps.presets.presets.state.peek().value;
    const file = (list === null ? null : fileOf(list, sent)) ?? sent;
    if (now === undefined || now === sent || isSame(now, file)) drafts.delete(key);
    else drafts.set(key, { draft: { ...now, isNew: false }, file });
    this.#drafts.value = drafts;
  }

  /** Deletes a preset or module and its draft. @returns the error message; null after a success */
  readonly remove = async (now: Draft): Promise<string | null> => {
    let undo: string | null = null;
    try {
      if (!now.isNew) undo = await this.#deps.presets.deleteConfig(now.kind, now.name);
    } catch (error) {
      return messageOf(error);
    }
    this.discard({ ...now, isNew: true });
    this.chosen.value = null;
    this.#deps.toast('ok', `${now.name} deleted`, '', undoButton(`${now.name} deleted`, [undo]));
    return null;
  };
}

/** Returns the body of the request that saves a draft. */
export function bodyOf({ base, modules, description, edits }: Draft): PresetBody {
  return { base, modules, description, overrides: nest(edits) };
}

/** Returns a saved preset or module as a draft without changes; null if there is no such file. */
function fileOf(list: PresetsReply, { kind, name }: Chosen): Draft | null {
  const plain = list.tasks.find(({ preset }) => preset === null)?.name ?? '';
  const found = (kind === 'preset' ? list.presets : list.modules).find((one) => one.name === name);
  if (found === undefined || kind === 'task') return null;
  const preset = list.presets.find((one) => one.name === name);
  return {
    kind,
    name,
    isNew: false,
    base: kind === 'preset' && preset !== undefined ? preset.base : plain,
    modules: kind === 'preset' ? (preset?.modules ?? []) : [],
    description: found.description,
    edits: flatten(found.overrides),
    bad: {},
  };
}

/** Returns true if a draft is equal to its file. The base of a module is compared too: it is not saved, but the editor
 *  keeps it. */
function isSame(draft: Draft, file: Draft): boolean {
  return (
    Object.keys(draft.bad).length === 0 &&
    draft.base === file.base &&
    equal(
      [draft.modules, draft.description, sorted(draft.edits)] as Json,
      [file.modules, file.description, sorted(file.edits)] as Json,
    )
  );
}

function sorted(edits: Edits): Edits {
  return Object.fromEntries(Object.entries(edits).sort(([a], [b]) => (a < b ? -1 : 1)));
}
