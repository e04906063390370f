import path from 'node:path';
import { badInput, messageOf } from '../../core/errors.ts';
import { fileError, writeAtomic } from '../../core/files/atomic-file.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Logger } from '../../core/logger.ts';
import { Mutex } from '../../core/mutex.ts';
import { Slices } from '../../core/slices.ts';
import { formatYaml } from '../../core/yaml-file.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { markRun } from '../../protocol/routes/runs.ts';
import { readRunMarks } from '../../runs/params/read-added-files.ts';
import type { ChangeCursor } from '../../runs/store/change-log.ts';
import { ADDED_FILES, type RunRecord } from '../../runs/store/run-record.ts';
import type { EventHub } from '../event-hub.ts';
import type { Trash } from '../trash/trash.ts';
import type { Uses } from '../uses.ts';
import { RunListing, type RunListingDeps, type RunsReply } from './run-listing.ts';
import { trackedShare } from './tracked-share.ts';

export interface RunsDeps extends RunListingDeps {
  readonly logger: Logger;
  readonly uses: Uses;
  readonly hub: EventHub;
  readonly trash: Trash;
}

/** Maximum number of paths in one `runs` event, so that an event of a workspace with many runs stays small. */
const MOST_CHANGED = 1000;
/** Delays of repeated checks of the runs after a change on disk, ms: the files of a copied run arrive one after
 *  another. */
const LOOKS_MS = [300, 700, 1500, 3000, 6000, 12_000, 24_000];

