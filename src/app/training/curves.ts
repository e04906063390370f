import { stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import type { Tagged } from '../../core/tagged.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { QueryOf } from '../../protocol/route.ts';
import type { getCurves } from '../../protocol/routes/training.ts';
import type { CurvesQuery, TagSeries } from '../../runs/curves/curves-reply.ts';
import { RunCurves } from '../../runs/curves/run-curves.ts';
import type { NewScalars, ReadPositions } from '../../runs/curves/scalar-files.ts';

/** Runs whose curves are kept in memory. */
const KEPT = 16;
const DEFAULT_POINTS = 1000;

export interface CurvesDeps {
  readonly jobs: JobRegistry;
  /** `<workspace>/logs/rsl_rl` */
  readonly runsFolder: string;
  /** Where a run is, absolute. @throws bad_input for an unknown one */
  find(run: string): Promise<string>;
  /** Reads event files on. Not on this thread. */
  read(folder: string, positions: ReadPositions): Promise<NewScalars>;
  /** Makes the reply's text. Not on this thread. */
  reply(tags: readonly TagSeries[], asked: CurvesQuery): Promise<Uint8Array>;
  /** Hears what is wrong with a run's event files. */
  damaged(run: string, damage: readonly string[]): void;
}

interface Kept {
  /** differs for another folder of the same name */
  readonly identity: string;
  /** counts what was read */
  version: number;
  readonly curves: RunCurves;
  reading: Promise<void> | null;
  /** damage was told */
  told: boolean;
}

/** Curves of runs out of their event files: what is new is read, however large they are; those looked at last are kept. */
export class Curves {
  readonly #deps: CurvesDeps;
  readonly #kept = new Map<string, Kept>();
  /** replies of another life of the service are others */
  readonly #life = Date.now().toString(36);
  #count = 0;

  constructor(deps: CurvesDeps) {
    this.#deps = deps;
  }

  async get(query: QueryOf<typeof getCurves>): Promise<Tagged<Uint8Array>> {
    const { job: jobName, run: runName, group = 'all', max_points: maxPoints = DEFAULT_POINTS, since = 0 } = query;
    if ((jobName === undefined) === (runName === undefined))
      throw badInput('job: exactly one of job and run is needed');
    const job = jobName === undefined ? null : this.#deps.jobs.get(jobName, 'job');
    if (job && job.kind !== 'train') throw badInput(`job: "${job.name}" is no training: it has no curves`);
    const run = job ? job.run : runName!;
    const folder = job ? run && path.join(this.#deps.runsFolder, run) : await this.#folderOf(runName!);
    const kept = folder === null ? null : await this.#current(folder);
    const asked = { run, job: jobName ?? null, group, maxPoints, since };
    const content = await this.#deps.reply(kept?.curves.tags ?? [], asked);
    const what = [kept?.identity ?? 'none', kept?.version ?? 0, run, jobName, group, maxPoints, since];
    return { content, etag: `${this.#life}-${Buffer.from(what.join('|')).toString('base64url')}` };
  }

  /** Where a run is. A training that was just launched has yet to make it. @throws bad_input for an unknown one */
  async #folderOf(run: string): Promise<string> {
    const ofJob = this.#deps.jobs.active().some((job) => job.kind === 'train' && job.run === run);
    return ofJob ? path.join(this.#deps.runsFolder, run) : this.#deps.find(run);
  }

  /** The curves of a folder, all that is on the disk; null where it is not there (yet). */
  async #current(folder: string): Promise<Kept | null> {
    const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (!stats) return null;
    const identity = `${stats.dev}:${stats.ino}`;
    let kept = this.#kept.get(folder);
    if (kept?.identity.startsWith(`${identity}#`) !== true) {
      this.#count += 1;
      kept = {
        identity: `${identity}#${this.#count}`,
        version: 0,
        curves: new RunCurves(),
        reading: null,
        told: false,
      };
    }
    this.#kept.delete(folder);
    this.#kept.set(folder, kept);
    for (const old of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(old);
    const mine = kept;
    // Whoever asks meanwhile gets what the others wait for.
    mine.reading ??= this.#read(folder, mine).finally(() => {
      mine.reading = null;
    });
    await mine.reading;
    return mine;
  }

  async #read(folder: string, kept: Kept): Promise<void> {
    const read = await this.#deps.read(folder, kept.curves.positions);
    kept.curves.add(read);
    if (read.tags.length > 0) kept.version += 1;
    if (read.damage.length > 0 && !kept.told) {
      kept.told = true;
      this.#deps.damaged(path.relative(this.#deps.runsFolder, folder), read.damage);
    }
  }
}
