import type { Static, TObject, TSchema } from 'typebox';
import type { JobPlace } from './job-place.ts';

/** What a detached job runs. */
export interface LaunchOrder {
  /** program and arguments; never through a shell */
  readonly command: readonly string[];
  readonly cwd: string;
  /** beside the environment that the service passes on; may hold secrets */
  readonly env: Readonly<Record<string, string>>;
  /** names of files in the job's folder that the command reads, which make the order with it */
  readonly files?: readonly string[];
}

/** The state of a job as observed from outside. */
export type Sighting =
  /** waits in the launcher's own queue; `detail` says for what */
  | { readonly state: 'queued'; readonly detail: string | null }
  | {
      readonly state: 'running';
      readonly pid: number | null;
      readonly detail: string | null;
      /** start, ms since 1970, if known */
      readonly startedMs?: number | null;
    }
  | {
      readonly state: 'ended';
      /** exit status; null if a signal ended the process before one was recorded */
      readonly code: number | null;
      readonly signal: string | null;
      /** end, ms since 1970; null if not recorded */
      readonly atMs: number | null;
      readonly startedMs?: number | null;
      /** the launcher's reason of the end, such as a time limit */
      readonly detail: string | null;
      /** cancelled outside of this service */
      readonly cancelled?: boolean;
    }
  /** gone without an exit record */
  | { readonly state: 'gone'; readonly detail: string }
  /** the launcher does not answer: the state stays as it was */
  | { readonly state: 'unknown'; readonly detail: string };

/** Starts detached jobs and observes them. A job outlives the service and is found again by its place. */
export interface Launcher {
  /** `local`, or the kind that `studio.yaml` names */
  readonly kind: string;
  /** what people call it */
  readonly label: string;
  /** most jobs at once; others wait in the service */
  readonly limit: number;
  /** the launcher has a queue of its own: a started job need not run yet */
  readonly queues: boolean;
  /** s between two observations of a job */
  readonly periodS: number;
  /** s that a job may take to end after a stop; then it is killed */
  readonly graceS: number;
  /** @throws bad_input for an order that cannot be started, disk_full */
  start(place: JobPlace, order: LaunchOrder): Promise<void>;
  look(place: JobPlace): Promise<Sighting>;
  /** Asks a job to end; called again until it has ended. @param force kill it */
  stop(place: JobPlace, force: boolean): Promise<void>;
}

/** A kind of launcher: what its settings are and how it is made from them. */
export interface LauncherKind<P extends Record<string, TSchema>> {
  /** value of `kind` in `studio.yaml` */
  readonly kind: string;
  /** what people call it */
  readonly label: string;
  /** settings beside `kind` */
  readonly settings: P;
  /** @param environment of every job, without secrets of the service */
  create(settings: Static<TObject<P>>, environment: Readonly<Record<string, string>>): Launcher;
}
