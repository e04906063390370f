import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { JobRegistry, type JobRegistryOptions } from '../../jobs/job-registry.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';
import { JobStory } from '../story/job-story.ts';

/** Minimum time between two `jobs` events, ms. */
const EVENT_MS = 200;
const DEFAULT_TAIL = 200;

export interface JobsOptions {
  /** `<workspace>/jobs` */
  readonly folder: string;
  readonly hub: EventHub;
  readonly logger: Logger;
  /** launchers of detached jobs, the signature of their orders, and the functions that find their runs */
  readonly detached?: Pick<JobRegistryOptions, 'launchers' | 'seal' | 'runOf'>;
}

/** Jobs for clients: the list, the logs, and `jobs` events at most five times per second. */
export class Jobs {
  readonly registry: JobRegistry;
  readonly #story: JobStory;

  constructor({ folder, hub, logger, detached = {} }: JobsOptions) {
    const log = logger.child('jobs');
    this.#story = new JobStory(log, (name, lines) => this.registry.tail(name, lines));
    this.registry = JobRegistry.open({
      ...detached,
      folder,
      interrupted,
      onFound: this.#story.found,
      onError: (message, error) => log.error({ err: error }, `${message}: ${messageOf(error)}`),
    });
    const changed = new Map<string, Job>();
    const publish = () => {
      if (changed.size > 0) hub.publish('jobs', { jobs: [...changed.values()] });
      changed.clear();
    };
    const events = new RateLimit(EVENT_MS, publish);
    this.registry.onChange(this.#story.changed);
    this.registry.onChange((change) => {
      if ('forgotten' in change) {
        // Drop a pending event about this job: it must not follow the event of its removal.
        changed.delete(change.forgotten);
        hub.publish('jobs', change);
        return;
      }
      changed.set(change.job.name, change.job);
      events.trigger();
    });
  }

  list(): { jobs: Job[] } {
    return { jobs: this.registry.list() };
  }

  /** @param tail number of log lines to return, from the end  @throws bad_input for an unknown job */
  async get(name: string, tail = DEFAULT_TAIL): Promise<Job & { log: string[] }> {
    const log = await this.registry.tail(name, tail);
    return { ...this.registry.get(name), log };
  }

  /** Returns the path of the job's complete log, after writing all buffered lines. @throws bad_input for an unknown
   *  job */
  logFile(name: string): Promise<string> {
    return this.registry.logFile(name);
  }

  /** Stops a job; does nothing for a job that has ended. @throws bad_input for an unknown job */
  stop(name: string): void {
    this.registry.stop(name);
  }

  /** Removes a job from the list; waits for a job that is stopping.
   *  @throws bad_input for an unknown job, conflict for a job that is queued or running */
  forget(name: string, signal: AbortSignal): Promise<void> {
    return this.registry.forget(name, signal);
  }

  /** Stops the jobs that run inside the service, within about a second. Detached jobs continue. */
  async close(): Promise<void> {
    this.#story.closing(this.registry.active());
    await this.registry.close();
    await this.#story.settled();
  }
}

/** Returns the error text, with the remedy, of a job that ended together with the service. */
function interrupted({ kind, dataset }: Job): string {
  return kind === 'convert' && dataset !== null
    ? `the service ended during this job. Convert the missing clips of dataset ${dataset} to continue.`
    : 'the service ended during this job. Start it again to continue.';
}
