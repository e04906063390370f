/** What may have changed in a dataset's folders. */
export interface Changes {
  /** true if anything may have changed, so that the folders must be listed again */
  readonly all: boolean;
  /** true if all files are complete, whatever their modification times */
  readonly settled: boolean;
  /** true if a watch or a writer reported the change */
  readonly reported: boolean;
  /** names that may have changed, by folder */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** absolute paths of files that are complete, whatever their modification times */
  readonly complete: ReadonlySet<string>;
}

/** Whether the listing of a dataset is current. Pure: each function below returns the next state.
 *
 *  | event \ state            | fresh    | stale(s)                             | reading(t, later)       |
 *  |--------------------------|----------|--------------------------------------|-------------------------|
 *  | `changed(c)`             | stale(c) | stale(s + c)                         | reading(t, later + c)   |
 *  | `beginReading`, listing  | –        | reading(s, nothing)                  | –                       |
 *  | `beginReading`, names    | –        | reading(names of s, the rest of s)   | –                       |
 *  | `beginListing`           | –        | –                                    | reading(t + later + all, nothing) |
 *  | `postponeListing`        | –        | –                                    | stale(t + later + all)  |
 *  | `finishReading`          | –        | –                                    | later is nothing ? fresh : stale(later) |
 *  | `failReading`            | –        | –                                    | stale(t + later)        |
 *
 *  A change leaves the state only by `finishReading`, after a reading that began later than the change. */
export type Freshness = { readonly kind: 'fresh' } | { readonly kind: 'stale'; readonly changes: Changes } | Reading;

/** The folders are being read. */
export interface Reading {
  readonly kind: 'reading';
  /** the changes that this reading covers */
  readonly taken: Changes;
  /** changes after the reading began, which it may have missed; null if there are none */
  readonly later: Changes | null;
}

export const FRESH: Freshness = { kind: 'fresh' };
const NOTHING: Changes = { all: false, settled: false, reported: false, names: new Map(), complete: new Set() };
const EVERYTHING: Changes = { ...NOTHING, all: true };
/** State of a dataset that was never listed. */
export const UNREAD: Freshness = { kind: 'stale', changes: EVERYTHING };

/** Returns the state after possible changes. */
export function changed(now: Freshness, part: Partial<Changes>): Freshness {
  const changes = { ...NOTHING, ...part };
  if (now.kind === 'fresh') return { kind: 'stale', changes };
  if (now.kind === 'stale') return { kind: 'stale', changes: merge(now.changes, changes) };
  return { ...now, later: now.later ? merge(now.later, changes) : changes };
}

/** Begins to read what is stale. @param listing false: only single files are read, and a listing remains due */
export function beginReading(now: Freshness, listing: boolean): Reading {
  if (now.kind !== 'stale') throw new Error(`a dataset must be stale when reading begins, but it is ${now.kind}`);
  const { changes } = now;
  if (listing || !changes.all) return { kind: 'reading', taken: changes, later: null };
  const { names, complete } = changes;
  return {
    kind: 'reading',
    taken: { ...NOTHING, names, complete },
    later: { ...changes, names: NOTHING.names, complete: NOTHING.complete },
  };
}

/** Returns the state after reading single files was not enough: the reading continues by listing the folders. */
export function beginListing(now: Freshness): Reading {
  return { kind: 'reading', taken: merge(covered(requireReading(now)), EVERYTHING), later: null };
}

/** Returns the state after reading single files was not enough and the listing is postponed. */
export function postponeListing(now: Freshness): Freshness {
  return { kind: 'stale', changes: merge(covered(requireReading(now)), EVERYTHING) };
}

export function finishReading(now: Freshness): Freshness {
  const { later } = requireReading(now);
  return later ? { kind: 'stale', changes: later } : FRESH;
}

/** Returns the state after a failed reading: everything that it covered is stale again. */
export function failReading(now: Freshness): Freshness {
  return { kind: 'stale', changes: covered(requireReading(now)) };
}

function requireReading(now: Freshness): Reading {
  if (now.kind !== 'reading') throw new Error(`the dataset must be in the state reading, but it is ${now.kind}`);
  return now;
}

function covered({ taken, later }: Reading): Changes {
  return later ? merge(taken, later) : taken;
}

function merge(a: Changes, b: Changes): Changes {
  const names = new Map(a.names);
  for (const [folder, more] of b.names) names.set(folder, union(names.get(folder) ?? NOTHING.complete, more));
  return {
    all: a.all || b.all,
    settled: a.settled || b.settled,
    reported: a.reported || b.reported,
    names,
    complete: union(a.complete, b.complete),
  };
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  if (b.size === 0) return a;
  return a.size === 0 ? b : new Set([...a, ...b]);
}
