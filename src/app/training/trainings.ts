import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { fileError, writeAtomic } from '../../core/files/atomic-file.ts';
import { hasEnded } from '../../jobs/job-record.ts';
import { BUILTIN, BUILTIN_EXTRA, builtinCommand } from '../../jobs/trainers/builtin-trainer.ts';
import type { ExternalTrainer } from '../../jobs/trainers/external-trainer.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { launchTraining } from '../../protocol/routes/training.ts';
import type { Launcher, Trainer } from '../../protocol/schemas/jobs.ts';
import { physicsOn } from '../../robots/uneven-ground.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import { ORDER_FILE, ORDER_VERSION, type TrainingOrder } from '../../train/training-order.ts';
import { budgetOf, finalEvaluationS, timeCheck, withBudget } from './launch-budget.ts';
import { checkLaunch, refuseFailed } from './launch-checks.ts';
import { withNetworks } from './launch-networks.ts';
import { hiddenDimsOf, type LaunchBody, type LaunchPlan, planLaunch, threadsOf, wordsOf } from './launch-plan.ts';
import { chooseStart, type LaunchStart } from './launch-start.ts';
import { RunNames } from './run-names.ts';
import type { TrainingDeps } from './training-deps.ts';
import { Trials } from './trials.ts';

/** Copy of the compiled robot in the job's folder. */
const PHYSICS_FILE = 'physics.mjb';
/** Placeholder for the job folder in the command of a dry run, which has no job. */
const NO_FOLDER = '<job folder>';

/** Fields of a launch that a trainer may accept. */
const FIELDS = ['num_envs', 'max_iterations', 'run_name', 'seed', 'logger', 'resume', 'extra'] as const;
const BUILTIN_TRAINER: Trainer = {
  name: BUILTIN,
  num_envs: null,
  max_iterations: null,
  takes: [...FIELDS, 'start_from'],
  loggers: ['tensorboard', 'none'],
  extra: BUILTIN_EXTRA,
};

/** A launched job, and the path of its run if it is known. */
interface Started {
  readonly job: string;
  readonly run: string | null;
}

/** Launches trainings. Everything is checked before the job is created. */
export class Trainings {
  readonly #deps: TrainingDeps;
  readonly #names: RunNames;
  readonly #trials: Trials;

  constructor(deps: TrainingDeps) {
    this.#deps = deps;
    this.#names = new RunNames(deps.runsFolder);
    this.#trials = new Trials((order) => deps.tryTraining(order));
  }

  /** Returns the available trainers and launchers. */
  choices(): { trainers: Trainer[]; launchers: Launcher[] } {
    const trainers = [BUILTIN_TRAINER, ...[...this.#deps.trainers.values()].map(describeTrainer)];
    const launchers = [...this.#deps.launchers].map(([name, { kind, label, limit }]) => ({
      ...{ name, kind, label },
      limit: Number.isFinite(limit) ? limit : null,
    }));
    return { trainers, launchers };
  }

