import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { createFolderAtomic, fileError, hideFolder, sweepTemps, writeAtomic } from '../../core/files/atomic-file.ts';
import { quoteName } from '../../core/files/names.ts';
import { removeTree } from '../../core/files/remove-tree.ts';
import type { Logger } from '../../core/logger.ts';
import { didYouMean } from '../../core/nearest.ts';
import {
  EVALUATIONS,
  type EvaluationRecord,
  type EvaluationTables,
  writeRecord,
} from '../../evaluate/evaluation-folder.ts';
import { type EvaluationOrder, ORDER_FILE } from '../../evaluate/evaluation-order.ts';
import type { StoredEvaluation } from '../../evaluate/report/read-report.ts';
import type { ScannedEvaluation } from '../../evaluate/scan-evaluations.ts';
import { hasEnded } from '../../jobs/job-record.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import { ownCommand } from '../../jobs/own-command.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { listEvaluations, startEvaluation } from '../../protocol/routes/evaluations.ts';
import type { Evaluation, ListedEvaluation } from '../../protocol/schemas/evaluation.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { PlayRuns } from '../play/play-deps.ts';
import { askedAgain, askedOf, type EvaluateBody, type EvaluationPlan, planEvaluation } from './evaluation-plan.ts';

/** Copy of the compiled robot in the job's folder. */
const PHYSICS_FILE = 'physics.mjb';

export interface EvaluationsDeps {
  readonly jobs: JobRegistry;
  readonly content: PlayRuns;
  readonly version: string;
  /** `<workspace>/logs/rsl_rl` */
  readonly runsFolder: string;
  readonly logger: Logger;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** @throws bad_input for an unknown run */
  run(path: string): Promise<RunRecord>;
  /** Reads the evaluations of a run, or of all runs, on another thread. */
  scan(run: string | null): Promise<ScannedEvaluation[]>;
  /** Reads the tables of an evaluation on another thread. */
  tables(folder: string): Promise<EvaluationTables>;
}

/** Starts, lists and deletes evaluations of runs. Each evaluation has a folder in the folder of its run, and a job. */
export class Evaluations {
  readonly #deps: EvaluationsDeps;
  /** names of evaluations whose job does not exist yet */
  readonly #starting = new Set<string>();

  constructor(deps: EvaluationsDeps) {
    this.#deps = deps;
  }

  /** Checks an evaluation and starts its job. @param signal if it aborts, no job is created @throws bad_input naming
   *  the wrong field, conflict if the evaluation to resume is running, disk_full */
  async start(body: EvaluateBody, signal: AbortSignal): Promise<ReplyOf<typeof startEvaluation>> {
    const { content, version } = this.#deps;
    const run = await content.find(body.run);
    const robot = this.#deps.robot();
    if (body.resume !== undefined) return this.#resume(body, run, robot, signal);
    const plan = await planEvaluation(content, run, robot, askedOf(body, run), version);
    signal.throwIfAborted();
    const name = await this.#newName(new Date());
    try {
      return await this.#launch(plan, name, body.launcher, (job) => this.#createFolder(plan, name, job));
    } finally {
      this.#starting.delete(name);
    }
  }

  async list(run: string | null): Promise<ReplyOf<typeof listEvaluations>> {
    const path = run === null ? null : (await this.#deps.run(run)).path;
    const jobs = this.#jobsByEvaluation();
    return { evaluations: (await this.#deps.scan(path)).map((found) => listedOf(found, jobs)) };
  }

  /** @param field names the request's field in errors  @throws bad_input for an unknown evaluation */
  async get(name: string, field = 'name'): Promise<Evaluation> {
    const found = await this.#find(name, field);
    return { ...listedOf(found, this.#jobsByEvaluation()), ...(await this.#deps.tables(found.folder)) };
  }

  /** Returns an evaluation and its folder. @param field names the request's field in errors
   *  @throws bad_input for an unknown evaluation */
  async stored(name: string, field: string): Promise<StoredEvaluation> {
    const found = await this.#find(name, field);
    return { folder: found.folder, evaluation: listedOf(found, this.#jobsByEvaluation()) };
  }

  /** @throws bad_input for an unknown evaluation, conflict while its job runs */
  async remove(name: string): Promise<void> {
    const { folder } = await this.#find(name, 'name');
    this.#refuseRunning(name, 'stop it first');
    const hidden = await hideFolder(folder);
    removeTree(hidden).catch((error: unknown) =>
      this.#deps.logger.warn(
        { err: error },
        `evaluation ${name} is deleted, but some of its files could not be removed: ${messageOf(error)}`,
      ),
    );
  }

  /** Returns an evaluation on disk. @throws bad_input for an unknown evaluation */
  async #find(name: string, field: string): Promise<ScannedEvaluation> {
    const all = await this.#deps.scan(null);
    const found = all.find(({ record }) => record.name === name);
    if (found) return found;
    const names = all.map(({ record }) => record.name);
    throw badInput(
      `${field}: unknown evaluation ${quoteName(name)}; ${didYouMean(name, names) ?? 'GET /api/evaluations lists all'}`,
    );
  }

  async #resume(
    body: EvaluateBody,
    run: RunRecord,
    robot: ClipRobotSource,
    signal: AbortSignal,
  ): Promise<ReplyOf<typeof startEvaluation>> {
    const name = body.resume!;
    const { folder, record, results } = await this.#find(name, 'resume');
    const others = Object.keys(body).filter((key) => !['run', 'resume', 'launcher'].includes(key));
    if (others.length > 0)
      throw badInput(`${others[0]}: a resumed evaluation keeps its settings. Omit ${others.join(', ')}.`);
    if (record.run !== run.path) throw badInput(`resume: ${quoteName(name)} is an evaluation of ${record.run}`);
    if (results) throw badInput(`resume: ${quoteName(name)} is already complete`);
    this.#refuseRunning(name, 'it continues without being resumed');
    this.#starting.add(name);
    try {
      const plan = await planEvaluation(this.#deps.content, run, robot, askedAgain(record), this.#deps.version);
      if (plan.fingerprint !== record.fingerprint)
        throw badInput(
          `resume: the robot, the run or the clips of ${quoteName(name)} have changed since then. Start a new evaluation.`,
        );
      signal.throwIfAborted();
      return await this.#launch(plan, name, body.launcher, async (job) => {
        writeRecord(folder, { ...record, job });
        return folder;
      });
    } finally {
      this.#starting.delete(name);
    }
  }

  /** Launches the job of an evaluation. @param folderFor creates the folder of the evaluation, given the job */
  async #launch(
    plan: EvaluationPlan,
    name: string,
    launcher = 'local',
    folderFor: (job: string) => Promise<string>,
  ): Promise<ReplyOf<typeof startEvaluation>> {
    const job = await this.#deps.jobs.launch(specOf(plan, name, launcher), async ({ folder, unseen }) => {
      const evaluation = await folderFor(path.basename(folder));
      const physicsPath = path.join(folder, PHYSICS_FILE);
      const order: EvaluationOrder = {
        ...plan.order,
        folder: evaluation,
        robot: { facts: plan.robot.facts, physicsPath },
      };
      await copyFile(plan.physicsPath, path.join(unseen, PHYSICS_FILE), constants.COPYFILE_FICLONE).catch(
        (error: unknown) => Promise.reject(fileError(error)),
      );
      await writeAtomic(path.join(unseen, ORDER_FILE), `${JSON.stringify(order)}\n`);
      const command = ownCommand('evaluate', path.join(folder, ORDER_FILE));
      return { command, cwd: folder, env: {}, files: [ORDER_FILE, PHYSICS_FILE] };
    });
    return { ok: true, job, evaluation: name };
  }

