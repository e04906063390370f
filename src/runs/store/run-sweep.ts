import { type ChangeCursor, ChangeLog, type Changes } from './change-log.ts';
import { forgetPlace, runPlaces, type ScannedRun, scanPlace, scanPlaceBriefly } from './scan-run.ts';

/** Part of the changes of the runs after a cursor. Keys are paths `<run_dir>/<run>`. */
export type SweepPart = Changes<ScannedRun>;

/** Maximum number of runs of one part. Receiving this many takes the main thread about 4 ms. */
const MOST_RUNS = 200;
/** Maximum duration of one part, ms, so that other tasks of the thread run in between. */
const PART_MS = 50;
/** Number of runs whose files are checked in each sweep, in turn. In a workspace with more runs, the files of one
 *  run are checked every (runs / number) sweeps. */
const LOOKED_AT = 250;
/** A run whose folder changed within this time, ms, may get files in its subfolders. Its files are checked in every
 *  sweep. */
const RECENT_MS = 600_000;
/** Maximum number of recent runs whose files are checked in a sweep. In a copied workspace, all runs are recent. */
const MOST_RECENT = 250;

/** Finds the runs that changed, in parts. One per thread and folder. */
class RunSweep {
  readonly #root: string;
  readonly #runs = new ChangeLog<ScannedRun>();
  /** folders of the last sweep by path */
  #places: ReadonlyMap<string, string> = new Map();
  #sweeps = 0;
  #running: Iterator<undefined> | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  /** @param start true begins a sweep, false continues the current one */
  next(since: ChangeCursor | null, start: boolean): SweepPart {
    if (start) this.#running = this.#sweep();
    const until = performance.now() + PART_MS;
    while (this.#running !== null && performance.now() < until) if (this.#running.next().done) this.#running = null;
    const part = this.#runs.since(since, MOST_RUNS);
    return { ...part, more: part.more || this.#running !== null };
  }

  *#sweep(): Generator<undefined> {
    this.#sweeps += 1;
    const turns = Math.ceil(this.#places.size / LOOKED_AT);
    const recent = Date.now() - RECENT_MS;
    const places = new Map<string, string>();
    let count = 0;
    let recentLeft = MOST_RECENT;
    for (const place of runPlaces(this.#root)) {
      const path = `${place.runDir}/${place.run}`;
      places.set(path, place.folder);
      const before = this.#runs.get(path);
      let whole = turns <= 1 || (count + this.#sweeps) % turns === 0;
      if (!whole && recentLeft > 0 && (before?.modifiedMs ?? 0) > recent) {
        whole = true;
        recentLeft -= 1;
      }
      this.#note(path, before, whole ? scanPlace(place) : scanPlaceBriefly(place));
      count += 1;
      yield;
    }
    for (const [path, folder] of this.#places)
      if (!places.has(path)) {
        forgetPlace(folder);
        this.#note(path, this.#runs.get(path), null);
      }
    this.#places = places;
  }

  #note(path: string, before: ScannedRun | null, run: ScannedRun | null): void {
    if (before !== run && !(before !== null && run !== null && isSame(before, run))) this.#runs.set(path, run);
  }
}

const sweeps = new Map<string, RunSweep>();

/** Returns a part of the changes of the runs `<root>/<experiment>/<run>`. Call it again with the cursor of each part
 *  until `more` is false. Blocks for up to 50 ms, so call it in the listing thread. Calls for the same folder must
 *  not overlap.
 *  @param since null: from the beginning
 *  @param start true for the first part; starts a new scan of the folders */
export function sweepRuns(root: string, since: ChangeCursor | null, start: boolean): SweepPart {
  const known = sweeps.get(root);
  const sweep = known ?? new RunSweep(root);
  sweeps.set(root, sweep);
  // a thread without a sweep, such as one that replaced a crashed one, starts a sweep
  return sweep.next(since, start || known === undefined);
}

function isSame(a: ScannedRun, b: ScannedRun): boolean {
  const [lastA, lastB] = [a.checkpoints.at(-1), b.checkpoints.at(-1)];
  return (
    a.signature === b.signature &&
    a.modifiedMs === b.modifiedMs &&
    a.createdMs === b.createdMs &&
    a.format === b.format &&
    a.error === b.error &&
    a.folder === b.folder &&
    a.checkpoints.length === b.checkpoints.length &&
    lastA?.name === lastB?.name &&
    lastA?.modifiedMs === lastB?.modifiedMs &&
    a.checkpoints[0]?.name === b.checkpoints[0]?.name
  );
}
