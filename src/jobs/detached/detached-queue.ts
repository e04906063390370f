import { readFileSync } from 'node:fs';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';
import type { JobRecord } from '../job-record.ts';
import type { Clock } from '../live-job.ts';
import { DetachedJob } from './detached-job.ts';
import type { Launcher, LaunchOrder } from './launcher.ts';

export interface DetachedQueueOptions {
  readonly launchers: ReadonlyMap<string, Launcher>;
  readonly clock: Clock;
  readonly runOf: (folder: string) => string | null;
  /** folder of a job */
  readonly folder: (name: string) => string;
  readonly onChange: (job: Job) => void;
  readonly onError: (name: string, error: unknown) => void;
}

/** Detached jobs that have not ended, oldest first: each launcher starts as many at once as it has room for. */
export class DetachedQueue {
  /** In a job's folder: what it runs, so that one that was queued is started after a restart, too. */
  static readonly ORDER_FILE = 'launch.json';
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
    throw badInput(`launcher: there is no ${quoteName(name)}; there are ${known}`);
  }

  /** Takes in a new job. Call {@link pump} then. */
  add(record: JobRecord, order: LaunchOrder): DetachedJob {
    const { name, launcher } = record.job;
    const job: DetachedJob = new DetachedJob(record, {
      folder: this.#options.folder(name),
      clock: this.#options.clock,
      launcher: this.launcher(launcher ?? ''),
      order,
      // Trainers tell it as they were started: relative to their folder.
      runOf: (folder) => this.#options.runOf(path.resolve(order.cwd, folder)),
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

  /** Takes in a job that an earlier life of the service has launched or queued; null where it was none of these. */
  adopt(record: JobRecord): DetachedJob | null {
    const { launcher, name } = record.job;
    if (launcher === null || !this.#options.launchers.has(launcher)) return null;
    const order = readOrder(path.join(this.#options.folder(name), DetachedQueue.ORDER_FILE));
    return order && this.add(record, order);
  }

  /** Starts what there is room for, and looks after what was found running. */
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

  /** The service ends; the jobs go on. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#jobs].map((job) => job.endWithService()));
  }
}

function readOrder(file: string): LaunchOrder | null {
  try {
    const { command, cwd, env } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LaunchOrder>;
    return Array.isArray(command) && typeof cwd === 'string' ? { command, cwd, env: { ...env } } : null;
  } catch {
    return null; // No order: nobody could start it, and nothing is lost but that.
  }
}
