import { computed, signal } from '@preact/signals';
import { messageOf } from '../../ui/message-of.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { robot } from '../robots/robots-store.ts';
import { type Edits, equal, flatten, type Json, nest, without } from './edits.ts';
import {
  changedOutside,
  deleteConfig,
  type PresetBody,
  type PresetsReply,
  presets,
  saveModule,
  savePreset,
} from './presets-store.ts';

/** What the editor shows: a base task as it is, or a preset or module to change. */
export interface Chosen {
  readonly kind: 'task' | 'preset' | 'module';
  readonly name: string;
}

/** A field's text that is no value, and why. */
export interface BadText {
  readonly text: string;
  readonly problem: string;
}

/** A preset or module as it is being edited. */
export interface Draft {
  readonly kind: 'preset' | 'module';
  readonly name: string;
  /** not a file yet */
  readonly isNew: boolean;
  /** of a module: the task that its knobs are shown on, which is not saved */
  readonly base: string;
  readonly modules: readonly string[];
  readonly description: string;
  readonly edits: Edits;
  readonly bad: Readonly<Record<string, BadText>>;
}

export const chosen = signal<Chosen | null>(null);

/** Drafts that differ from their file, by robot, kind and name: leaving one keeps it. */
const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

const keyOf = (kind: string, name: string) => `${robot.value?.id ?? ''} ${kind} ${name}`;

function stored(list: PresetsReply, { kind, name }: Chosen): Draft | null {
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

/** What is being edited; null for a base task or nothing. */
export const draft = computed<Draft | null>(() => {
  const now = chosen.value;
  const list = presets.state.value.value;
  if (now === null || now.kind === 'task') return null;
  return drafts.value.get(keyOf(now.kind, now.name)) ?? (list === null ? null : stored(list, now));
});

/** Presets and modules that are not saved, new ones among them. */
export const unsaved = computed<readonly Draft[]>(() => {
  const robotPart = `${robot.value?.id ?? ''} `;
  return [...drafts.value].flatMap(([key, one]) => (key.startsWith(robotPart) ? [one] : []));
});

export function isUnsaved(kind: 'preset' | 'module', name: string): boolean {
  return unsaved.value.some((one) => one.kind === kind && one.name === name);
}

/** The file of the draft was changed by someone else since it was opened. */
export const isOutdated = computed(() => {
  const now = draft.value;
  return now !== null && isUnsaved(now.kind, now.name) && changedOutside.value.has(`${now.kind} ${now.name}`);
});

export function bodyOf({ base, modules, description, edits }: Draft): PresetBody {
  return { base, modules, description, overrides: nest(edits) };
}

function put(next: Draft): void {
  const list = presets.state.peek().value;
  const file = list === null ? null : stored(list, next);
  const same =
    file !== null &&
    Object.keys(next.bad).length === 0 &&
    (next.kind === 'module' || next.base === file.base) &&
    equal(
      [next.modules, next.description, sorted(next.edits)] as Json,
      [file.modules, file.description, sorted(file.edits)] as Json,
    );
  const others = new Map(drafts.peek());
  // The base of a module's view is kept, though nothing of it is saved.
  if (same && !(next.kind === 'module' && next.base !== file.base)) others.delete(keyOf(next.kind, next.name));
  else others.set(keyOf(next.kind, next.name), next);
  drafts.value = others;
}

function sorted(edits: Edits): Edits {
  return Object.fromEntries(Object.entries(edits).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function change(part: Partial<Pick<Draft, 'base' | 'modules' | 'description'>>): void {
  const now = draft.peek();
  if (now !== null) put({ ...now, ...part });
}

/** Sets a knob; the value that it has anyway is no change. @param standing the value without this draft */
export function setKnob(path: string, value: Json, standing: Json | undefined): void {
  const now = draft.peek();
  if (now === null) return;
  const edits = { ...without(now.edits, path), ...(equal(value, standing) ? {} : { [path]: value }) };
  put({ ...now, edits, bad: withoutKey(now.bad, path) });
}

/** Keeps what was typed though it is no value. */
export function setBadText(path: string, text: string, problem: string): void {
  const now = draft.peek();
  if (now !== null) put({ ...now, bad: { ...now.bad, [path]: { text, problem } } });
}

/** Takes back every change at a path and below. */
export function reset(path: string): void {
  const now = draft.peek();
  if (now === null) return;
  const bad = Object.fromEntries(
    Object.entries(now.bad).filter(([key]) => key !== path && !key.startsWith(`${path}.`)),
  );
  put({ ...now, edits: without(now.edits, path), bad });
}

export function addTerm(path: string): void {
  const now = draft.peek();
  if (now !== null) put({ ...now, edits: { ...without(now.edits, path), [path]: {} } });
}

export function removeTerm(path: string): void {
  const now = draft.peek();
  if (now === null) return;
  reset(path);
  const cleared = draft.peek() ?? now;
  put({ ...cleared, edits: { ...cleared.edits, [path]: null } });
}

function withoutKey<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
}

/** Begins a preset or module that is no file yet. @param from what it begins as */
export function begin(
  kind: 'preset' | 'module',
  name: string,
  from: Pick<Draft, 'base' | 'modules' | 'edits' | 'description'>,
): void {
  const others = new Map(drafts.peek());
  others.set(keyOf(kind, name), { kind, name, isNew: true, bad: {}, ...from });
  drafts.value = others;
  chosen.value = { kind, name };
}

/** Forgets what is not saved; a new one is gone then. */
export function discard({ kind, name, isNew }: Draft): void {
  const others = new Map(drafts.peek());
  others.delete(keyOf(kind, name));
  drafts.value = others;
  seen(kind, name);
  if (isNew && chosen.peek()?.name === name) chosen.value = null;
}

function seen(kind: string, name: string): void {
  const key = `${kind} ${name}`;
  changedOutside.value = new Set([...changedOutside.peek()].filter((one) => one !== key));
}

export const saving = signal(false);

export async function save(now: Draft): Promise<void> {
  saving.value = true;
  try {
    if (now.kind === 'preset') await savePreset(now.name, bodyOf(now));
    else await saveModule(now.name, bodyOf(now));
    discard({ ...now, isNew: false });
    toast('ok', `${now.name} saved`);
  } catch (error) {
    failed(`${now.name} could not be saved`, error);
  } finally {
    saving.value = false;
  }
}

/** @returns why it could not be deleted, null where it is gone */
export async function remove(now: Draft): Promise<string | null> {
  try {
    if (!now.isNew) await deleteConfig(now.kind, now.name);
  } catch (error) {
    return messageOf(error);
  }
  discard({ ...now, isNew: true });
  chosen.value = null;
  toast('ok', `${now.name} deleted`);
  return null;
}
