import type { Sighting } from '../detached/launcher.ts';

/** One job as `squeue` lists it. */
export interface SlurmJob {
  readonly id: string;
  readonly state: string;
  /** why the job waits, or why it ended */
  readonly reason: string;
}

const WAITING = new Set([
  'PENDING',
  'CONFIGURING',
  'REQUEUED',
  'REQUEUE_FED',
  'REQUEUE_HOLD',
  'RESV_DEL_HOLD',
  'SPECIAL_EXIT',
]);
const RUNNING = new Set(['RUNNING', 'COMPLETING', 'SIGNALING', 'STAGE_OUT', 'RESIZING', 'SUSPENDED', 'STOPPED']);
/** Ends for which the exit status tells more than the state. */
const FAILED = new Set(['FAILED', 'RECONFIG_FAIL']);
/** States that explain the end of a job better than an exit status. */
const ENDS: Readonly<Record<string, string>> = {
  TIMEOUT: 'Slurm ended the job at its time limit',
  OUT_OF_MEMORY: 'the job exceeded its memory limit in Slurm',
  NODE_FAIL: 'the node that the job ran on failed',
  PREEMPTED: 'Slurm gave the resources of the job to another job (preemption)',
  BOOT_FAIL: 'the node did not start',
  DEADLINE: 'Slurm ended the job at its deadline',
  LAUNCH_FAILED: 'Slurm could not start the job',
  REVOKED: 'Slurm moved the job to another cluster',
};
/** Reasons for which a job waits forever unless a person acts. */
const STUCK =
  /DependencyNeverSatisfied|JobHeld|launch_failed_requeued_held|PartitionDown|BadConstraints|InvalidAccount/;

/** Returns true if Slurm ended the job, regardless of its exit status. */
export function endsByLimit(state: string): boolean {
  return Object.hasOwn(ENDS, state);
}

/** Translates a state of Slurm. The result does not contain exit status and signal. */
export function sightingOf({ state, reason }: SlurmJob): Sighting {
  if (WAITING.has(state)) {
    const words = STUCK.test(reason) ? `waits in Slurm and needs attention: ${reason}` : `waits in Slurm: ${reason}`;
    return { state: 'queued', detail: words };
  }
  if (RUNNING.has(state)) {
    const detail = state === 'SUSPENDED' || state === 'STOPPED' ? 'suspended by Slurm' : null;
    return { state: 'running', pid: null, detail };
  }
  if (state === 'COMPLETED') return { state: 'ended', code: 0, signal: null, atMs: null, detail: null };
  if (state === 'CANCELLED')
    return { state: 'ended', code: null, signal: null, atMs: null, detail: 'cancelled in Slurm', cancelled: true };
  const words = `Slurm reports ${state}${reason === '' || reason === 'None' ? '' : ` (${reason})`}`;
  // Newer versions of Slurm have further states. A job in one of them may be running.
  if (!endsByLimit(state) && !FAILED.has(state)) return { state: 'unknown', detail: words };
  const why = ENDS[state] ?? words;
  return { state: 'ended', code: null, signal: null, atMs: null, detail: why };
}

/** Parses the output of `squeue -o '%i|%T|%r|%k'`. Returns the jobs by the mark in their comment. */
export function parseQueue(text: string): ReadonlyMap<string, SlurmJob> {
  const jobs = new Map<string, SlurmJob>();
  for (const line of text.split('\n')) {
    const [id, state, reason, ...comment] = line.split('|');
    const mark = MARK.exec(comment.join('|'))?.[1];
    if (id && state && mark) jobs.set(mark, { id, state, reason: reason ?? '' });
  }
  return jobs;
}

const MARK = /^motion-studio:(\S+)$/;

/** Returns the comment that identifies a job of this service. Slurm's job ids do not identify it, because they are
 *  reused after a crash of the controller. */
export function commentOf(uuid: string): string {
  return `motion-studio:${uuid}`;
}
