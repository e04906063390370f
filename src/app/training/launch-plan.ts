import os from 'node:os';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { checkName, nameProblem, quoteName } from '../../core/files/names.ts';
import { countText } from '../../core/log/format-numbers.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import { libraryClips } from '../../data/listing/library-clips.ts';
import { BUILTIN, type BuiltinOptions, builtinOptions } from '../../jobs/trainers/builtin-trainer.ts';
import type { ExternalTrainer, TrainingWords } from '../../jobs/trainers/external-trainer.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { LibraryFile } from '../../motion/library/load-motion-library.ts';
import { baseOf } from '../../presets/resolve-task.ts';
import { vocabularyOf } from '../../presets/vocabulary-of.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { launchTraining } from '../../protocol/routes/training.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import { type Profile, trainedTask } from '../../train/builtin-profile.ts';
import { discardedSettings } from '../../train/discarded-settings.ts';
import { choosesWidths } from '../../train/network-widths.ts';
import type { TrainingDeps } from './training-deps.ts';

export type LaunchBody = BodyOf<typeof launchTraining>;

const MAX_ENVS = 65_536;
const MAX_ITERATIONS = 10_000_000;
const MAX_SEED = 2 ** 31 - 1;
const MAX_EXTRA = 200;
/** Maximum number of names listed in a message. */
const SHOWN = 5;

/** A checkpoint of a run. */
export interface RunCheckpoint {
  readonly run: RunRecord;
  readonly checkpoint: string;
}

/** A requested training with defaults filled in and all names resolved. */
export interface LaunchPlan {
  readonly robot: ClipRobotSource;
  readonly task: string;
  /** the task with the requested environments, iterations and seed, without the profile */
  readonly config: TaskConfig;
  /** the task that is trained: `config` with the profile of the built-in trainer applied */
  readonly trained: TaskConfig;
  /** settings of the task's preset that the profile discards, as paths */
  readonly discarded: readonly string[];
  readonly dataset: string;
  readonly datasetFolder: string;
  readonly clips: readonly LibraryFile[];
  /** number of clips in the dataset without a converted file */
  readonly missing: number;
  /** number of converted clips in the dataset that are marked as excluded */
  readonly excluded: number;
  /** number of clips of weight 0, which the built-in trainer leaves out: no episode would start in them */
  readonly weightless: number;
  readonly numEnvs: number;
  readonly maxIterations: number;
  readonly seed: number;
  readonly runName: string;
  readonly logger: 'tensorboard' | 'wandb' | 'none';
  readonly resume: RunCheckpoint | null;
  /** initial networks of a training without `resume`: new networks, those of the best run that fits, or those of a
   *  given run */
  readonly startFrom: 'fresh' | 'best' | RunCheckpoint;
  /** whether the built-in trainer chooses the number of iterations */
  readonly automatic: boolean;
  /** whether the built-in trainer chooses the widths of the networks */
  readonly networksByMotion: boolean;
  readonly extra: readonly string[];
  /** the external trainer; null: the built-in trainer */
  readonly external: ExternalTrainer | null;
  readonly builtin: BuiltinOptions;
  readonly launcher: string;
}

