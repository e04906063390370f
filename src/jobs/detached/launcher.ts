import type { Static, TObject, TSchema } from 'typebox';
import type { JobPlace } from './job-place.ts';

/** The command of a detached job, with its environment and files. */
export interface LaunchOrder {
  /** program and arguments; never passed through a shell */
  readonly command: readonly string[];
  readonly cwd: string;
  /** added to the environment that the service passes on; may contain secrets */
  readonly env: Readonly<Record<string, string>>;
  /** names of files in the job's folder that the command reads; the seal of the order includes their content */
  readonly files?: readonly string[];
}

/** The state of a job as observed from outside. */
export type Sighting =
  /** the job waits in the launcher's own queue; `detail` is the reason */
  | { readonly state: 'queued'; readonly detail: string | null }
  | {
      readonly state: 'running';
      readonly pid: number | null;
      readonly detail: string | null;
      /** start of the job, ms since 1970; null or absent if unknown */
      readonly startedMs?: number | null;
    }
  | {
      readonly state: 'ended';
      /** exit status; null if a signal ended the process before one was recorded */
      readonly code: number | null;
      readonly signal: string | null;
      /** end of the job, ms since 1970; null if not recorded */
      readonly atMs: number | null;
      readonly startedMs?: number | null;
      /** the launcher's reason for the end of the job, such as a time limit */
      readonly detail: string | null;
      /** whether the job was cancelled outside of this service */
      readonly cancelled?: boolean;
    }
  /** the processes have ended without an exit record */
  | { readonly state: 'gone'; readonly detail: string }
  /** the launcher does not answer; the state stays unchanged */
  | { readonly state: 'unknown'; readonly detail: string };

/** Thrown if a launcher does not answer. The known state of jobs then stays unchanged; an order may have been
 *  accepted. */
export class UnreachableError extends Error {}

/** Starts detached jobs and observes them. A job outlives the service and is found again by its folder. */
export interface Launcher {
  /** `local`, or the kind that `studio.yaml` names */
  readonly kind: string;
  /** name for people */
  readonly label: string;
  /** maximum number of jobs at once; other jobs wait in the service */
  readonly limit: number;
  /** whether the launcher has its own queue, so that a started job may still wait */
  readonly queues: boolean;
  /** interval between observations of a job, s */
  readonly periodS: number;
  /** time that a job has to end after a stop request, s; then it is killed */
  readonly graceS: number;
  /** @throws bad_input for an order that cannot be started, disk_full, UnreachableError */
  start(place: JobPlace, order: LaunchOrder): Promise<void>;
  look(place: JobPlace): Promise<Sighting>;
  /** Asks a job to end. Called again until the job has ended. @param force whether to kill it */
  stop(place: JobPlace, force: boolean): Promise<void>;
}

/** A setting of a launcher that cannot be used. */
export interface SettingProblem {
  /** keys and indices below the launcher's name */
  readonly path: readonly string[];
  readonly text: string;
}

/** A kind of launcher: the schema of its settings, and a function that creates a launcher from them. */
export interface LauncherKind<P extends Record<string, TSchema>> {
  /** value of `kind` in `studio.yaml` */
  readonly kind: string;
  /** name for people */
  readonly label: string;
  /** programs that the launcher runs, searched in `PATH` */
  readonly programs: readonly string[];
  /** schemas of the settings besides `kind` */
  readonly settings: P;
  /** Checks rules that the schemas cannot express. @returns the first violation, or null */
  readonly problem?: (settings: Static<TObject<P>>) => SettingProblem | null;
  /** @param environment of every job, without the service's secrets */
  create(settings: Static<TObject<P>>, environment: Readonly<Record<string, string>>): Launcher;
}
