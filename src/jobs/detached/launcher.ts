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

/** What can be seen of a job from outside. */
export type Sighting =
  /** it waits for the launcher's own queue; `detail` says for what */
  | { readonly state: 'queued'; readonly detail: string | null }
  | {
      readonly state: 'running';
      readonly pid: number | null;
      readonly detail: string | null;
      /** since when, ms since 1970, where that is known */
      readonly startedMs?: number | null;
    }
  | {
      readonly state: 'ended';
      /** exit status; null where a signal ended it before anyone could note one */
      readonly code: number | null;
      readonly signal: string | null;
      /** when, ms since 1970; null where nobody noted it */
      readonly atMs: number | null;
      readonly startedMs?: number | null;
      /** the launcher's own words on the end, such as a time limit */
      readonly detail: string | null;
      /** someone else cancelled it */
      readonly cancelled?: boolean;
    }
  /** gone without a word */
  | { readonly state: 'gone'; readonly detail: string }
  /** the launcher does not answer: nothing is known anew */
  | { readonly state: 'unknown'; readonly detail: string };

/** Starts detached jobs and looks after them. A job outlives the service: whoever has its place can find it again. */
export interface Launcher {
  /** `local`, or the kind that `studio.yaml` names */
  readonly kind: string;
  /** what people call it */
  readonly label: string;
  /** most jobs at once; others wait in the service */
  readonly limit: number;
  /** It has a queue of its own: what it was given need not run yet. */
  readonly queues: boolean;
  /** s between two looks at a job */
  readonly periodS: number;
  /** s that a job may take to end once it is asked to; then it is killed */
  readonly graceS: number;
  /** @throws bad_input for an order that cannot be, disk_full */
  start(place: JobPlace, order: LaunchOrder): Promise<void>;
  look(place: JobPlace): Promise<Sighting>;
  /** Asks a job to end; comes again until it has. @param force at once */
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
