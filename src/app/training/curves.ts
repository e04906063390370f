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

/** Maximum number and total size (bytes) of the runs whose curves are kept in memory. */
const KEPT = 16;
const KEPT_BYTES = 256 << 20;
const DEFAULT_POINTS = 1000;

export interface CurvesDeps {
  readonly jobs: JobRegistry;
  /** `<workspace>/logs/rsl_rl` */
  readonly runsFolder: string;
  /** Returns the absolute path of a run's folder. @throws bad_input for an unknown run */
  find(run: string): Promise<string>;
  /** Reads new bytes of event files, on another thread. Called again while a result has `more`. */
  read(folder: string, positions: ReadPositions): Promise<NewScalars>;
  /** Formats the reply, on another thread. */
  reply(tags: readonly TagSeries[], asked: CurvesQuery): Promise<Uint8Array>;
  /** Called with damage found in a run's event files. */
  damaged(run: string, damage: readonly string[]): void;
  /** memory, bytes, above which the curves of runs that were requested longest ago are forgotten */
  readonly keptBytes?: number;
}

interface Kept {
  /** identifies the folder: it changes when another folder gets the same name */
  readonly identity: string;
  /** increases when new data was read */
  version: number;
  readonly curves: RunCurves;
  reading: Promise<void> | null;
  /** whether damage of the files has been logged */
  reported: boolean;
}

/** Curves of runs, read from their event files. Only new bytes are read; the most recently requested curves stay in
 *  memory. */
export class Curves {
  readonly #deps: CurvesDeps;
  readonly #kept = new Map<string, Kept>();
  /** part of the ETags, so that replies from an earlier run of the service do not match */
  readonly #life = Date.now().toString(36);
  #count = 0;

  constructor(deps: CurvesDeps) {
    this.#deps = deps;
  }

  async get(query: QueryOf<typeof getCurves>): Promise<Tagged<Uint8Array>> {
    const { job: jobName, run: runName, group = 'all', max_points: maxPoints = DEFAULT_POINTS, since = 0 } = query;
    if ((jobName === undefined) === (runName === undefined)) throw badInput('job: give exactly one of job and run');
    const job = jobName === undefined ? null : this.#deps.jobs.get(jobName, 'job');
    if (job && job.kind !== 'train') throw badInput(`job: "${job.name}" is not a training: it has no curves`);
    const run = job ? job.run : runName!;
    const folder = job ? run && path.join(this.#deps.runsFolder, run) : await this.#folderOf(runName!);
    const kept = folder === null ? null : await this.#current(folder);
    const asked = { run, job: jobName ?? null, group, maxPoints, since };
    // Take the version together with the curves: both may advance while the reply is formatted.
    const what = [kept?.identity ?? 'none', kept?.version ?? 0, run, jobName, group, maxPoints, since];
    const content = await this.#deps.reply(kept?.curves.tags ?? [], asked);
    return { content, etag: `${this.#life}-${Buffer.from(what.join('|')).toString('base64url')}` };
  }

  /** Returns the path of the folder of a run. The folder of a training that was just launched may not exist yet.
   *  @throws bad_input for an unknown run */
  async #folderOf(run: string): Promise<string> {
    const ofJob = this.#deps.jobs.active().some((job) => job.kind === 'train' && job.run === run);
    return ofJob ? path.join(this.#deps.runsFolder, run) : this.#deps.find(run);
  }

  /** Returns the curves of a folder, up to the last byte on disk; null if the folder does not exist. */
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
        reported: false,
      };
    }
    this.#kept.delete(folder);
    this.#kept.set(folder, kept);
    const mine = kept;
    // Concurrent requests share one reading.
    mine.reading ??= this.#read(folder, mine).finally(() => {
      mine.reading = null;
    });
    await mine.reading;
    this.#forgetOld(folder);
    return mine;
  }

  async #read(folder: string, kept: Kept): Promise<void> {
    let more = true;
    while (more) {
      const read = await this.#deps.read(folder, kept.curves.positions);
      kept.curves.add(read);
      if (read.tags.length > 0) kept.version += 1;
      if (read.damage.length > 0 && !kept.reported) {
        kept.reported = true;
        this.#deps.damaged(path.relative(this.#deps.runsFolder, folder), read.damage);
      }
      ({ more } = read);
    }
  }

  /** Forgets curves beyond the limits, those requested longest ago first. Keeps the curves of `folder`, and those that
   *  are being read: a second reading beside the first would need more memory. */
  #forgetOld(folder: string): void {
    const { keptBytes = KEPT_BYTES } = this.#deps;
    let bytes = 0;
    for (const { curves } of this.#kept.values()) bytes += curves.bytes;
    for (const [old, { curves, reading }] of this.#kept) {
      if (this.#kept.size <= KEPT && bytes <= keptBytes) return;
      if (old === folder || reading !== null) continue;
      this.#kept.delete(old);
      bytes -= curves.bytes;
    }
  }
}