  /** Checks a training and starts it; a dry run only reports what would happen. @param signal if it aborts, no job is
   * created
   *  @throws bad_input naming the wrong field, disk_full */
  async launch(body: LaunchBody, signal: AbortSignal): Promise<ReplyOf<typeof launchTraining>> {
    const requested = await planLaunch(this.#deps, body);
    const trial = await this.#trials.of({
      config: requested.trained,
      robot: requested.robot,
      clips: requested.clips,
      threads: threadsOf(requested),
    });
    const fitted = await withNetworks(this.#deps, requested, trial);
    const { plan: started, ...start } = await chooseStart(this.#deps, fitted, trial);
    const budget = budgetOf(started, trial, this.#deps.jobs.list(), this.#deps.maxMinutes);
    const plan = withBudget(started, budget);
    const time = timeCheck(started, trial, budget, this.#deps.maxMinutes);
    const checks = [
      ...(await checkLaunch(this.#deps, plan, trial)),
      ...[start.check, time].filter((one) => one !== null),
    ];
    const finalS = finalEvaluationS(plan, trial);
    const begun = { started_from: start.from?.run.path ?? null, note: start.note };
    if (body.dry_run) {
      const command = plan.external?.order(wordsOf(plan)).command ?? builtinCommand(path.join(NO_FOLDER, ORDER_FILE));
      return {
        ok: true,
        dry_run: true,
        command: [...command],
        params: paramsOf(plan, start, this.#deps.maxMinutes, finalS),
        checks,
        budget,
        ...begun,
      };
    }
    refuseFailed(checks);
    signal.throwIfAborted();
    const launched = plan.external
      ? await this.#launchExternal(plan, start)
      : await this.#launchBuiltin(plan, start, finalS);
    return { ok: true, ...launched, ...begun };
  }

  async #launchExternal(plan: LaunchPlan, start: LaunchStart): Promise<Started> {
    const order = plan.external!.order(wordsOf(plan));
    // The path of the run is unknown until the trainer reports it.
    return { job: await this.#deps.jobs.launch(specOf(plan, start, null, this.#deps.maxMinutes), order), run: null };
  }

  async #launchBuiltin(plan: LaunchPlan, start: LaunchStart, finalS: number): Promise<Started> {
    const { jobs, runsFolder } = this.#deps;
    const hasJob = (run: string) => jobs.list().some((job) => job.run === run && !hasEnded(job.status));
    const run = await this.#names.take(plan.config.agent.experiment_name, plan.runName, new Date(), hasJob);
    try {
      const job = await jobs.launch(
        specOf(plan, start, run, this.#deps.maxMinutes, finalS),
        async ({ folder, unseen }) => {
          const physics = path.join(folder, PHYSICS_FILE);
          const order = {
            ...orderOf(plan, physics, path.join(runsFolder, run)),
            start: startOf(start),
            maxMinutes: plan.automatic ? this.#deps.maxMinutes : null,
          };
          try {
            const from = physicsOn(plan.robot.physicsPath, plan.config.scene.terrain.type);
            await copyFile(from, path.join(unseen, PHYSICS_FILE), constants.COPYFILE_FICLONE);
          } catch (error) {
            throw fileError(error);
          }
          await writeAtomic(path.join(unseen, ORDER_FILE), `${JSON.stringify(order)}\n`);
          const command = builtinCommand(path.join(folder, ORDER_FILE));
          return { command, cwd: folder, env: {}, files: [ORDER_FILE, PHYSICS_FILE] };
        },
      );
      return { job, run };
    } finally {
      this.#names.release(run);
    }
  }
}

function describeTrainer(trainer: ExternalTrainer): Trainer {
  const takes = FIELDS.filter((field) => trainer.takes(field));
  return {
    name: trainer.name,
    num_envs: trainer.numEnvs,
    max_iterations: trainer.maxIterations,
    takes,
    loggers: takes.includes('logger') ? ['tensorboard', 'wandb', 'none'] : ['tensorboard'],
    extra: 'further arguments, passed on unchanged',
  };
}

function orderOf(plan: LaunchPlan, physicsPath: string, runFolder: string): TrainingOrder {
  const { resume } = plan;
  const origin = resume && originOf(resume.run);
  return {
    version: ORDER_VERSION,
    task: plan.task,
    config: origin === null ? plan.trained : unguided(plan.trained),
    profile: plan.builtin.profile,
    robot: { facts: plan.robot.facts, physicsPath },
    dataset: plan.dataset,
    clips: plan.clips,
    seed: plan.seed,
    threads: plan.builtin.threads,
    runFolder,
    resume: resume && path.join(resume.run.folder, resume.checkpoint),
    origin,
    logger: plan.logger === 'none' ? 'none' : 'tensorboard',
  };
}

/** Returns the path of the run from which the networks of a run came: a run of an external trainer itself, or the run
 *  that it was started from. @returns null if the built-in trainer began it with new networks */
function originOf({ format, path: run, training }: RunRecord): string | null {
  return training.startedFrom ?? (format === 'studio' ? null : run);
}

/** Returns the task without guided iterations, which would pull trained networks towards the guide. */
function unguided(config: TaskConfig): TaskConfig {
  return { ...config, agent: { ...config.agent, guided_iterations: 0 } };
}

function startOf({ from }: LaunchStart): NonNullable<TrainingOrder['start']> | null {
  return from && { checkpoint: path.join(from.run.folder, from.checkpoint), run: from.run.path };
}

/** @param maxMinutes time limit of automatic trainings, minutes  @param finalS of {@link finalEvaluationS} */
function specOf(plan: LaunchPlan, start: LaunchStart, run: string | null, maxMinutes: number, finalS = 0) {
  return {
    kind: 'train' as const,
    task: plan.task,
    dataset: plan.dataset,
    run,
    trainer: plan.external?.name ?? BUILTIN,
    launcher: plan.launcher,
    steps: plan.maxIterations,
    params: paramsOf(plan, start, maxMinutes, finalS),
  };
}

function paramsOf(
  plan: LaunchPlan,
  { from }: LaunchStart,
  maxMinutes: number,
  finalS: number,
): Record<string, unknown> {
  const { resume } = plan;
  return {
    robot: plan.robot.facts.id,
    num_envs: plan.numEnvs,
    max_iterations: plan.maxIterations,
    run_name: plan.runName,
    logger: plan.logger,
    seed: plan.seed,
    clips: plan.clips.length,
    ...(plan.external
      ? {}
      : {
          threads: threadsOf(plan),
          profile: plan.builtin.profile,
          hidden_dims: hiddenDimsOf(plan),
          contacts: plan.trained.sim.contacts ?? 'all',
          final_evaluation_s: finalS,
        }),
    ...(plan.automatic ? { automatic: true, max_minutes: maxMinutes } : {}),
    ...(resume ? { resume_run: resume.run.path, resume_checkpoint: resume.checkpoint } : {}),
    ...(from ? { started_from: from.run.path } : {}),
    ...(plan.extra.length > 0 ? { extra: plan.extra } : {}),
  };
}
