import path from 'node:path';
import { StudioError } from '../core/errors.ts';
import { quoteName } from '../core/files/names.ts';
import type { Job } from '../protocol/schemas/jobs.ts';

/** The parts of the workspace that a play session uses. */
export interface SessionUse {
  readonly robot: string;
  readonly run: string;
  /** path of the motion library in the workspace, separated by `/` */
  readonly motion: string;
  /** names of its clips; null while they are being read */
  readonly clips: readonly string[] | null;
}

/** The dataset and clips that the preview shows or is loading. */
export interface PreviewUse {
  readonly robot: string;
  readonly dataset: string;
  readonly clips: readonly string[];
}

/** Functions with which modules report what they use. */
export interface UseSources {
  /** jobs that have not ended */
  jobs(): readonly Job[];
  /** the running session and the one being built */
  sessions(): readonly SessionUse[];
  /** open objects, and objects that are being opened */
  previews(): readonly PreviewUse[];
}

/** Refuses to delete what a job, the play session or the open preview uses. Each method throws a conflict that names
 *  the user and how to end the use. */
export class Uses {
  #sources: UseSources = { jobs: () => [], sessions: () => [], previews: () => [] };

  /** Connects modules that report what they use. A module that is not connected uses nothing. */
  connect(sources: Partial<UseSources>): void {
    this.#sources = { ...this.#sources, ...sources };
  }

  refuseRobot(robot: string): void {
    const what = `the robot ${quoteName(robot)}`;
    this.refuseRobotOfJob(robot);
    if (this.#sources.sessions().some((session) => session.robot === robot)) throw usedBySession(what);
    if (this.#sources.previews().some((preview) => preview.robot === robot)) throw usedByPreview(what);
  }

  /** Checks only jobs, because a robot that is merely shown may be replaced. */
  refuseRobotOfJob(robot: string): void {
    const job = this.#sources.jobs().find((other) => isOfRobot(other, robot));
    if (job) throw usedByJob(job, `the robot ${quoteName(robot)}`);
  }

  refuseDataset(robot: string, dataset: string): void {
    this.#refuseData(robot, dataset, null);
  }

  /** @param clips names of clips of the dataset */
  refuseClips(robot: string, dataset: string, clips: readonly string[]): void {
    this.#refuseData(robot, dataset, clips);
  }

  /** @param run `<run_dir>/<run>` */
  refuseRun(run: string): void {
    const what = `the run ${quoteName(run)}`;
    const isOfRun = ({ run: own, params }: Job) =>
      [own, params['run'], params['resume_run'], params['started_from']].includes(run);
    const job = this.#sources.jobs().find(isOfRun);
    if (job) throw usedByJob(job, what);
    const motions = `logs/rsl_rl/${run}/`;
    if (this.#sources.sessions().some((session) => session.run === run || session.motion.startsWith(motions)))
      throw usedBySession(what);
  }

  #refuseData(robot: string, dataset: string, clips: readonly string[] | null): void {
    const whole = `the dataset ${quoteName(dataset)}`;
    const job = this.#sources.jobs().find((other) => other.dataset === dataset && isOfRobot(other, robot));
    if (job) throw usedByJob(job, whole);
    const used = (names: readonly string[] | null) => {
      if (names?.length === 0) return null;
      if (clips === null || names === null) return whole;
      const clip = clips.find((name) => names.includes(name));
      return clip === undefined ? null : `the clip ${quoteName(clip)} of ${whole}`;
    };
    for (const session of this.#sources.sessions()) {
      const what = used(clipsOf(session, `data/${robot}/${dataset}`));
      if (what !== null) throw usedBySession(what);
    }
    for (const preview of this.#sources.previews()) {
      const what = preview.robot === robot && preview.dataset === dataset ? used(preview.clips) : null;
      if (what !== null) throw usedByPreview(what);
    }
  }
}

/** Returns the names of the clips of a dataset's folder that a session uses; null: all of them. */
function clipsOf({ motion, clips }: SessionUse, folder: string): readonly string[] | null {
  if (motion === folder) return clips;
  return motion.startsWith(`${folder}/`) ? [path.posix.basename(motion, '.npz')] : [];
}

/** Returns whether a job may use this robot. A job without a robot may use any. */
function isOfRobot({ params }: Job, robot: string): boolean {
  return typeof params['robot'] !== 'string' || params['robot'] === robot;
}

function usedByJob(job: Job, what: string): StudioError {
  return new StudioError(
    'conflict',
    `the job ${quoteName(job.name)} uses ${what}. Stop the job or wait until it ends.`,
  );
}

function usedBySession(what: string): StudioError {
  return new StudioError('conflict', `the play session uses ${what}. Stop it first (POST /api/play/stop).`);
}

function usedByPreview(what: string): StudioError {
  return new StudioError('conflict', `the open preview shows ${what}. Close it first (POST /api/data/close).`);
}