/** Resolves a training request to a plan. @throws bad_input naming the wrong field */
export async function planLaunch(deps: TrainingDeps, body: LaunchBody): Promise<LaunchPlan> {
  const robot = deps.robot();
  const { external, launcher } = findPlaces(deps, body);
  const resolved = await deps.task(body.task);
  const extra = extraOf(body.extra);
  const builtin = external ? builtinOptions([]) : builtinOptions(extra);
  const logger = body.logger ?? 'tensorboard';
  if (!external && logger === 'wandb')
    throw badInput('logger: the built-in trainer writes tensorboard or none; wandb needs an external trainer');
  const runName = body.run_name ?? '';
  if (runName !== '') checkName('run', runName, 'run_name');
  const numEnvs = count('num_envs', body.num_envs, external?.numEnvs ?? resolved.scene.num_envs, MAX_ENVS);
  const defaultIterations = external?.maxIterations ?? resolved.agent.max_iterations;
  const maxIterations = count('max_iterations', body.max_iterations, defaultIterations, MAX_ITERATIONS);
  const seed = body.seed ?? resolved.seed;
  if (seed < 0 || seed > MAX_SEED) throw badInput(`seed: must be an integer from 0 to ${MAX_SEED}`);
  if (external) refuseUnused(external, body, extra);
  const resume = await findResume(deps, body, external === null);
  const startFrom = await findStart(deps, body, external);
  const found = await findClips(deps, robot, body.dataset);
  const dataset = external ? { ...found, weightless: 0 } : withoutWeightless(found);
  if (external) refuseMarks(external, dataset);
  if (external?.takes('motion_file') && dataset.clips.length > 1)
    throw badInput(
      `dataset: the trainer "${external.name}" trains on a single clip, but ${quoteName(body.dataset)} has ${dataset.clips.length}. Create a dataset that contains only the clip to train on.`,
    );
  const config: TaskConfig = {
    ...resolved,
    seed,
    scene: { ...resolved.scene, num_envs: numEnvs },
    agent: {
      ...resolved.agent,
      max_iterations: maxIterations,
      save_interval: builtin.saveInterval ?? resolved.agent.save_interval,
    },
  };
  const problem = nameProblem('run', config.agent.experiment_name);
  if (problem !== null)
    throw badInput(`task: its agent.experiment_name ${quoteName(config.agent.experiment_name)} ${problem}`);
  return {
    robot,
    task: body.task,
    config,
    ...(external === null
      ? withProfile(robot, body.task, config, builtin.profile)
      : { trained: config, discarded: [] }),
    dataset: body.dataset,
    ...dataset,
    numEnvs,
    maxIterations,
    seed,
    runName,
    logger,
    resume,
    startFrom,
    automatic: external === null && body.max_iterations === undefined,
    networksByMotion: external === null && choosesWidths(resolved.agent),
    extra,
    external,
    builtin,
    launcher,
  };
}

/** Applies a profile to a task, and finds the settings of its preset that the profile discards. */
function withProfile({ facts }: ClipRobotSource, task: string, config: TaskConfig, profile: Profile) {
  const trained = trainedTask(config, profile);
  const base = baseOf(task, vocabularyOf(facts).bases);
  return { trained, discarded: base ? discardedSettings(base.config, config, trained) : [] };
}

/** Returns the number of threads of the built-in trainer. */
export function threadsOf({ builtin, numEnvs }: LaunchPlan): number {
  return Math.min(numEnvs, builtin.threads === 0 ? os.availableParallelism() : builtin.threads);
}

/** Returns the widths of the hidden layers as text: `128-128-64`, and those of the critic if they differ. */
export function hiddenDimsOf({ config }: LaunchPlan): string {
  const [actor, critic] = [config.agent.actor, config.agent.critic].map(({ hidden_dims: dims }) => dims.join('-'));
  return actor === critic ? actor! : `${actor}, critic ${critic}`;
}

/** Returns the values that replace the placeholders in an external trainer's command. */
export function wordsOf(plan: LaunchPlan): TrainingWords {
  const { resume, clips } = plan;
  return {
    ...plan,
    robot: plan.robot.facts.id,
    npzFolder: path.dirname(clips[0]!.path),
    motionFile: clips.length === 1 ? clips[0]!.path : null,
    resume: resume && { run: resume.run.run, runFolder: resume.run.folder, checkpoint: resume.checkpoint },
  };
}

function findPlaces(deps: TrainingDeps, body: LaunchBody): { external: ExternalTrainer | null; launcher: string } {
  const { trainer = BUILTIN, launcher = 'local' } = body;
  const external = deps.trainers.get(trainer) ?? null;
  if (trainer !== BUILTIN && !external) throw unknown('trainer', trainer, [BUILTIN, ...deps.trainers.keys()]);
  if (!deps.launchers.has(launcher)) throw unknown('launcher', launcher, [...deps.launchers.keys()]);
  return { external, launcher };
}