/** Lists runs on disk for clients: those of the selected robot, and those of unknown robots. */
export class Runs {
  readonly #deps: RunsDeps;
  /** serialises changes of the marks of one run */
  readonly #marking = new Mutex();
  readonly #listing: RunListing;
  /** what clients know of each run, by its path */
  readonly #seen = new Map<string, string>();
  /** the changes that clients were told of */
  #told: ChangeCursor | null = null;
  #look: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.#listing = new RunListing(deps);
    deps.trash.connect('run', async ({ name }, put) => {
      const redo = await put();
      deps.hub.publish('runs', { changed: [name] });
      return redo;
    });
  }

  /** Returns `GET /api/runs` and `GET /api/play/runs`. @param since see {@link RunListing.reply} */
  list(since: string | null): Promise<RunsReply> {
    return this.#listing.reply(since);
  }

  /** Notifies clients of runs whose files were read since the last event. */
  changedFacts(): void {
    void this.#publishLogged();
  }

  /** Notifies clients of runs that appear, change or disappear on disk. Checks several times, because the files of a
   *  run arrive one after another. */
  changedOnDisk(): void {
    if (this.#look) clearTimeout(this.#look);
    this.#lookSoon(0);
  }

  close(): Promise<void> {
    this.#closed = true;
    if (this.#look) clearTimeout(this.#look);
    this.#look = null;
    return this.#deps.store.close();
  }

  #lookSoon(round: number): void {
    const pause = LOOKS_MS[round];
    this.#look = null;
    if (pause === undefined) return;
    this.#look = setTimeout(() => {
      this.#lookSoon(round + 1);
      void this.#publishLogged();
    }, pause).unref();
  }

  #publishLogged(): Promise<void> {
    return this.#publishChanged().catch((error: unknown) => {
      if (!this.#closed) this.#deps.logger.warn({ err: error }, `the runs could not be listed: ${messageOf(error)}`);
    });
  }

  async #publishChanged(): Promise<void> {
    await this.#deps.store.list();
    const { anew, cursor, changes } = this.#deps.store.changedSince(this.#told);
    this.#told = cursor;
    const before = anew ? new Map(this.#seen) : this.#seen;
    if (anew) this.#seen.clear();
    const changed = new Set<string>();
    for (const [run, record] of changes) {
      const state = record && stateOf(record);
      if ((before.get(run) ?? null) !== state) changed.add(run);
      if (state === null) this.#seen.delete(run);
      else this.#seen.set(run, state);
    }
    if (anew) for (const run of before.keys()) if (!this.#seen.has(run)) changed.add(run);
    const paths = [...changed];
    for (let from = 0; from < paths.length; from += MOST_CHANGED)
      this.#deps.hub.publish('runs', { changed: paths.slice(from, from + MOST_CHANGED) });
  }

  /** Returns the paths of runs by robot. */
  pathsByRobot(): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#listing.pathsByRobot();
  }

  /** Returns a run that the selected robot can play.
   *  @throws bad_input for an unknown or damaged run, a run of another robot, or a run without checkpoints */
  async forPlay(run: string): Promise<RunRecord> {
    const record = await this.ofSelected(run);
    if (record.checkpoints.length === 0) throw badInput(`run: ${quoteName(run)} has no checkpoint yet`);
    return record;
  }

  /** Returns a run of the selected robot, also one without checkpoints.
   *  @throws bad_input for an unknown or damaged run, or a run of another robot */
  async ofSelected(run: string): Promise<RunRecord> {
    const record = await this.#deps.store.find(run);
    const { robot, error } = this.#listing.describe(record);
    const selected = this.#deps.selected();
    if (error !== null) throw badInput(`run: ${quoteName(run)} cannot be played: ${error}`);
    if (robot !== selected)
      throw badInput(
        `run: ${quoteName(run)} is a run of robot "${robot}", but "${selected}" is selected. Select its robot first.`,
      );
    return record;
  }

  /** @throws bad_input for an unknown run */
  find(run: string): Promise<RunRecord> {
    return this.#deps.store.find(run);
  }

  /** Returns a run that a training of the selected robot can continue, or start from.
   *  @param field name of the field in messages  @throws bad_input */
  async forTraining(run: string, field: 'resume_run' | 'start_from'): Promise<RunRecord> {
    const record = await this.#deps.store.find(run, field);
    const { robot, error } = this.#listing.describe(record);
    const selected = this.#deps.selected();
    if (error !== null) throw badInput(`${field}: ${quoteName(run)} cannot be used: ${error}`);
    if (robot === selected) return record;
    throw badInput(`${field}: ${quoteName(run)} is a run of robot "${robot}", but "${selected}" is selected`);
  }

  /** Lists the scored runs of the selected robot and a task, from which a training can start: largest share of tracked
   *  time first, the newest first among equals. */
  async forStart(task: string): Promise<readonly RunRecord[]> {
    const selected = this.#deps.selected();
    const records = (await this.#deps.store.list({ patient: true })).filter((record) => {
      if (record.training.score === null || record.checkpoints.length === 0) return false;
      const run = this.#listing.describe(record);
      return run.robot === selected && run.error === null && run.task === task && run.format !== 'deploy';
    });
    const slices = new Slices();
    const rated: { readonly record: RunRecord; readonly share: number }[] = [];
    for (const record of records) {
      rated.push({ record, share: await trackedShare(record) });
      if (slices.due()) await slices.rest();
    }
    rated.sort((a, b) => b.share - a.share); // the sort is stable, and records come newest first
    return rated.map(({ record }) => record);
  }

  /** Changes marks of a run. @throws bad_input for an unknown run or a damaged `marks.yaml`, disk_full */
  async mark({ run, ...change }: BodyOf<typeof markRun>): Promise<void> {
    const { folder } = await this.#deps.store.find(run);
    await this.#marking.run(async () => {
      const { tags, ...others } = { ...(await readRunMarks(folder)), ...change };
      const marks = { version: 1, tags: [...new Set(tags)], ...others };
      try {
        await writeAtomic(path.join(folder, ADDED_FILES.marks), formatYaml(marks));
      } catch (error) {
        throw fileError(error);
      }
    }, folder);
    this.#deps.hub.publish('runs', { changed: [run] });
  }

  /** Returns the path of one file of a run. @throws bad_input for an unknown run or file */
  file(run: string, file: string): Promise<string> {
    return this.#deps.store.file(run, file);
  }

  /** Deletes a run. @returns the token that restores it
   *  @throws bad_input for an unknown run, conflict while it is in use */
  async remove(run: string): Promise<string> {
    const { store, logger, trash } = this.#deps;
    // Check before searching the folder: a training that was just launched has not created its folder yet.
    this.#deps.uses.refuseRun(run);
    const { folder } = await store.find(run);
    const undo = await trash.take({ kind: 'run', robot: null, name: run }, [folder]);
    logger.info(`Run ${run} deleted`);
    this.#deps.hub.publish('runs', { changed: [run] });
    return undo;
  }
}

/** Returns a text that changes when a run on disk becomes playable or gets another checkpoint. */
function stateOf({ format, checkpoints, error }: RunRecord): string {
  return `${format} ${checkpoints.length} ${checkpoints.at(-1)?.name ?? ''} ${error ?? ''}`;
}
