import { firstTaskOf } from '../robots/first-task.ts';
import type { RunRecord } from './store/run-record.ts';

/** Endings of experiments and of the tasks that they are named after. */
const VARIANTS: Readonly<Record<string, string>> = {
  '': '',
  _se: '-SE',
  _zest: '-Zest',
  _zest_se: '-Zest-SE',
  _binary: '-BinaryFailure',
};

/** The task of a run. Runs of rsl_rl name their experiment instead, from which upstream's tasks are told; other
 *  experiments stay as they are. */
export function taskOfRun({ task, format }: RunRecord, robot: string | null): string | null {
  if (task === null || robot === null || format !== 'rsl_rl') return task;
  const experiment = `wbc_${robot.replace(/[^A-Za-z0-9]+/g, '_')}`;
  const ending = task.startsWith(experiment) ? task.slice(experiment.length) : null;
  return ending !== null && Object.hasOwn(VARIANTS, ending) ? firstTaskOf(robot) + VARIANTS[ending] : task;
}
