import { setTimeout as sleep } from 'node:timers/promises';
import { spanText } from '../../core/log/format-numbers.ts';
import { ReplyError } from '../../protocol/http-client.ts';
import type { Busy } from '../../protocol/schemas/busy.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';
import { type CommandContext, CommandError } from './command.ts';

const ASK_EVERY_MS = 500;
/** Time that a restarting service has to answer again, s. Its jobs continue meanwhile. */
const RESTART_S = 60;
const ENDED: readonly Job['status'][] = ['done', 'failed', 'stopped', 'lost'];

/** Header that requests the reply to a slow action at its end, within 60 s. */
export const PREFER_WAIT = { prefer: 'wait=60' } as const;

/** Waits until a job has ended, with progress. @returns its last state, which need not be `done` */
export async function jobEnd({ client, output }: CommandContext, name: string): Promise<Job> {
  for (;;) {
    const job = await patiently(() => client.call('GET /api/jobs/{name}', { params: { name }, query: { tail: 0 } }));
    const left = job.eta === null || job.status !== 'running' ? '' : `${spanText(job.eta)} left`;
    output.progress(name, job.status, job.progress, left);
    if (ENDED.includes(job.status)) {
      output.endProgress();
      return job;
    }
    await sleep(ASK_EVERY_MS);
  }
}

/** Waits for a job. @throws CommandError unless it is done, with the end of its log */
export async function jobDone(context: CommandContext, name: string): Promise<Job> {
  const job = await jobEnd(context, name);
  if (job.status === 'done') return job;
  const { log } = await context.client.call('GET /api/jobs/{name}', { params: { name }, query: { tail: 10 } });
  throw new CommandError([`${name} ${job.status}${job.error === null ? '' : `: ${job.error}`}`, ...log].join('\n'));
}

/** Waits for the end of a slow action. @param started its reply to a request with `PREFER_WAIT`
 *  @throws CommandError unless it is done */
export async function taskDone(
  { client, output }: CommandContext,
  started: { readonly task: string; readonly busy?: Busy },
): Promise<Busy> {
  let busy = started.busy;
  while (busy === undefined || busy.state === 'running') {
    if (busy !== undefined) output.progress(busy.label, busy.state, busy.progress, busy.message);
    await sleep(ASK_EVERY_MS);
    const { active, recent } = await patiently(() => client.call('GET /api/busy'));
    busy = [...active, ...recent].find(({ task }) => task === started.task);
    if (busy === undefined) throw new CommandError(`the service no longer knows the task ${started.task}`);
  }
  output.endProgress();
  if (busy.state === 'done') return busy;
  throw new CommandError(`${busy.label}: ${busy.error ?? busy.state}`);
}

/** Repeats a request while no service answers, for at most `RESTART_S`. */
async function patiently<T>(request: () => Promise<T>): Promise<T> {
  const until = performance.now() + 1000 * RESTART_S;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isGone = error instanceof ReplyError && [0, 502, 503, 504].includes(error.status);
      if (!isGone || performance.now() > until) throw error;
      await sleep(ASK_EVERY_MS);
    }
  }
}
