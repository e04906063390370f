import { urlOf } from '../../../../src/protocol/http-client.ts';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { LaunchTrial } from '../../../../src/protocol/schemas/jobs.ts';
import type { call } from '../../net/api.ts';
import { Loadable } from '../../ui/loadable.ts';
import type { LaunchBody } from './launch-form.ts';

export type TrainChoices = ReplyOf<RouteByKey['GET /api/tasks']>;

export interface LaunchDeps {
  readonly call: typeof call;
  /** marks a job as started by this page */
  readonly ownJob: (name: string) => void;
}

/** Starts trainings and checks them without starting them. */
export class TrainingLaunch {
  readonly #deps: LaunchDeps;
  /** Tasks, trainers and launchers from which the form offers a choice. */
  readonly choices: Loadable<TrainChoices>;

  constructor(deps: LaunchDeps) {
    this.#deps = deps;
    this.choices = new Loadable(() => deps.call('GET /api/tasks'));
  }

  /** Checks a training on the service without starting it. @throws Error with the service's message */
  readonly tryLaunch = async (body: LaunchBody, signal: AbortSignal): Promise<LaunchTrial> => {
    const reply = await this.#deps.call('POST /api/train/launch', { body: { ...body, dry_run: true }, signal });
    if (!('dry_run' in reply)) throw new Error('The service started a training instead of a dry run');
    return reply;
  };

  /** Starts a training. @returns the name of its job @throws Error with the service's message */
  readonly launch = async (body: LaunchBody): Promise<string> => {
    const reply = await this.#deps.call('POST /api/train/launch', { body });
    if (!('job' in reply)) throw new Error('The service did not start a job');
    this.#deps.ownJob(reply.job);
    return reply.job;
  };
}

/** Returns the URL of a file of a run. */
export function runFileUrl(run: string, file: string): string {
  return urlOf('GET /api/runs/file', {}, { run, file });
}

/** Returns the URL of a run's metrics: that of TensorBoard if it is installed, otherwise that of the page's own
 *  metrics. */
export function metricsUrl(run: string): string {
  return urlOf('GET /tensorboard', {}, { run });
}
