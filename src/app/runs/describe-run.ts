import type { Run } from '../../protocol/schemas/jobs.ts';
import { matchRobot, type RobotOfRuns } from '../../runs/match-robot.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import { taskOfRun } from '../../runs/task-of-run.ts';

/** Returns a run as the API describes it, without the fields of its job.
 *  @param robots the registered robots, the selected one first */
export function describeRun(record: RunRecord, robots: readonly RobotOfRuns[]): Run {
  const { robot, error } = matchRobot(record, robots);
  const checkpoints = record.checkpoints.map(({ name, iteration, modifiedMs }) => ({
    name,
    iteration,
    modified: new Date(modifiedMs).toISOString(),
  }));
  const { seconds } = record.training;
  return {
    path: record.path,
    run_dir: record.runDir,
    run: record.run,
    task: taskOfRun(record, robot),
    robot,
    dataset: record.dataset,
    created: new Date(record.createdMs).toISOString(),
    modified: new Date(record.modifiedMs).toISOString(),
    format: record.format,
    checkpoints,
    latest: checkpoints.at(-1)?.name ?? null,
    job: record.job,
    error,
    ...record.marks,
    unplayable: error ?? (checkpoints.length === 0 ? 'it has no checkpoint yet' : null),
    score: record.training.score,
    started_from: record.training.startedFrom,
    minutes: seconds === null ? null : Math.round(seconds / 0.6) / 100,
  };
}