function unknown(field: string, name: string, known: readonly string[]): Error {
  const hint = didYouMean(name, known) ?? `available: ${known.join(', ')}`;
  return badInput(`${field}: unknown name ${quoteName(name)}; ${hint}`);
}

function count(field: string, asked: number | undefined, otherwise: number, most: number): number {
  const value = asked ?? otherwise;
  if (value < 1 || value > most) throw badInput(`${field}: must be an integer from 1 to ${most}`);
  return value;
}

function extraOf(extra: LaunchBody['extra']): string[] {
  const words = typeof extra === 'string' ? extra.split(/\s+/).filter((word) => word !== '') : (extra ?? []);
  if (words.length > MAX_EXTRA) throw badInput(`extra: at most ${MAX_EXTRA} arguments`);
  const bad = words.find((word) => /[\0\r\n]/.test(word));
  if (bad !== undefined) throw badInput(`extra: ${quoteName(bad)} contains a line break or NUL, which is not allowed`);
  return words;
}

/** Refuses fields that an external trainer would ignore silently.
 *  @throws bad_input for a given field without a placeholder in the trainer's command */
function refuseUnused(trainer: ExternalTrainer, body: LaunchBody, extra: readonly string[]): void {
  const fields: [field: string, placeholder: string, given: boolean][] = [
    ['run_name', 'run_name', (body.run_name ?? '') !== ''],
    ['num_envs', 'num_envs', body.num_envs !== undefined],
    ['max_iterations', 'max_iterations', body.max_iterations !== undefined],
    ['seed', 'seed', body.seed !== undefined],
    ['logger', 'logger', body.logger !== undefined && body.logger !== 'tensorboard'],
    ['resume_run', 'resume', (body.resume_run ?? '') !== ''],
    ['extra', 'extra', extra.length > 0],
  ];
  const unused = fields.find(([, placeholder, given]) => given && !trainer.takes(placeholder));
  if (unused)
    throw badInput(
      `${unused[0]}: the trainer "${trainer.name}" does not accept this field, because its command in studio.yaml has no {${unused[1]}}`,
    );
}

async function findResume(deps: TrainingDeps, body: LaunchBody, builtin: boolean): Promise<LaunchPlan['resume']> {
  const { resume_run: name = '', resume_checkpoint: checkpoint = '' } = body;
  if (name === '') {
    if (checkpoint !== '') throw badInput('resume_checkpoint: requires resume_run, the run of the checkpoint');
    return null;
  }
  const run = await deps.run(name, 'resume_run');
  if (builtin && run.format === 'deploy')
    throw badInput(`resume_run: ${quoteName(name)} is a deployed policy, which cannot be trained further`);
  const found = checkpoint === '' ? run.checkpoints.at(-1) : run.checkpoints.find((one) => one.name === checkpoint);
  if (found) return { run, checkpoint: found.name };
  if (run.checkpoints.length === 0) throw badInput(`resume_run: ${quoteName(name)} has no checkpoint yet`);
  const last = run.checkpoints.slice(-SHOWN).map((one) => one.name);
  throw badInput(
    `resume_checkpoint: the run ${quoteName(name)} has no ${quoteName(checkpoint)}; its last ones are ${last.join(', ')}`,
  );
}

/** Finds the run whose networks a training starts with. @throws bad_input for a start that the trainer does not
 *  support, for an unusable run, or together with `resume_run` */
