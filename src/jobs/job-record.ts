import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { relativePathProblem } from '../core/files/path-guard.ts';
import { bootId, startOf } from '../core/files/pid-lock.ts';
import { placeOf, problemOf } from '../core/validation.ts';
import { Job } from '../protocol/schemas/jobs.ts';

/** What a job's record holds beside what the API shows: which process carried it out, and its place in the list. */
export interface JobIdentity {
  /** Start of the process that carries the job out, clock ticks since boot, and that boot; null without /proc. A process
   *  id alone says nothing: it is used again. */
  readonly start_time: string | null;
  readonly boot_id: string | null;
  readonly uuid: string;
  /** of a detached job: its launcher has been asked to start it, so there may be processes */
  readonly submitted?: boolean;
  /** Counts jobs in the order they were created; clocks are set back, this is not. */
  readonly sequence: number;
}

/** The content of `job.json`. */
export interface JobRecord {
  readonly job: Job;
  readonly identity: JobIdentity;
}

/** Letters of a dataset that its job's name keeps. */
const SLUG = 40;
/** Beyond any number of jobs, and far from where integers lose their units. */
const MAX_SEQUENCE = 2 ** 48;
/** Levels of values within values in `params`: writing JSON recurses. */
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

/** What a new job is about. */
export interface JobSpec {
  readonly kind: JobKind;
  readonly dataset?: string;
  readonly task?: string;
  /** What it was asked to do. Goes out with every event of the job: counts rather than lists. */
  readonly params: Readonly<Record<string, unknown>>;
  /** how many steps it has; absent or null: not known yet */
  readonly steps?: number | null;
  /** of a detached job: path of its run where that is known, who trains and where */
  readonly run?: string | null;
  readonly trainer?: string;
  readonly launcher?: string;
}

/** What the names of jobs about the same thing begin with. */
export function nameStem({ kind, dataset }: JobSpec): string {
  return dataset === undefined ? kind : `${kind}-${slug(dataset)}`;
}

/** A dataset's name as a part of a job's: only letters that every system takes. */
function slug(dataset: string): string {
  const plain = dataset
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_');
  return plain.slice(0, SLUG).replace(/^_+|_+$/g, '') || 'dataset';
}

/** The record of a new job, queued. */
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

/** A job of which nothing is known but that it was there. */
export function unreadableRecord(name: string, sequence: number, created: Date): JobRecord {
  const kind = (['train', 'evaluate', 'convert'] as const).find((word) => name.startsWith(word)) ?? 'convert';
  const error = 'record unreadable: its job.json was damaged, and was kept beside the new one';
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

/** Reads a record back. It may come from a stranger: what it says is checked, also where the service alone writes it.
 *  @param name of its folder, which is the job's name  @throws Error saying what is wrong with it */
export function parseRecord(text: string, name: string): JobRecord {
  const value: unknown = JSON.parse(text);
  const problem = problemOf(StoredJob, value);
  if (problem) throw new Error(`${placeOf(problem.path, 'record')}: ${problem.text}`);
  const { start_time, boot_id, uuid, sequence, submitted, ...job } = value as Job & JobIdentity;
  for (const field of ['created', 'started', 'ended'] as const) {
    if (job[field] !== null && Number.isNaN(Date.parse(job[field]))) throw new Error(`${field}: must be an instant`);
  }
  if (isDeeper(job.params, MAX_DEPTH)) throw new Error(`params: must be at most ${MAX_DEPTH} levels deep`);
  if (job.run !== null && !isRunPath(job.run)) throw new Error('run: must be <experiment>/<run>');
  const identity = { start_time, boot_id, uuid, sequence, ...(submitted === undefined ? {} : { submitted }) };
  return { job: { ...job, name }, identity };
}

/** Two plain names: a run is looked for below the folder of runs. */
function isRunPath(run: string): boolean {
  return relativePathProblem(run) === null && run.split('/').length === 2;
}

/** Level by level: a recursion would overflow before it could tell. */
function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
  }
  return false;
}
