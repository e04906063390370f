import { type Static, Type } from 'typebox';
import { Ignored, type IgnoredIssue, Tags, Weight } from '../../protocol/schemas/clip-marks.ts';
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

/** The marks that users have set for a clip. */
export interface ClipMarks {
  /** true: leave the clip out of training, evaluation and motion libraries */
  readonly exclude: boolean;
  /** factor on the probability that an episode starts in this clip, ≥ 0 */
  readonly weight: number;
  readonly tags: readonly string[];
  /** issues that the counts leave out */
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

/** Changes the marks of a clip. Absent fields keep their values. An entry with only default values is removed. */
export function setMarks(
  table: Map<string, ClipMarks>,
  clip: { readonly name: string; readonly raw: unknown },
  change: StoredMarks,
): void {
  const before = marksOf(table, clip);
  const { exclude = before.exclude, weight = before.weight, tags = before.tags, ignore = before.ignore } = change;
  const own: ClipMarks = { exclude, weight, tags: [...new Set(tags)], ignore };
  table.set(clip.name, own);
  if (!saysNothing(own)) return;
  table.delete(clip.name);
  // Keep an entry with default values for a mirror image, which would otherwise have the marks of its original.
  if (marksOf(table, clip) !== NO_MARKS) table.set(clip.name, own);
}

export function marksFrom({ exclude = false, weight = 1, tags = [], ignore = [] }: StoredMarks): ClipMarks {
  return { exclude, weight, tags, ignore };
}

/** Returns true if an issue is ignored. @param body body or joint of the issue; null if the issue has none */
export function isIgnored({ ignore }: ClipMarks, kind: string, body: string | null): boolean {
  return ignore.some((one) => one.kind === kind && (one.body === undefined || one.body === body));
}

function saysNothing({ exclude, weight, tags, ignore }: ClipMarks): boolean {
  return !exclude && weight === 1 && tags.length === 0 && ignore.length === 0;
}
