import { computed, signal } from '@preact/signals';
import type { EventPayloads } from '../../../../src/protocol/events.ts';
import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import { call } from '../../net/api.ts';
import { count } from '../../ui/format.ts';
import { messageOf } from '../../ui/message-of.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { isLive, mergeJobs } from './job-list.ts';

/** Every job that the service keeps, newest first. */
export const jobs = signal<readonly Job[]>([]);
/** Why the jobs could not be read; null where they could. */
export const jobsError = signal<string | null>(null);
export const liveJobs = computed(() => jobs.value.filter(isLive));

/** The job whose log is shown; null for none. */
export const shownJob = signal<string | null>(null);

interface JobLog {
  readonly job: string;
  readonly lines: readonly string[];
  readonly loading: boolean;
  readonly error: string | null;
}
export const jobLog = signal<JobLog | null>(null);

const LOG_TAIL = 2000;
const LOG_EVERY_MS = 400;

/** Names of jobs that this page started and that have not ended. */
const own = new Set<string>();
/** Opens the log of a job; the dock registers itself, so that a message can lead there. */
let openLog: (name: string) => void = () => {};
export function onOpenLog(open: (name: string) => void): void {
  openLog = open;
}

export async function refreshJobs(): Promise<void> {
  try {
    const reply = await call('GET /api/jobs');
    jobs.value = reply.jobs;
    jobsError.value = null;
    for (const job of reply.jobs) tellEnd(job);
  } catch (error) {
    jobsError.value = messageOf(error);
  }
}

/** Takes over a `jobs` event. */
export function takeJobs(payload: EventPayloads['jobs']): void {
  if ('forgotten' in payload) {
    jobs.value = jobs.peek().filter((job) => job.name !== payload.forgotten);
    own.delete(payload.forgotten);
    if (shownJob.peek() === payload.forgotten) showJob(null);
    return;
  }
  jobs.value = mergeJobs(jobs.peek(), payload.jobs);
  for (const job of payload.jobs) {
    tellEnd(job);
    if (job.name === shownJob.peek()) readLogSoon();
  }
}

/** Marks a job as started here: its end is told in a message. */
export function ownJob(name: string): void {
  own.add(name);
  const known = jobs.peek().find((job) => job.name === name);
  if (known === undefined) void refreshJobs();
  else tellEnd(known); // it may have ended before its name came
}

const waiting = new Map<string, ((job: Job) => void)[]>();

/** The end of a job. */
export function jobEnd(name: string): Promise<Job> {
  const known = jobs.peek().find((job) => job.name === name);
  if (known !== undefined && !isLive(known)) return Promise.resolve(known);
  return new Promise((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
}

function tellEnd(job: Job): void {
  if (isLive(job)) return;
  for (const told of waiting.get(job.name) ?? []) told(job);
  waiting.delete(job.name);
  tellOwn(job);
}

function tellOwn(job: Job): void {
  if (!own.delete(job.name)) return;
  const log = { label: 'Show log', run: () => openLog(job.name) };
  const of = job.dataset === null ? '' : ` of ${job.dataset}`;
  if (job.status === 'done' && job.error !== null) {
    toast('error', job.kind === 'convert' ? `Not every clip${of} was converted` : job.name, job.error, log);
  } else if (job.status === 'done') {
    const clips = job.kind === 'convert' && job.steps !== null;
    toast('ok', clips ? `${count(job.steps ?? 0, 'clip')}${of} converted` : `${job.name} is done`);
  } else if (job.status === 'stopped') toast('info', `${job.name} was stopped`, job.error ?? '', log);
  else toast('error', `${job.name} ${job.status === 'lost' ? 'was lost' : 'failed'}`, job.error ?? '', log);
}

/** Shows a job's log, kept current while it is shown. */
export function showJob(name: string | null): void {
  shownJob.value = name;
  jobLog.value = name === null ? null : { job: name, lines: [], loading: true, error: null };
  if (name !== null) void readLog(name);
}

let logTimer = 0;
function readLogSoon(): void {
  if (logTimer !== 0) return;
  logTimer = window.setTimeout(() => {
    logTimer = 0;
    const name = shownJob.peek();
    if (name !== null) void readLog(name);
  }, LOG_EVERY_MS);
}

async function readLog(name: string): Promise<void> {
  try {
    const { log } = await call('GET /api/jobs/{name}', { params: { name }, query: { tail: LOG_TAIL } });
    if (shownJob.peek() === name) jobLog.value = { job: name, lines: log, loading: false, error: null };
  } catch (error) {
    const before = jobLog.peek();
    if (before?.job === name) jobLog.value = { ...before, loading: false, error: messageOf(error) };
  }
}

export async function stopJob(name: string): Promise<void> {
  try {
    await call('POST /api/jobs/{name}/stop', { params: { name } });
  } catch (error) {
    failed(`${name} could not be stopped`, error);
  }
}

export async function forgetJob(name: string): Promise<void> {
  try {
    await call('DELETE /api/jobs/{name}', { params: { name } });
  } catch (error) {
    failed(`${name} could not be forgotten`, error);
  }
}
