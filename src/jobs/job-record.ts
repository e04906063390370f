import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
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

const StoredJob = Type.Object({
  ...Job.properties,
  start_time: Type.Union([Type.String(), Type.Null()]),
  boot_id: Type.Union([Type.String(), Type.Null()]),
  uuid: Type.String(),
  submitted: Type.Optional(Type.Boolean()),
  sequence: Type.Integer({ minimum: 0 }),
});

export type JobKind = Job['kind'];
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

/** Reads a record back. @param name of its folder, which is the job's name @throws Error saying what is wrong with it */
export function parseRecord(text: string, name: string): JobRecord {
  const value: unknown = JSON.parse(text);
  const problem = problemOf(StoredJob, value);
  if (problem) throw new Error(`${placeOf(problem.path, 'record')}: ${problem.text}`);
  const { start_time, boot_id, uuid, sequence, submitted, ...job } = value as Job & JobIdentity;
  const identity = { start_time, boot_id, uuid, sequence, ...(submitted === undefined ? {} : { submitted }) };
  return { job: { ...job, name }, identity };
}