  /** Creates the folder of an evaluation together with its record, atomically. @throws bad_input for a run folder that
   *  cannot be written to */
  async #createFolder(plan: EvaluationPlan, name: string, job: string): Promise<string> {
    const parent = path.join(plan.run.folder, EVALUATIONS);
    const folder = path.join(parent, name);
    const { protocol, names, gate = null, fingerprint } = plan;
    const record: EvaluationRecord = {
      version: 1,
      name,
      run: plan.run.path,
      job,
      created: new Date().toISOString(),
      protocol,
      names: names && [...names],
      gate,
      fingerprint,
    };
    try {
      await mkdir(parent, { recursive: true });
      await sweepTemps(parent);
      await createFolderAtomic(folder, async (unseen) => writeRecord(unseen, record));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOTDIR') throw fileError(error);
      throw badInput(`run: the folder ${plan.run.path} cannot be written to (${code}). Change its permissions.`);
    }
    return folder;
  }

  /** Chooses a name that no evaluation of the workspace has, made from the local time. */
  async #newName(now: Date): Promise<string> {
    const two = (value: number) => String(value).padStart(2, '0');
    const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
    const stem = `${day}_${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
    const taken = new Set((await this.#deps.scan(null)).map(({ record }) => record.name));
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (taken.has(name) || this.#starting.has(name)) continue;
      this.#starting.add(name);
      return name;
    }
  }

  /** @throws conflict while the evaluation has a job, or is about to get one */
  #refuseRunning(name: string, remedy: string): void {
    if (this.#starting.has(name))
      throw new StudioError('conflict', `the evaluation ${quoteName(name)} is starting: ${remedy}`);
    const job = this.#jobsByEvaluation().get(name);
    if (job && !hasEnded(job.status))
      throw new StudioError('conflict', `the evaluation ${quoteName(name)} is ${job.status}: ${remedy}`);
  }

  /** Returns the newest job of each evaluation. */
  #jobsByEvaluation(): Map<string, Job> {
    const jobs = new Map<string, Job>();
    for (const job of this.#deps.jobs.list()) {
      const { evaluation } = job.params;
      if (job.kind === 'evaluate' && typeof evaluation === 'string' && !jobs.has(evaluation)) jobs.set(evaluation, job);
    }
    return jobs;
  }
}

/** Describes an evaluation for clients. With results its status is done; otherwise its job determines status and
 *  progress. */
function listedOf({ record, results }: ScannedEvaluation, jobs: ReadonlyMap<string, Job>): ListedEvaluation {
  const { name, run, job, created, protocol } = record;
  const status = results ? 'done' : (jobs.get(name)?.status ?? 'lost');
  const { summary = [], robustness = [], gate = null } = results ?? {};
  return {
    name,
    run,
    job,
    created,
    // A job is done only if it wrote results. If they are missing now, they were damaged afterwards.
    status: status === 'done' && !results ? 'lost' : status,
    protocol,
    summary,
    robustness,
    gate,
  };
}

function specOf(plan: EvaluationPlan, evaluation: string, launcher: string) {
  const { task, dataset, run, robot, episodes, protocol } = plan;
  return {
    kind: 'evaluate' as const,
    task,
    ...(dataset === null ? {} : { dataset }),
    run: run.path,
    launcher,
    steps: episodes,
    params: {
      evaluation,
      robot: robot.facts.id,
      run: run.path,
      checkpoints: protocol.checkpoints.length,
      conditions: protocol.conditions.length,
      clips: protocol.clips,
      starts: protocol.starts,
      seed: protocol.seed,
    },
  };
}
