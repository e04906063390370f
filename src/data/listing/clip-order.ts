import { Slices } from '../../core/slices.ts';
import type { QueryOf } from '../../protocol/route.ts';
import type { listClips } from '../../protocol/routes/datasets.ts';
import type { ClipScore } from '../../protocol/schemas/data.ts';
import { type ClipFindings, hasFinding, summaryOf } from '../clip/clip-findings.ts';
import type { ClipMarks } from '../marks/clip-marks.ts';
import type { ClipEntry, EntryList } from './clip-entries.ts';

type Query = QueryOf<typeof listClips>;

/** The filters and the order of a listing, without status and search. */
export type ClipSelection = Pick<Query, 'sort' | 'order' | 'findings' | 'failed' | 'tag' | 'excluded'>;

/** The values of a clip that filters and sorting use; null: not known yet. */
export interface ClipView {
  marks(entry: ClipEntry): ClipMarks;
  /** Returns true if the clip's last conversion failed. */
  failed(entry: ClipEntry): boolean;
  findings(entry: ClipEntry): ClipFindings | null;
  /** Returns the duration of the clip, s. */
  duration(entry: ClipEntry): number | null;
}

/** Number of sort keys. A key and the index of a clip fit together into one exact float64. */
const KEY_COUNT = 2 ** 32;
const INDICES = 2 ** 21;
/** Sort key of a clip whose value is not known. */
const UNKNOWN = KEY_COUNT - 1;
const SEVERITY_RANK = { ok: 0, info: 1, warning: 2, error: 3 } as const;
/** Maximum number of issues per severity that the key can represent. */
const RANK_STEP = 1e6;
/** Number of steps into which the key divides feasibility and complexity. */
const SCORE_STEPS = 1e4;

/** Returns true if a selection neither filters nor reorders the listing. */
export function selectsAll({ sort = 'name', order = 'asc', ...filters }: ClipSelection): boolean {
  return sort === 'name' && order === 'asc' && Object.values(filters).every((value) => value === undefined);
}

/** Filters and sorts clips. Clips with equal keys keep the order of `entries`; clips with an unknown key come last. */
export async function selectClips(entries: EntryList, selection: ClipSelection, view: ClipView): Promise<EntryList> {
  const { sort = 'name', order = 'asc' } = selection;
  const slices = new Slices();
  const kept: ClipEntry[] = [];
  const matches = matcher(selection, view);
  for (const entry of entries) {
    if (slices.due()) await slices.rest();
    if (matches(entry)) kept.push(entry);
  }
  if (sort === 'name' || kept.length > INDICES) return order === 'asc' ? kept : kept.reverse();
  const key = KEYS[sort];
  const keyed = new Float64Array(kept.length);
  for (const [index, entry] of kept.entries()) {
    if (slices.due()) await slices.rest();
    const value = key(entry, view);
    const rank = value === null ? UNKNOWN : order === 'asc' ? value : UNKNOWN - 1 - value;
    keyed[index] = rank * INDICES + index;
  }
  // Numbers sort without a comparison function, which is ten times faster than sorting entries.
  keyed.sort();
  return Array.from(keyed, (value) => kept[value % INDICES]!);
}

/** Functions that compute sort keys: integers from 0 to UNKNOWN − 1. */
const KEYS: Readonly<
  Record<'duration' | 'score' | 'worst' | 'modified', (entry: ClipEntry, view: ClipView) => number | null>
> = {
  duration(entry, view) {
    const seconds = view.duration(entry);
    return seconds === null ? null : bounded(seconds * 1000);
  },
  score(entry, view) {
    const score = view.findings(entry)?.score ?? null;
    return score && scoreKey(score);
  },
  worst(entry, view) {
    const findings = view.findings(entry);
    if (!findings) return null;
    const { worst, issues } = summaryOf(findings, view.marks(entry));
    return SEVERITY_RANK[worst] * RANK_STEP + Math.min(RANK_STEP - 1, issues);
  },
  modified: ({ raw, npz }) => bounded(((raw ?? npz)?.mtimeMs ?? 0) / 1000),
};

/** Returns a key that sorts scores by feasibility, and scores of equal feasibility (to 1e-4) by complexity. */
function scoreKey({ feasibility, complexity }: ClipScore): number {
  return bounded(Math.round(feasibility * SCORE_STEPS) * (SCORE_STEPS + 1) + Math.round(complexity * SCORE_STEPS));
}

function bounded(value: number): number {
  return Math.min(UNKNOWN - 1, Math.max(0, Math.floor(value)));
}

function matcher({ findings, failed, tag, excluded }: ClipSelection, view: ClipView): (entry: ClipEntry) => boolean {
  const tests: ((entry: ClipEntry) => boolean)[] = [];
  if (failed !== undefined) tests.push((entry) => view.failed(entry) === failed);
  if (excluded !== undefined) tests.push((entry) => view.marks(entry).exclude === excluded);
  if (tag !== undefined) tests.push((entry) => view.marks(entry).tags.includes(tag));
  if (findings !== undefined)
    tests.push((entry) => {
      const found = view.findings(entry);
      if (!found) return false;
      if (findings !== 'true' && findings !== 'false') return hasFinding(found, view.marks(entry), findings);
      return summaryOf(found, view.marks(entry)).issues > 0 === (findings === 'true');
    });
  return (entry) => tests.every((test) => test(entry));
}
