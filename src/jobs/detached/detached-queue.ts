import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';
import type { JobRecord } from '../job-record.ts';
import type { Clock } from '../live-job.ts';
import { DetachedJob } from './detached-job.ts';
import type { Launcher, LaunchOrder } from './launcher.ts';
import type { OrderSeal } from './sealed-order.ts';

export interface DetachedQueueOptions {
  readonly launchers: ReadonlyMap<string, Launcher>;
  /** signature that proves that a service of this user wrote an order */
  readonly seal: OrderSeal;
  readonly clock: Clock;
  readonly runOf: (folder: string) => string | null;
  /** Returns the folder of a job. */
  readonly folder: (name: string) => string;
  readonly onChange: (job: Job) => void;
  readonly onError: (name: string, error: unknown) => void;
}

const NOT_OURS =
  'it was queued, but its order was not written by this service in this folder: the workspace was copied or moved, or files of the job were changed. Launch it again.';

/** Detached jobs that have not ended, oldest first. Starts jobs up to the limit of each launcher. */
export class DetachedQueue {
  readonly #options: DetachedQueueOptions;
  readonly #jobs = new Set<DetachedJob>();
  #closing = false;

  constructor(options: DetachedQueueOptions) {
    this.#options = options;
  }

  /** @throws bad_input for an unknown launcher */
  launcher(name: string): Launcher {
    const launcher = this.#options.launchers.get(name);
    if (launcher) return launcher;
    const known = [...this.#options.launchers.keys()].join(', ');
    throw badInput(`launcher: unknown launcher ${quoteName(name)}; available: ${known}`);
  }

  /** Adds a job. Call {@link pump} afterwards.
   *  @param order null for a job that was already started and whose order on disk is not valid */
  add(record: JobRecord, order: LaunchOrder | null): DetachedJob {
    const { name, launcher } = record.job;
    const job: DetachedJob = new DetachedJob(record, {
      folder: this.#options.folder(name),
      clock: this.#options.clock,
      launcher: this.launcher(launcher ?? ''),
      order,
      // Trainers print the folder relative to their working directory.
      runOf: (folder) => order && this.#options.runOf(path.resolve(order.cwd, folder)),
      onChange: () => this.#options.onChange(job.job),
      onError: (error) => this.#options.onError(name, error),
    });
    this.#jobs.add(job);
    job.ended.then(() => {
      this.#jobs.delete(job);
      this.pump();
    });
    return job;
  }

  /** Adds a job that was launched or queued before the service was restarted. The workspace may come from an untrusted
   *  source, so a queued job is started only if its order proves that this user launched it here.
   *  @returns the reason if the job is lost, or null for a job that the service itself runs */
  adopt(record: JobRecord): DetachedJob | { readonly lost: string } | null {
    const { launcher, name, status, started } = record.job;
    if (launcher === null) return null;
    if (!this.#options.launchers.has(launcher))
      return { lost: `its launcher ${quoteName(launcher)} is no longer in studio.yaml. Launch the job again.` };
    const { uuid, submitted } = record.identity;
    const order = this.#options.seal.read({ folder: this.#options.folder(name), uuid, launcher });
    const waits = status === 'queued' && submitted !== true && started === null;
    return order === null && waits ? { lost: NOT_OURS } : this.add(record, order);
  }

  /** Starts queued jobs up to the limits of their launchers, and observes jobs that were already running. */
  pump(): void {
    if (this.#closing) return;
    const busy = new Map<Launcher, number>();
    for (const job of this.#jobs) {
      if (!job.wasStarted && job.job.status === 'queued') continue;
      busy.set(job.launcher, (busy.get(job.launcher) ?? 0) + 1);
      job.watch();
    }
    for (const job of this.#jobs) {
      const count = busy.get(job.launcher) ?? 0;
      if (job.wasStarted || job.job.status !== 'queued' || count >= job.launcher.limit) continue;
      busy.set(job.launcher, count + 1);
      job.launch();
    }
  }

  /** Stops observing all jobs because the service ends. The jobs continue. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#jobs].map((job) => job.endWithService()));
  }
}
