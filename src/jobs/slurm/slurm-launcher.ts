import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, type TObject, Type } from 'typebox';
import { messageOf } from '../../core/errors.ts';
import { writeAtomic } from '../../core/files/atomic-file.ts';
import { optional } from '../../core/settings.ts';
import type { JobPlace } from '../detached/job-place.ts';
import {
  type Launcher,
  type LauncherKind,
  type LaunchOrder,
  type SettingProblem,
  type Sighting,
  UnreachableError,
} from '../detached/launcher.ts';
import { type ExitRecord, readExitRecord, startedMs } from '../processes/process-record.ts';
import { JOB_VARIABLE } from '../processes/process-table.ts';
import { clearRunnerFiles, leaveStopFile } from '../processes/runner-files.ts';
import { runSlurm } from './slurm-commands.ts';
import { commentOf, endsByLimit, parseQueue, type SlurmJob, sightingOf } from './slurm-states.ts';

const RUNNER = fileURLToPath(new URL('../detached/job-runner.sh', import.meta.url));
/** Time for which one listing of the queue serves all jobs, ms. */
const QUEUE_KEPT_MS = 2000;
/** Messages of Slurm for a job that had already ended when it was cancelled. */
const OVER = /Invalid job id|already (completing|completed)/i;
/** Readable only by the owner. */
const PRIVATE = 0o600;
/** Number of queue listings without the job and without an exit status after which the job is considered ended. Shared
 *  file systems show files late. */
const LOOKS_UNTIL_GONE = 5;

const SETTINGS = {
  partition: optional(Type.String({ minLength: 1 })),
  gres: optional(Type.String({ minLength: 1 })),
  time: optional(Type.String({ minLength: 1 })),
  sbatch: optional(Type.Array(Type.String(), { description: 'further arguments of sbatch' })),
};
type SlurmSettings = Static<TObject<typeof SETTINGS>>;

export const SLURM: LauncherKind<typeof SETTINGS> = {
  kind: 'slurm',
  label: 'Slurm',
  programs: ['sbatch', 'squeue', 'scontrol', 'scancel'],
  settings: SETTINGS,
  problem: ({ sbatch = [] }) => sbatchProblem(sbatch),
  create: (settings, environment) => new SlurmLauncher(settings, environment),
};

/** Options of sbatch that break the rule "one submission is one job, which runs the runner", with their short forms. */
const UNFIT: Readonly<Record<string, { readonly short?: string; readonly text: string }>> = {
  array: { short: 'a', text: 'each training is one job. Launch several trainings instead of an array' },
  wait: { short: 'W', text: 'sbatch would not return before the job has ended' },
  wrap: { text: 'the service submits a script of its own. Set the command in trainers.<name>.command' },
  clusters: { short: 'M', text: 'squeue would not list the job' },
  'test-only': { text: 'sbatch would not submit the job' },
};

/** Finds an argument of sbatch that jobs of this service cannot have. Options may be abbreviated, as sbatch allows. */
function sbatchProblem(args: readonly string[]): SettingProblem | null {
  for (const [index, arg] of args.entries()) {
    const name = arg.split('=')[0]!;
    const found = Object.entries(UNFIT).find(
      ([long, { short }]) =>
        (name.length > 3 && `--${long}`.startsWith(name)) ||
        (short !== undefined && new RegExp(`^-${short}`).test(arg)),
    );
    if (found) return { path: ['sbatch', String(index)], text: `must not contain --${found[0]}: ${found[1].text}` };
  }
  return null;
}

/** Runs jobs on a Slurm cluster. Workspace and trainer must be on a file system that its nodes share. */
export class SlurmLauncher implements Launcher {
  readonly kind = SLURM.kind;
  readonly label = SLURM.label;
  /** No limit, because Slurm has its own queue. */
  readonly limit = Number.POSITIVE_INFINITY;
  readonly queues = true;
  readonly periodS = 3;
  readonly graceS: number;
  readonly #settings: SlurmSettings;
  readonly #environment: Readonly<Record<string, string>>;
  #queue: { readonly at: number; readonly jobs: Promise<ReadonlyMap<string, SlurmJob>> } | null = null;
  readonly #missing = new Map<string, number>();
  /** marks of the jobs whose submission Slurm did not answer */
  readonly #unanswered = new Set<string>();

  /** @param environment of every job, without the service's secrets
   *  @param graceS time to end after a stop, s, in which trainers save a checkpoint */
  constructor(settings: SlurmSettings, environment: Readonly<Record<string, string>>, graceS = 60) {
    this.graceS = graceS;
    this.#settings = settings;
    this.#environment = environment;
  }

  async start(place: JobPlace, order: LaunchOrder): Promise<void> {
    await clearRunnerFiles(place.folder);
    const script = path.join(place.folder, 'submit.sh');
    // Private, because the order's variables may contain keys of other services.
    await writeAtomic(script, batchScript(place, await readFile(RUNNER, 'utf8'), order), PRIVATE);
    const { partition, gres, time, sbatch = [] } = this.#settings;
    const submission = [
      `--job-name=${place.name}`,
      '--no-requeue',
      ...(partition ? [`--partition=${partition}`] : []),
      ...(gres ? [`--gres=${gres}`] : []),
      ...(time ? [`--time=${time}`] : []),
      ...sbatch,
      // The last value of an option counts. The service finds the job by its comment, and its log by its path.
      '--parsable',
      `--comment=${commentOf(place.mark)}`,
      '--open-mode=append',
      `--output=${place.log}`,
      `--chdir=${order.cwd}`,
      script,
    ];
    try {
      await this.#run('sbatch', submission);
    } catch (error) {
      if (error instanceof UnreachableError) {
        this.#unanswered.add(place.mark);
        // Only listings after the submission count.
        this.#missing.delete(place.name);
      }
      throw error;
    } finally {
      this.#queue = null;
    }
  }

