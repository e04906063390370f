import { type Static, Type } from 'typebox';
import { badInput } from '../../core/errors.ts';
import { problemOf } from '../../core/validation.ts';
import {
  Ignored,
  type IgnoredIssue,
  MAX_IGNORED,
  MAX_TAGS,
  type MarkEntries,
  Tags,
  Weight,
} from '../../protocol/schemas/clip-marks.ts';
import { mirroredFrom } from '../conversion/mirror-name.ts';

/** Marks of a clip in the form stored by `dataset.yaml`. An absent field has its default. */
export const StoredMarks = Type.Object(
  {
    exclude: Type.Optional(Type.Boolean()),
    weight: Type.Optional(Weight),
    tags: Type.Optional(Tags),
    ignore: Type.Optional(Ignored),
  },
  { additionalProperties: false },
);
export type StoredMarks = Static<typeof StoredMarks>;

/** A change of marks: new values, then entries to remove from the lists, then entries to add. */
export interface MarkChange extends StoredMarks {
  readonly remove?: MarkEntries;
  readonly add?: MarkEntries;
}

/** The marks that users have set for a clip. */
export interface ClipMarks {
  /** true: leave the clip out of training, evaluation and motion libraries */
  readonly exclude: boolean;
  /** factor on the probability that an episode starts in this clip, ≥ 0 */
  readonly weight: number;
  readonly tags: readonly string[];
  /** issues that are not counted */
  readonly ignore: readonly IgnoredIssue[];
}

/** Marks by clip name. A clip without an entry has {@link NO_MARKS}. */
export type MarkTable = ReadonlyMap<string, ClipMarks>;

export const NO_MARKS: ClipMarks = { exclude: false, weight: 1, tags: [], ignore: [] };

/** Returns the marks of a clip. A mirror image created by a conversion has the marks of its original until the
 *  mirror image itself is marked.
 *  @param raw the clip's raw file; null for a clip with only an npz */
export function marksOf(table: MarkTable, { name, raw }: { readonly name: string; readonly raw: unknown }): ClipMarks {
  const own = table.get(name);
  if (own || raw !== null || table.size === 0) return own ?? NO_MARKS;
  const original = mirroredFrom(name);
  return (original === null ? undefined : table.get(original)) ?? NO_MARKS;
}

/** Changes the marks of a clip. Absent fields keep their values. An entry with only default values is removed.
 *  @throws bad_input if the clip would have too many tags or ignored issues */
export function setMarks(
  table: Map<string, ClipMarks>,
  clip: { readonly name: string; readonly raw: unknown },
  { remove, add, ...change }: MarkChange,
): void {
  const before = marksOf(table, clip);
  const { exclude = before.exclude, weight = before.weight } = change;
  const tags = (change.tags ?? before.tags).filter((tag) => remove?.tags?.includes(tag) !== true);
  const ignore = (change.ignore ?? before.ignore).filter(
    (entry) => remove?.ignore?.some((removed) => covers(removed, entry)) !== true,
  );
  const own: ClipMarks = {
    exclude,
    weight,
    tags: [...new Set([...tags, ...(add?.tags ?? [])])],
    ignore: [
      ...ignore,
      ...(add?.ignore ?? []).filter((added) => !isIgnored({ ignore }, added.kind, added.body ?? null)),
    ],
  };
  if (own.tags.length > MAX_TAGS)
    throw badInput(
      `add.tags: "${clip.name}" would have ${own.tags.length} tags, the limit is ${MAX_TAGS}. Remove some.`,
    );
  if (own.ignore.length > MAX_IGNORED)
    throw badInput(
      `add.ignore: "${clip.name}" would ignore ${own.ignore.length} issues, the limit is ${MAX_IGNORED}. Ignore a kind for all bodies by omitting the body.`,
    );
  table.set(clip.name, own);
  if (!saysNothing(own)) return;
  table.delete(clip.name);
  // Keep an entry with default values for a mirror image, which would otherwise have the marks of its original.
  if (marksOf(table, clip) !== NO_MARKS) table.set(clip.name, own);
}

/** Reads marks that were stored outside of `dataset.yaml`. Skips damaged entries. */
export function readMarks(stored: Readonly<Record<string, unknown>>): MarkTable {
  return new Map(
    Object.entries(stored).flatMap(([clip, marks]) =>
      problemOf(StoredMarks, marks) === null ? [[clip, marksFrom(marks as StoredMarks)] as const] : [],
    ),
  );
}

export function marksFrom({ exclude = false, weight = 1, tags = [], ignore = [] }: StoredMarks): ClipMarks {
  return { exclude, weight, tags, ignore };
}

/** Returns true if `remove` removes an entry: one of the same kind, for the same body or for all bodies. Without a
 *  body, `remove` removes all entries of its kind. */
function covers(remove: IgnoredIssue, entry: IgnoredIssue): boolean {
  if (remove.kind !== entry.kind) return false;
  return remove.body === undefined || entry.body === undefined || remove.body === entry.body;
}

/** Returns true if an issue is ignored. @param body body or joint of the issue; null if the issue has none */
export function isIgnored({ ignore }: Pick<ClipMarks, 'ignore'>, kind: string, body: string | null): boolean {
  return ignore.some((one) => one.kind === kind && (one.body === undefined || one.body === body));
}

function saysNothing({ exclude, weight, tags, ignore }: ClipMarks): boolean {
  return !exclude && weight === 1 && tags.length === 0 && ignore.length === 0;
}
