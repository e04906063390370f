import { access, constants, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import type { ExternalTrainer } from '../../jobs/trainers/external-trainer.ts';
import type { Check } from '../../protocol/schemas/busy.ts';
import type { Trial } from '../../train/dry-run/try-training.ts';
import { type LaunchPlan, threadsOf } from './launch-plan.ts';
import type { TrainingDeps } from './training-deps.ts';

/** As the API shows it; the text of one that failed begins with the field to blame. */
export type LaunchCheck = Check;

const LOCAL = 'local';
const MIB = 2 ** 20;
/** Left to the service and everything else. */
const MEMORY_RESERVE = 256 * MIB;
const DISK_RESERVE = 64 * MIB;
/** Of event files and the log, an iteration. */
const LOG_BYTES = 8 * 1024;

/** All that is checked of a training before it begins, in this order; a failed one does not hide the others. */
export async function checkLaunch(deps: TrainingDeps, plan: LaunchPlan, trial: Trial): Promise<LaunchCheck[]> {
  const checks: LaunchCheck[] = trial.checks.map((check) => ({ ...check }));
  const clips = checks.find(({ name, ok }) => name === 'clips' && ok);
  if (clips && plan.missing > 0) clips.text += `; ${plan.missing} of the dataset are not converted and left out`;
  if (clips && trial.resting && !plan.external) clips.text += `; ${restingText(plan, trial.resting)}`;
  if (plan.external) {
    checks.push(await trainerCheck(deps, plan, plan.external));
    return checks;
  }
  if (plan.launcher === LOCAL && trial.memory !== null) checks.push(memoryCheck(plan, trial.memory));
  if (plan.resume) checks.push(await resumeCheck(deps, plan, trial));
  checks.push(await diskCheck(deps, plan, trial));
  return checks;
}

/** What may touch, where a clip rests on more than its feet. */
function restingText({ trained }: LaunchPlan, { clip, body }: NonNullable<Trial['resting']>): string {
  const rests = `clip "${clip}" rests on ${body}`;
  return trained.sim.contacts === 'soles'
    ? `${rests}, but the task lets only soles touch (sim.contacts): it falls through the floor there`
    : `${rests}: all contacts are simulated, which takes longer`;
}

/** @throws what the first failed check means to whoever wants to launch */
export function refuseFailed(checks: readonly LaunchCheck[]): void {
  const failed = checks.find(({ ok }) => !ok);
  if (!failed) return;
  throw failed.name === 'disk' && failed.text.includes('free') // another failure of it is a folder that is none
    ? new StudioError('disk_full', failed.text)
    : badInput(failed.text);
}

async function trainerCheck(deps: TrainingDeps, { launcher }: LaunchPlan, trainer: ExternalTrainer) {
  const name = 'trainer';
  const problem = await trainer.problem(deps.searchPath);
  if (problem === null) return { name, ok: true, text: `${trainer.name} is there` };
  // It is the nodes of a cluster that must have it, which nobody can see from here.
  if (launcher !== LOCAL) return { name, ok: true, text: `${problem}; the nodes of ${launcher} must have it` };
  return { name, ok: false, text: `trainer: "${trainer.name}": ${problem}` };
}

function memoryCheck(plan: LaunchPlan, bytes: number): LaunchCheck {
  // Node 20 knows what the operating system would give, limits of a container counted; older ones what is unused.
  const available = (process as { availableMemory?: () => number }).availableMemory?.() ?? os.freemem();
  const free = Math.max(0, available - MEMORY_RESERVE);
  const figures = `${plan.numEnvs} environments in ${threadsOf(plan)} threads need about ${Math.ceil(bytes / MIB)} MiB of memory, ${Math.floor(free / MIB)} MiB are free`;
  const ok = bytes <= free;
  return { name: 'memory', ok, text: ok ? figures : `num_envs: ${figures}; take fewer` };
}

/** Whether the networks of the checkpoint are those of the task. */
async function resumeCheck(
  deps: TrainingDeps,
  { resume, config, task }: LaunchPlan,
  trial: Trial,
): Promise<LaunchCheck> {
  const { run, checkpoint } = resume!;
  const name = 'resume';
  try {
    const shape = await deps.checkpointShape(path.join(run.folder, checkpoint));
    const networks = [
      ['actor', shape.actor, config.agent.actor.hidden_dims, trial.actor],
      ['critic', shape.critic, config.agent.critic.hidden_dims, trial.critic],
    ] as const;
    for (const [network, is, hidden, ends] of networks) {
      if (!is || !ends) continue;
      const wanted = [ends.inputs, ...hidden, ends.outputs];
      if (is.join() === wanted.join()) continue;
      const text = `resume_run: the ${network} of ${checkpoint} in ${run.path} has widths ${is.join('-')}, that of task ${task} ${wanted.join('-')}: resume with the task and the --profile that it was trained with${run.task === null ? '' : ` (${run.task})`}`;
      return { name, ok: false, text };
    }
    const at = shape.iteration === null ? '' : `, iteration ${shape.iteration}`;
    return { name, ok: true, text: `${checkpoint} of ${run.path}${at}: ${shape.actor.join('-')} fits` };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { name, ok: false, text: `resume_checkpoint: ${messageOf(error)}` };
  }
}

/** Whether the run's folder can be made, and holds what a training writes. */
async function diskCheck(deps: TrainingDeps, plan: LaunchPlan, trial: Trial): Promise<LaunchCheck> {
  const { experiment_name: experiment, save_interval: every, max_iterations: iterations } = plan.config.agent;
  const name = 'disk';
  const folder = await nearestFolder(path.join(deps.runsFolder, experiment));
  if (typeof folder !== 'string') return { name, ok: false, text: `task: ${folder.problem}` };
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const checkpoints = Math.ceil(iterations / every) + 1;
  const needed = DISK_RESERVE + checkpoints * (trial.checkpoint ?? 0) + iterations * LOG_BYTES;
  const figures = `${checkpoints} checkpoints and logs need about ${Math.ceil(needed / MIB)} MiB, ${Math.floor(free / MIB)} MiB of disk are free`;
  const ok = needed <= free;
  return {
    name,
    ok,
    text: ok ? figures : `max_iterations: ${figures}; free some, or save less often (extra: --save-interval=N)`,
  };
}

/** The folder, or the one above it that is there and can be written to. */
async function nearestFolder(folder: string): Promise<string | { readonly problem: string }> {
  try {
    const found = await stat(folder);
    if (!found.isDirectory()) return { problem: `runs go to ${folder}, which is no folder: move that file away` };
    await access(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path.dirname(folder) !== folder) return nearestFolder(path.dirname(folder));
    if (code === 'ENOTDIR') return { problem: `runs go to ${folder}, and something above it is no folder` };
    return { problem: `runs go to ${folder}, which cannot be written to: ${messageOf(error)}` };
  }
}