async function findStart(
  deps: TrainingDeps,
  { start_from: start = 'fresh', resume_run: resumed = '' }: LaunchBody,
  external: ExternalTrainer | null,
): Promise<LaunchPlan['startFrom']> {
  if (start === 'fresh') return 'fresh';
  if (external)
    throw badInput(
      `start_from: the trainer "${external.name}" does not accept this field. Only ${BUILTIN} copies networks.`,
    );
  if (resumed !== '')
    throw badInput('start_from: cannot be combined with resume_run, which continues with the networks of its own run');
  if (start === 'best') return 'best';
  const run = await deps.run(start, 'start_from');
  if (run.format === 'deploy')
    throw badInput(`start_from: ${quoteName(start)} is a deployed policy, which cannot be trained further`);
  const checkpoint = startCheckpoint(run);
  if (checkpoint === null) throw badInput(`start_from: ${quoteName(start)} has no checkpoint yet`);
  return { run, checkpoint };
}

/** Returns the checkpoint from whose networks a training starts: the one with the score of the run, else the newest. In
 *  a run that was killed, the newest may be worse. @returns null for a run without checkpoints */
export function startCheckpoint({ checkpoints, training }: RunRecord): string | null {
  const scored = checkpoints.find(({ name }) => name === training.scored);
  return (scored ?? checkpoints.at(-1))?.name ?? null;
}

async function findClips(
  deps: TrainingDeps,
  robot: ClipRobotSource,
  dataset: string,
): Promise<Pick<LaunchPlan, 'clips' | 'missing' | 'excluded' | 'datasetFolder'>> {
  const store = deps.library(robot);
  await store.awaitNewFiles(dataset);
  const { entries, marks } = await store.conversionSource(dataset);
  const { files: clips, missing, excluded } = libraryClips(entries, marks);
  const name = quoteName(dataset);
  if (entries.length === 0) throw badInput(`dataset: ${name} has no clips`);
  if (clips.length === 0 && excluded > 0)
    throw badInput(`dataset: all ${excluded} converted clips of ${name} are excluded; include some, or convert others`);
  if (clips.length === 0)
    throw badInput(
      `dataset: none of the ${entries.length} clips of ${name} is converted. ${await conversionRemedy(store, dataset)}`,
    );
  if (clips.every(({ weight }) => weight === 0))
    throw badInput(`dataset: all clips of ${name} have weight 0. Give at least one of them a weight above 0.`);
  const { folder } = await store.placeToDelete(dataset);
  return { clips, missing, excluded, datasetFolder: folder };
}

/** Returns what to do about a dataset without converted clips: convert them, or mend what made the conversion fail. */
async function conversionRemedy(store: DatasetStore, dataset: string): Promise<string> {
  const { total, clips } = await store.clips({ dataset, failed: true, size: 1 });
  const [first] = clips;
  if (!first) return 'Convert them first.';
  const others = total > 1 ? ` (${countText(total - 1, 'more conversion')} failed; see the list of clips)` : '';
  const reason = first.failed?.replace(/\.$/, '');
  return `Correct what made the conversion fail, and convert again: ${quoteName(first.name)}: ${reason}${others}.`;
}

/** Leaves out the clips of weight 0, so that the plan of the training depends only on the motion that is trained. */
function withoutWeightless<T extends Pick<LaunchPlan, 'clips'>>(found: T): T & Pick<LaunchPlan, 'weightless'> {
  const clips = found.clips.filter(({ weight }) => weight !== 0);
  return { ...found, clips, weightless: found.clips.length - clips.length };
}

/** Refuses marked datasets for an external trainer that reads the dataset folder itself and would ignore the marks.
 *  @throws bad_input */
function refuseMarks(trainer: ExternalTrainer, { clips, excluded }: Pick<LaunchPlan, 'clips' | 'excluded'>): void {
  const weighted = clips.filter(({ weight }) => weight !== undefined).length;
  if (trainer.takes('motion_file') || excluded + weighted === 0) return;
  const what = [
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
    ...(weighted > 0 ? [`${weighted} weighted`] : []),
  ].join(' and ');
  throw badInput(
    `dataset: the trainer "${trainer.name}" trains on every clip of the folder and ignores marks, but ${what} clips are marked. Create a dataset that contains only the clips to train on.`,
  );
}
