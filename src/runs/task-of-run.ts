import { firstTaskOf } from '../robots/first-task.ts';
import type { RunRecord } from './store/run-record.ts';

/** Maps the suffix of an experiment's name to the suffix of the task that the experiment is named after. */
const VARIANTS: Readonly<Record<string, string>> = {
  '': '',
  _se: '-SE',
  _zest: '-Zest',
  _zest_se: '-Zest-SE',
  _binary: '-BinaryFailure',
};

/** Returns the task of a run. Runs of rsl_rl state their experiment instead; for upstream's experiments, the task is
 *  derived from its name. Other experiments are returned unchanged. */
export function taskOfRun({ task, format }: RunRecord, robot: string | null): string | null {
  if (task === null || robot === null || format !== 'rsl_rl') return task;
  const experiment = `wbc_${robot.replace(/[^A-Za-z0-9]+/g, '_')}`;
  const ending = task.startsWith(experiment) ? task.slice(experiment.length) : null;
  return ending !== null && Object.hasOwn(VARIANTS, ending) ? firstTaskOf(robot) + VARIANTS[ending] : task;
}
