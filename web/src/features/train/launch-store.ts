import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { LaunchTrial } from '../../../../src/protocol/schemas/jobs.ts';
import { call, urlOf } from '../../net/api.ts';
import { Loadable } from '../../ui/loadable.ts';
import { ownJob } from '../jobs/jobs-store.ts';
import type { LaunchBody } from './launch-form.ts';

export type TrainChoices = ReplyOf<RouteByKey['GET /api/tasks']>;

/** Tasks, trainers and launchers that a training may be made of. */
export const choices = new Loadable(() => call('GET /api/tasks'));

/** Has the service check a training without starting it. @throws what it says is wrong */
export async function tryLaunch(body: LaunchBody, signal: AbortSignal): Promise<LaunchTrial> {
  const reply = await call('POST /api/train/launch', { body: { ...body, dry_run: true }, signal });
  if (!('dry_run' in reply)) throw new Error('The service launched a training that it was only asked to check');
  return reply;
}

/** Starts a training. @returns the job's name @throws what the service says is wrong */
export async function launch(body: LaunchBody): Promise<string> {
  const reply = await call('POST /api/train/launch', { body });
  if (!('job' in reply)) throw new Error('The service started no job');
  ownJob(reply.job);
  return reply.job;
}

/** Where the browser fetches a file of a run. */
export function runFileUrl(run: string, file: string): string {
  return urlOf('GET /api/runs/file', {}, { run, file });
}

/** Where training metrics are shown best: TensorBoard, where the service finds it. */
export function metricsUrl(run: string): string {
  return urlOf('GET /tensorboard', {}, { run });
}
