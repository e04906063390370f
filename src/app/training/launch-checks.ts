import { access, constants, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { LONGEST } from '../../jobs/longest-course.ts';
import type { ExternalTrainer } from '../../jobs/trainers/external-trainer.ts';
import { MAX_WIDTH } from '../../policy/check-weights.ts';
import type { Check } from '../../protocol/schemas/busy.ts';
import { checkpointBytes, trainingBytes } from '../../train/dry-run/training-bytes.ts';
import type { Trial } from '../../train/dry-run/try-training.ts';
import { type LaunchPlan, threadsOf } from './launch-plan.ts';
import { otherNetwork } from './launch-start.ts';
import type { TrainingDeps } from './training-deps.ts';

/** One check as the API returns it. The text of a failed check begins with the name of the field to change. */
export type LaunchCheck = Check;

const LOCAL = 'local';
const MIB = 2 ** 20;
/** Memory reserved for the service and other programs, bytes. */
const MEMORY_RESERVE = 256 * MIB;
const DISK_RESERVE = 64 * MIB;
/** Evaluations are at least 25 iterations apart, and at most about half of them are the best so far, which is saved. */
const BEST_EVERY = 50;
/** Bytes that each iteration adds to the event files and the log. */
const LOG_BYTES = 8 * 1024;
/** Maximum number of settings named in a message. */
const NAMED = 5;

/** Runs all checks of a training, in this order. A failed check does not stop the following ones. */
export async function checkLaunch(deps: TrainingDeps, plan: LaunchPlan, trial: Trial): Promise<LaunchCheck[]> {
  const checks: LaunchCheck[] = trial.checks.map((check) => ({ ...check }));
  const clips = checks.find(({ name, ok }) => name === 'clips' && ok);
  if (clips && plan.missing > 0)
    clips.text += `; ${plan.missing} of the dataset are not converted and therefore skipped`;
  if (clips && plan.excluded > 0) clips.text += `; ${plan.excluded} excluded`;
  if (clips && plan.weightless > 0) clips.text += `; ${plan.weightless} left out, because their weight is 0`;
  const weighted = plan.clips.filter(({ weight }) => weight !== undefined).length;
  if (clips && weighted > 0) clips.text += `; ${weighted} weighted`;
  const task = checks.find(({ name, ok }) => name === 'task' && ok);
  if (task && plan.discarded.length > 0) task.text += `; ${discardedText(plan)}`;
  const warning = plan.external ? null : restingText(plan, trial.resting);
  if (clips && warning) clips.text += `; ${warning}`;
  const balance = balanceCheck(trial);
  if (balance) checks.push(balance);
  if (plan.external) {
    checks.push(await trainerCheck(deps, plan, plan.external));
    return checks;
  }
  const copies = plan.resume !== null || plan.startFrom !== 'fresh';
  const size = trial.size && { ...trial.size, agent: plan.trained.agent, copies };
  const unusable = learningProblem(plan, trial);
  if (unusable !== null) checks.push({ name: 'learning', ok: false, text: unusable });
  if (plan.launcher === LOCAL && size) checks.push(memoryCheck(plan, trainingBytes(size)));
  if (plan.resume) checks.push(await resumeCheck(deps, plan, trial));
  const checkpoint = size ? checkpointBytes(size) : 0;
  checks.push(await diskCheck(deps, plan, checkpoint));
  return checks;
}

/** Names the settings of a preset that the profile discards. */
function discardedText({ discarded, builtin: { profile } }: LaunchPlan): string {
  const more = discarded.length > NAMED ? ` and ${discarded.length - NAMED} more` : '';
  return `the profile ${profile} ignores ${discarded.slice(0, NAMED).join(', ')}${more} of the preset. To train with all of its settings, launch with the extra argument --profile=task`;
}

/** Returns a warning if a clip rests on the floor with more than the feet, and the task simulates contacts of the soles
 *  only; otherwise null. A robot without feet keeps all contacts. */
function restingText({ robot, trained }: LaunchPlan, resting: Trial['resting']): string | null {
  if (resting === null || trained.sim.contacts !== 'soles' || robot.facts.wiring.feet.length === 0) return null;
  return `sim.contacts: with soles, the robot falls through the floor where clip "${resting.clip}" rests on ${resting.body}. Set it to light`;
}

/** Warns about stands that the robot cannot hold; null if there are none. */
function balanceCheck({ demand }: Trial): LaunchCheck | null {
  const [worst, ...others] = demand?.offBalance ?? [];
  if (worst === undefined) return null;
  const { clip, seconds, start, distance, measuredS, whole } = worst;
  const part = `its ${whole ? '' : 'middle '}${measuredS.toFixed(1)} s`;
  const more =
    others.length === 0 ? '' : `; so ${others.length === 1 ? 'does 1 more clip' : `do ${others.length} more clips`}`;
  const text = `clip "${clip}" stands off balance for ${seconds.toFixed(1)} s of ${part}, first after ${start.toFixed(1)} s${whole ? '' : ' of this part'}${more}. On average over a second, the zero moment point is up to ${distance.toFixed(2)} m outside the soles. The robot cannot hold such a pose and must deviate from the clip, so the policy may need more iterations than planned`;
  return { name: 'balance', ok: true, text };
}

/** Refuses a training with a failed check. @throws bad_input or disk_full with the text of the first failed check */
export function refuseFailed(checks: readonly LaunchCheck[]): void {
  const failed = checks.find(({ ok }) => !ok);
  if (!failed) return;
  throw failed.name === 'disk' && failed.text.includes('free') // the disk check also fails for a path that is not a folder
    ? new StudioError('disk_full', failed.text)
    : badInput(failed.text);
}

async function trainerCheck(deps: TrainingDeps, { launcher }: LaunchPlan, trainer: ExternalTrainer) {
  const name = 'trainer';
  const problem = await trainer.problem(deps.searchPath);
  if (problem === null) return { name, ok: true, text: `${trainer.name} is installed` };
  // The trainer must be installed on the nodes of the cluster, which cannot be checked from here.
  if (launcher !== LOCAL) return { name, ok: true, text: `${problem}; install it on the nodes of ${launcher}` };
  return { name, ok: false, text: `trainer: "${trainer.name}": ${problem}` };
}

/** Returns why the trainer cannot learn with the settings of the task; null if it can. */
function learningProblem(plan: LaunchPlan, trial: Trial): string | null {
  const { num_steps_per_env: steps, algorithm } = plan.trained.agent;
  const rows = Math.floor(plan.numEnvs / threadsOf(plan)) * steps;
  const batches = algorithm.num_mini_batches;
  if (batches > rows)
    return `agent.algorithm.num_mini_batches: ${batches} exceeds the ${rows} steps that a thread collects in an iteration. Use fewer minibatches, fewer threads or more environments.`;
  for (const network of ['actor', 'critic'] as const) {
    const inputs = trial[network]?.inputs ?? 0;
    if (inputs > MAX_WIDTH)
      return `observations.${network}: its ${inputs} values exceed the limit of ${MAX_WIDTH}. Use a shorter history_length.`;
  }
  return null;
}

function memoryCheck(plan: LaunchPlan, bytes: number): LaunchCheck {
  // `availableMemory` respects the limits of a container; `freemem` counts only unused memory.
  const available = (process as { availableMemory?: () => number }).availableMemory?.() ?? os.freemem();
  const free = Math.max(0, available - MEMORY_RESERVE);
  const figures = `${plan.numEnvs} environments in ${threadsOf(plan)} threads need about ${megabytes(bytes)} MB of memory, ${megabytes(free)} MB are free`;
  const ok = bytes <= free;
  return { name: 'memory', ok, text: ok ? figures : `num_envs: ${figures}. Use fewer environments.` };
}

/** Checks that the networks of the checkpoint match the task. */
async function resumeCheck(deps: TrainingDeps, plan: LaunchPlan, trial: Trial): Promise<LaunchCheck> {
  const { run, checkpoint } = plan.resume!;
  const name = 'resume';
  try {
    const shape = await deps.checkpointShape(path.join(run.folder, checkpoint));
    const other = otherNetwork(shape, plan, trial);
    if (other !== null) {
      const text = `resume_run: the ${other.network} of ${checkpoint} in ${run.path} ${other.is}, but that of this training of ${plan.task} ${other.wanted}. Resume with the task and the --profile that it was trained with${run.task === null ? '' : ` (${run.task})`}`;
      return { name, ok: false, text };
    }
    const at = shape.iteration === null ? '' : `, iteration ${shape.iteration}`;
    return { name, ok: true, text: `${checkpoint} of ${run.path}${at}: ${shape.actor.join('-')} fits` };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { name, ok: false, text: `resume_checkpoint: ${messageOf(error)}` };
  }
}

/** Checks that the run's folder can be created, and that the disk has room for the files of a training.
 *  @param checkpoint bytes of one checkpoint */
async function diskCheck(deps: TrainingDeps, plan: LaunchPlan, checkpoint: number): Promise<LaunchCheck> {
  const { experiment_name: experiment, save_interval: every, max_iterations: planned } = plan.config.agent;
  const iterations = plan.automatic ? Math.ceil(LONGEST * planned) : planned;
  const name = 'disk';
  const folder = await nearestFolder(path.join(deps.runsFolder, experiment));
  if (typeof folder !== 'string') return { name, ok: false, text: `task: ${folder.problem}` };
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const checkpoints = Math.ceil(iterations / every + iterations / BEST_EVERY) + 1;
  const needed = DISK_RESERVE + checkpoints * checkpoint + iterations * LOG_BYTES;
  const figures = `${checkpoints} checkpoints and logs need about ${megabytes(needed)} MB, ${megabytes(free)} MB of disk are free`;
  const ok = needed <= free;
  return {
    name,
    ok,
    text: ok ? figures : `max_iterations: ${figures}. Free some space, or save less often (extra: --save-interval=N).`,
  };
}

/** Returns the folder or its nearest existing parent, or a problem if that folder is not writable. */
async function nearestFolder(folder: string): Promise<string | { readonly problem: string }> {
  try {
    const found = await stat(folder);
    if (!found.isDirectory()) return { problem: `runs go to ${folder}, which is not a folder. Move that file away.` };
    await access(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path.dirname(folder) !== folder) return nearestFolder(path.dirname(folder));
    if (code === 'ENOTDIR') return { problem: `runs go to ${folder}, but a part of that path is not a folder` };
    return { problem: `runs go to ${folder}, which cannot be written to: ${messageOf(error)}` };
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
