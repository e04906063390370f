import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { relativePathProblem } from '../core/files/path-guard.ts';
import { bootId, startOf } from '../core/files/pid-lock.ts';
import { placeOf, problemOf } from '../core/validation.ts';
import { Job } from '../protocol/schemas/jobs.ts';

/** Fields of a job's record that the API does not show: the process that runs it, and its place in the list. */
export interface JobIdentity {
  /** start time of the process that runs the job, in clock ticks since boot, and the id of that boot; null without
   *  /proc. A process id alone does not identify a process, because ids are reused */
  readonly start_time: string | null;
  readonly boot_id: string | null;
  readonly uuid: string;
  /** for a detached job: the launcher was asked to start it, so processes may exist */
  readonly submitted?: boolean;
  /** number of the job in order of creation; unlike a clock, it is never set back */
  readonly sequence: number;
}

/** The content of `job.json`. */
export interface JobRecord {
  readonly job: Job;
  readonly identity: JobIdentity;
}

/** Maximum number of letters of the dataset's name in the name of a job. */
const SLUG = 40;
/** Maximum sequence number. It is above any number of jobs, and far below 2^53. */
const MAX_SEQUENCE = 2 ** 48;
/** Maximum number of nesting levels in `params`, because writing JSON recurses. */
const MAX_DEPTH = 32;

const StoredJob = Type.Object({
  ...Job.properties,
  start_time: Type.Union([Type.String(), Type.Null()]),
  boot_id: Type.Union([Type.String(), Type.Null()]),
  uuid: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  submitted: Type.Optional(Type.Boolean()),
  sequence: Type.Integer({ minimum: 0, maximum: MAX_SEQUENCE }),
});

type JobKind = Job['kind'];
export type JobStatus = Job['status'];
export type EndStatus = Extract<JobStatus, 'done' | 'failed' | 'stopped' | 'lost'>;

export function hasEnded(status: JobStatus): status is EndStatus {
  return status === 'done' || status === 'failed' || status === 'stopped' || status === 'lost';
}

/** Description of a new job. */
export interface JobSpec {
  readonly kind: JobKind;
  readonly dataset?: string;
  readonly task?: string;
  /** parameters of the job; sent with every event of the job, so use counts rather than lists */
  readonly params: Readonly<Record<string, unknown>>;
  /** number of steps; absent or null: not known yet */
  readonly steps?: number | null;
  /** of a detached job: the path of its run if known, trainer and launcher */
  readonly run?: string | null;
  readonly trainer?: string;
  readonly launcher?: string;
}

/** Returns the common prefix of the names of jobs with this kind and dataset. */
export function nameStem({ kind, dataset }: JobSpec): string {
  return dataset === undefined ? kind : `${kind}-${slug(dataset)}`;
}

/** Converts a dataset's name to a part of a job's name, in characters that every file system accepts. */
function slug(dataset: string): string {
  const plain = dataset
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_');
  return plain.slice(0, SLUG).replace(/^_+|_+$/g, '') || 'dataset';
}

/** Makes the record of a new, queued job. */
export function newRecord(name: string, spec: JobSpec, sequence: number, created: Date): JobRecord {
  return {
    job: {
      ...blankJob(name, spec.kind, created),
      steps: spec.steps ?? null,
      task: spec.task ?? null,
      dataset: spec.dataset ?? null,
      run: spec.run ?? null,
      trainer: spec.trainer ?? null,
      launcher: spec.launcher ?? null,
      params: { ...spec.params },
    },
    identity: { start_time: startOf(process.pid), boot_id: bootId(), uuid: randomUUID(), sequence },
  };
}

/** Makes the record of a lost job of which only the name is known. */
export function unreadableRecord(name: string, sequence: number, created: Date): JobRecord {
  const kind = (['train', 'evaluate', 'convert'] as const).find((word) => name.startsWith(word)) ?? 'convert';
  const error = 'record unreadable: job.json was damaged. The damaged file was kept beside the new one.';
  return {
    job: { ...blankJob(name, kind, created), status: 'lost', error },
    identity: { start_time: null, boot_id: null, uuid: randomUUID(), sequence },
  };
}

function blankJob(name: string, kind: JobKind, created: Date): Job {
  return {
    name,
    kind,
    status: 'queued',
    progress: null,
    step: null,
    steps: null,
    eta: null,
    rate: null,
    created: created.toISOString(),
    started: null,
    ended: null,
    task: null,
    dataset: null,
    run: null,
    trainer: null,
    launcher: null,
    pid: null,
    exit_code: null,
    signal: null,
    error: null,
    params: {},
  };
}

export function formatRecord({ job, identity }: JobRecord): string {
  return `${JSON.stringify({ ...job, ...identity }, null, 1)}\n`;
}

/** Parses a record. The file may come from an untrusted source, so every field is checked.
 *  @param name of the job, which is also that of its folder  @throws Error naming the problem */
export function parseRecord(text: string, name: string): JobRecord {
  const value: unknown = JSON.parse(text);
  const problem = problemOf(StoredJob, value);
  if (problem) throw new Error(`${placeOf(problem.path, 'record')}: ${problem.text}`);
  const { start_time, boot_id, uuid, sequence, submitted, ...job } = value as Job & JobIdentity;
  for (const field of ['created', 'started', 'ended'] as const) {
    if (job[field] !== null && Number.isNaN(Date.parse(job[field])))
      throw new Error(`${field}: must be a date with time (ISO 8601)`);
  }
  if (isDeeper(job.params, MAX_DEPTH)) throw new Error(`params: must be at most ${MAX_DEPTH} levels deep`);
  if (job.run !== null && !isRunPath(job.run)) throw new Error('run: must be <experiment>/<run>');
  const identity = { start_time, boot_id, uuid, sequence, ...(submitted === undefined ? {} : { submitted }) };
  return { job: { ...job, name }, identity };
}

/** Returns true if `run` consists of two plain names, because the run is searched below the folder of runs. */
export function isRunPath(run: string): boolean {
  return relativePathProblem(run) === null && run.split('/').length === 2;
}

/** Returns true if `value` has more nesting levels. Works level by level, because a recursion could overflow the
 *  stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
  }
  return false;
}
