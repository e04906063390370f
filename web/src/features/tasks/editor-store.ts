import { computed, signal } from '@preact/signals';
import type { Knob, LibraryTerm } from '../../../../src/protocol/schemas/presets.ts';
import type { Loaded } from '../../ui/loadable.ts';
import { problems } from './check-store.ts';
import { chosen, draft } from './drafts-store.ts';
import { presets, schemaOf } from './presets-store.ts';
import type { SchemaReply } from './saved-presets.ts';
import { type Item, type Section, sectionsOf } from './sections.ts';
import { type Edits, equal, type Json } from './shared/edits.ts';
import { addedTerms, freshKnobs, termPathOf } from './term-paths.ts';

export const query = signal('');
export type Show = 'all' | 'changed' | 'invalid';
export const show = signal<Show>('all');

const NOTHING: Loaded<SchemaReply> = { value: null, loading: true, error: null };

/** The knobs of the selected task, preset or module, without the changes of the draft. */
export const schemaSource = computed(() => {
  const now = chosen.value;
  const edited = draft.value;
  if (now?.kind === 'task') return schemaOf(now.name, []);
  return edited === null || edited.base === '' ? null : schemaOf(edited.base, edited.modules);
});
export const schema = computed<Loaded<SchemaReply>>(() => schemaSource.value?.state.value ?? NOTHING);

const NO_EDITS: Edits = {};
export const edits = computed<Edits>(() => draft.value?.edits ?? NO_EDITS);

/** Paths of the terms that the draft adds. */
export const added = computed<ReadonlySet<string>>(() => {
  const reply = schema.value.value;
  return new Set(reply === null ? [] : addedTerms(edits.value, new Set(reply.terms.map(({ path }) => path))));
});

/** Returns the terms of the library whose kind can be added at `path`. */
export function libraryOf(reply: SchemaReply, path: string): readonly LibraryTerm[] {
  if (path.startsWith('observations.')) return reply.observation_terms;
  if (path.startsWith('rewards')) return reply.reward_terms;
  return path.startsWith('terminations') ? reply.termination_terms : reply.event_terms;
}

function libraryTerm(reply: SchemaReply, path: string): LibraryTerm | null {
  const func = edits.value[`${path}.func`];
  const name = typeof func === 'string' ? func : path.slice(path.lastIndexOf('.') + 1);
  return libraryOf(reply, path).find((term) => term.name === name) ?? null;
}

/** All knobs by section. Terms that the draft adds follow the terms of the task. */
export const sections = computed<readonly Section[]>(() => {
  const reply = schema.value.value;
  if (reply === null) return [];
  const fresh = [...added.value].map((path) => ({ path, term: libraryTerm(reply, path) }));
  const knobs = [...reply.knobs, ...fresh.flatMap(({ path, term }) => freshKnobs(path, term, reply.knobs))];
  const terms = [...reply.terms, ...fresh.map(({ path, term }) => ({ path, description: term?.description ?? '' }))];
  return sectionsOf(knobs, terms);
});

export const knobs = computed<ReadonlyMap<string, Knob>>(() => {
  const all = sections.value.flatMap(({ items }) => items.flatMap((item) => [...item.main, ...item.more]));
  return new Map(all.map((knob) => [knob.path, knob]));
});

export function isRemoved(path: string): boolean {
  return edits.value[path] === null && !knobs.value.has(path);
}

export function isChanged(item: Item): boolean {
  if (added.value.has(item.path) || isRemoved(item.path)) return true;
  return [...item.main, ...item.more].some(({ path }) => path in edits.value || path in (draft.value?.bad ?? {}));
}

export function isInvalid(item: Item): boolean {
  return problems.value.some(({ path }) => path === item.path || path.startsWith(`${item.path}.`));
}

/** Returns the name of the module that sets a knob: the last one that lists it, otherwise the last module. Returns null
 *  for a default value. */
export function moduleOf(knob: Knob): string | null {
  if (equal(knob.value as Json, knob.default as Json)) return null;
  const list = presets.state.value.value?.modules ?? [];
  const names = draft.value?.modules ?? [];
  const sets = (name: string) => {
    let value: unknown = list.find((one) => one.name === name)?.overrides;
    for (const key of knob.path.split('.'))
      value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
    return value !== undefined;
  };
  return [...names].reverse().find(sets) ?? names.at(-1) ?? null;
}

/** One line of the list of changes. */
export interface Change {
  readonly path: string;
  readonly place: string;
  readonly name: string;
  readonly before: string | null;
  readonly knob: Knob | null;
  readonly kind: 'value' | 'added' | 'removed' | 'unknown';
}

/** All changes that the draft makes. */
export const changes = computed<readonly Change[]>(() => {
  const paths = [...new Set([...Object.keys(edits.value), ...Object.keys(draft.value?.bad ?? {})])];
  const isKnown = new Set(schema.value.value?.terms.map(({ path }) => path) ?? []);
  return paths
    .filter((path) => !path.endsWith('.func'))
    .map((path): Change => {
      const knob = knobs.value.get(path) ?? null;
      const term = termPathOf(path);
      const cut = term !== null && term !== path ? term.lastIndexOf('.') : path.lastIndexOf('.');
      const shared = { path, place: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1), knob };
      if (knob !== null) return { ...shared, kind: 'value', before: null };
      if (term === path && edits.value[path] === null)
        return { ...shared, kind: isKnown.has(path) ? 'removed' : 'unknown', before: null };
      return { ...shared, kind: term === path && added.value.has(path) ? 'added' : 'unknown', before: null };
    });
});
