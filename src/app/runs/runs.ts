import { badInput, messageOf } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Logger } from '../../core/logger.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { Run } from '../../protocol/schemas/jobs.ts';
import { matchRobot, type RobotOfRuns } from '../../runs/match-robot.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { taskOfRun } from '../../runs/task-of-run.ts';
import type { Uses } from '../uses.ts';

export interface RunsDeps {
  readonly store: RunStore;
  readonly logger: Logger;
  /** Returns every registered robot. */
  robots(): readonly RobotOfRuns[];
  /** Returns the id of the selected robot. */
  selected(): string;
  readonly jobs: Pick<JobRegistry, 'list'>;
  readonly uses: Uses;
}

/** Lists runs on disk for clients: those of the selected robot, and those of unknown robots. */
export class Runs {
  readonly #deps: RunsDeps;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    deps.store
      .sweep()
      .catch((error: unknown) =>
        deps.logger.warn({ err: error }, `runs that were deleted could not be removed: ${messageOf(error)}`),
      );
  }

  /** Lists runs of the selected robot and of unknown robots, the most recently changed first. */
  async list(): Promise<{ runs: Run[] }> {
    const selected = this.#deps.selected();
    const jobs = new Map<string, string>();
    for (const { kind, run, name } of this.#deps.jobs.list()) if (kind === 'train' && run !== null) jobs.set(run, name);
    const runs = (await this.#deps.store.list()).map((record) => ({
      ...this.#describe(record),
      job: record.job ?? jobs.get(record.path) ?? null,
    }));
    return { runs: runs.filter(({ robot }) => robot === selected || robot === null) };
  }

  /** Lists the runs that can be played. */
  async playable(): Promise<{ runs: Run[] }> {
    const { runs } = await this.list();
    return {
      runs: runs.filter(({ robot, error, checkpoints }) => robot !== null && error === null && checkpoints.length > 0),
    };
  }

  /** Returns the paths of runs by robot. */
  async pathsByRobot(): Promise<ReadonlyMap<string, readonly string[]>> {
    const paths = new Map<string, string[]>();
    for (const record of await this.#deps.store.list()) {
      const { robot } = this.#describe(record);
      if (robot !== null) paths.set(robot, [...(paths.get(robot) ?? []), record.path]);
    }
    return paths;
  }

  /** Returns a run that the selected robot can play.
   *  @throws bad_input for an unknown or damaged run, or a run of another robot */
  async forPlay(path: string): Promise<RunRecord> {
    const record = await this.#deps.store.find(path);
    const { robot, error } = this.#describe(record);
    const selected = this.#deps.selected();
    if (error !== null) throw badInput(`run: ${quoteName(path)} cannot be played: ${error}`);
    if (robot !== selected)
      throw badInput(
        `run: ${quoteName(path)} is a run of robot "${robot}", selected is "${selected}": select its robot first`,
      );
    if (record.checkpoints.length === 0) throw badInput(`run: ${quoteName(path)} has no checkpoint yet`);
    return record;
  }

  /** @throws bad_input for an unknown run */
  find(path: string): Promise<RunRecord> {
    return this.#deps.store.find(path);
  }

  /** Returns a run that a training of the selected robot can resume. @throws bad_input */
  async forResume(path: string): Promise<RunRecord> {
    const record = await this.#deps.store.find(path, 'resume_run');
    const { robot, error } = this.#describe(record);
    const selected = this.#deps.selected();
    if (error !== null) throw badInput(`resume_run: ${quoteName(path)} cannot be resumed: ${error}`);
    if (robot === selected) return record;
    throw badInput(`resume_run: ${quoteName(path)} is a run of robot "${robot}", selected is "${selected}"`);
  }

  /** Returns the path of one file of a run. @throws bad_input for an unknown run or file */
  file(run: string, file: string): Promise<string> {
    return this.#deps.store.file(run, file);
  }

  /** @throws bad_input for an unknown run, conflict while it is in use */
  async remove(path: string): Promise<void> {
    const { store, logger } = this.#deps;
    // Checked before the folder is searched: a training that was just launched has not created its folder yet.
    this.#deps.uses.refuseRun(path);
    await store.find(path);
    await store.remove(path, (error) =>
      logger.warn({ err: error }, `Run ${path} is deleted, but some of its files remain: ${messageOf(error)}`),
    );
    logger.info(`Run ${path} deleted`);
  }

  #describe(record: RunRecord): Run {
    const selected = this.#deps.selected();
    const robots = [...this.#deps.robots()].sort((a, b) => Number(b.id === selected) - Number(a.id === selected));
    const { robot, error } = matchRobot(record, robots);
    const checkpoints = record.checkpoints.map(({ name, iteration, modifiedMs }) => ({
      name,
      iteration,
      modified: new Date(modifiedMs).toISOString(),
    }));
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
    };
  }
}