  async look(place: JobPlace): Promise<Sighting> {
    try {
      const job = (await this.#jobs()).get(place.mark);
      const exit = await readExitRecord(place.folder);
      const began = await startedMs(place.folder);
      if (!job) return exit ? endOf(exit, began) : this.#unknownToSlurm(place);
      this.#missing.delete(place.name);
      this.#unanswered.delete(place.mark);
      const sighting = { ...sightingOf(job), startedMs: began };
      if (exit) return noted(sighting, exit, job.state);
      if (sighting.state !== 'ended' || sighting.code !== null || sighting.cancelled) return sighting;
      return { ...sighting, ...(await this.#exitStatus(job.id)) };
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      const exit = await readExitRecord(place.folder);
      return exit ? endOf(exit, await startedMs(place.folder)) : { state: 'unknown', detail: error.message };
    }
  }

  async stop(place: JobPlace, force: boolean): Promise<void> {
    await leaveStopFile(place.folder);
    try {
      const job = (await this.#jobs()).get(place.mark);
      if (job && sightingOf(job).state !== 'ended')
        await this.#run('scancel', force ? ['--signal=KILL', '--full', job.id] : [job.id]);
    } catch (error) {
      if (error instanceof UnreachableError) return; // The next observation will try again.
      if (!OVER.test(messageOf(error))) throw error;
    }
  }

  #run(command: Parameters<typeof runSlurm>[0], args: readonly string[]): Promise<string> {
    return runSlurm(command, args, this.#environment);
  }

  /** Lists all jobs of this user, by mark. */
  #jobs(): Promise<ReadonlyMap<string, SlurmJob>> {
    const now = performance.now();
    if (this.#queue && now - this.#queue.at < QUEUE_KEPT_MS) return this.#queue.jobs;
    const jobs = this.#run('squeue', ['--noheader', '--states=all', '--me', '--format=%i|%T|%r|%k']).then(parseQueue);
    jobs.catch(() => {}); // The caller that awaits the promise gets the error.
    this.#queue = { at: now, jobs };
    return jobs;
  }

  async #unknownToSlurm(place: JobPlace): Promise<Sighting> {
    const missing = (this.#missing.get(place.name) ?? 0) + 1;
    this.#missing.set(place.name, missing);
    if (missing < LOOKS_UNTIL_GONE) return { state: 'unknown', detail: 'Slurm does not list the job yet' };
    this.#missing.delete(place.name);
    if (!this.#unanswered.delete(place.mark))
      return { state: 'gone', detail: 'Slurm no longer lists the job, and no exit status of the job was recorded' };
    // Slurm may still accept the job. It must then not run beside the one that a user launches instead.
    await leaveStopFile(place.folder);
    return {
      state: 'gone',
      detail: 'Slurm did not answer when the job was submitted, and does not list it. Launch it again',
    };
  }

  async #exitStatus(id: string): Promise<{ code: number | null; signal: string | null }> {
    const text = await this.#run('scontrol', ['--oneliner', 'show', 'job', id]);
    const [, code, signal] = / ExitCode=(\d+):(\d+)/.exec(text) ?? [];
    if (code === undefined || signal === undefined) return { code: null, signal: null };
    return signal === '0' ? statusOf(Number(code)) : { code: null, signal: signalName(Number(signal)) };
  }
}

/** Returns the end that the runner recorded. */
function endOf(exit: ExitRecord, began: number | null): Extract<Sighting, { state: 'ended' }> {
  return { state: 'ended', ...statusOf(exit.code), atMs: exit.atMs, startedMs: began, detail: null };
}

/** Combines Slurm's state with the end that the runner recorded. Only Slurm knows whether a job was cancelled or ended
 *  by a limit, and Slurm reports this slightly later than the runner. */
function noted(sighting: Sighting & { readonly startedMs: number | null }, exit: ExitRecord, state: string): Sighting {
  const end = endOf(exit, sighting.startedMs);
  if (sighting.state !== 'ended') return exit.code === 0 && state !== 'RUNNING' ? end : sighting;
  if (sighting.cancelled) return { ...end, detail: sighting.detail, cancelled: true };
  if (!endsByLimit(state)) return end;
  // A trainer may exit with 0 when Slurm ends it at a limit, although its work is not complete.
  return { ...end, code: exit.code === 0 ? null : exit.code, detail: sighting.detail };
}

/** Interprets an exit status. Shells report signal n as exit status 128 + n. */
function statusOf(code: number): { readonly code: number; readonly signal: string | null } {
  return { code, signal: code > 128 ? signalName(code - 128) : null };
}

function signalName(number: number): string | null {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}

/** Makes the batch script, of which Slurm keeps a copy until the job runs. The script contains the runner, so nodes
 *  need not access the installation of this service, and files of the workspace are not executed.
 *  @param runner text of a script with the job's folder and the command as arguments */
function batchScript(place: JobPlace, runner: string, { command, env }: LaunchOrder): string {
  const variables = Object.entries({ ...env, [JOB_VARIABLE]: place.mark });
  return [
    '#!/bin/sh',
    ...variables.map(([name, value]) => `export ${name}=${quoted(value)}`),
    `set -- ${[place.folder, ...command].map(quoted).join(' ')}`,
    runner,
  ].join('\n');
}

/** Quotes text as one word for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
