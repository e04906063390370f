import path from 'node:path';
import { messageOf, StudioError } from '../../core/errors.ts';
import type { Check } from '../../protocol/schemas/busy.ts';
import { type CheckpointShape, functionsOf } from '../../train/dry-run/checkpoint-shape.ts';
import type { Trial } from '../../train/dry-run/try-training.ts';
import { ACTOR_GROUP, CRITIC_GROUP } from '../../train/ppo/rollout.ts';
import { networksLike } from './launch-networks.ts';
import { hiddenDimsOf, type LaunchPlan, type RunCheckpoint, startCheckpoint } from './launch-plan.ts';
import type { TrainingDeps } from './training-deps.ts';

/** Maximum number of runs whose networks are compared with those of the task, best run first. */
const TRIED = 20;

/** The networks that a training starts with. */
export interface LaunchStart {
  /** checkpoint with the networks; null: new networks */
  readonly from: RunCheckpoint | null;
  /** explains the start for people; null if there is nothing to explain */
  readonly note: string | null;
  /** result of the check of the networks; null if the training starts with new ones */
  readonly check: Check | null;
}

/** A start, and the plan with networks as wide as those of the start. */
export interface PlannedStart extends LaunchStart {
  readonly plan: LaunchPlan;
}

/** Chooses the run whose networks a training starts with, and checks that they fit. */
export async function chooseStart(deps: TrainingDeps, plan: LaunchPlan, trial: Trial): Promise<PlannedStart> {
  const { startFrom } = plan;
  if (startFrom === 'fresh') return { plan, from: null, note: null, check: null };
  if (startFrom === 'best') return bestStart(deps, plan, trial);
  const fitted = await fitting(deps, startFrom, plan, trial);
  if (typeof fitted === 'string') {
    const check = { name: 'start', ok: false, text: `start_from: ${fitted}` };
    return { plan, from: startFrom, note: null, check };
  }
  return { plan: fitted, from: startFrom, note: null, check: startCheck(plan, fitted, startFrom) };
}

/** Describes the networks that are copied. @param plan with new networks  @param fitted with the copied ones */
function startCheck(plan: LaunchPlan, fitted: LaunchPlan, from: RunCheckpoint): Check {
  const [planned, own] = [hiddenDimsOf(plan), hiddenDimsOf(fitted)];
  const widths = own === planned ? '' : `; hidden layers ${own}, new networks for this motion would have ${planned}`;
  return { name: 'start', ok: true, text: `networks of ${textOf(from)}${widths}` };
}

async function bestStart(deps: TrainingDeps, plan: LaunchPlan, trial: Trial): Promise<PlannedStart> {
  const runs = await deps.startable(plan.task);
  let other: PlannedStart | null = null;
  for (const run of runs.slice(0, TRIED)) {
    const from = { run, checkpoint: startCheckpoint(run)! };
    const fitted = await fitting(deps, from, plan, trial);
    if (typeof fitted === 'string') continue;
    const start = { plan: fitted, from, note: null, check: startCheck(plan, fitted, from) };
    // Networks as wide as new ones for this motion are better than those of a better run for other motions.
    if (hiddenDimsOf(fitted) === hiddenDimsOf(plan)) return start;
    other ??= start;
  }
  if (other !== null) return other;
  const robot = plan.robot.facts.id;
  const compared = runs.length > TRIED ? `${TRIED} best of the ${runs.length} earlier runs` : 'earlier runs';
  const note =
    runs.length === 0
      ? `starts with new networks: no earlier run of ${plan.task} on ${robot} has been evaluated`
      : `starts with new networks: the networks of the ${compared} of ${plan.task} on ${robot} do not fit this task and profile`;
  return { plan, from: null, note, check: { name: 'start', ok: true, text: note } };
}

function textOf({ run, checkpoint }: RunCheckpoint): string {
  const { score } = run.training;
  const tracks = score === null ? '' : `, which tracks ${score.tracked_s.toFixed(1)} of ${score.horizon_s} s`;
  return `${run.path}${tracks}, ${checkpoint}`;
}

/** Returns the plan with networks as wide as those of a checkpoint; or why they do not fit the task. */
async function fitting(
  deps: TrainingDeps,
  { run, checkpoint }: RunCheckpoint,
  plan: LaunchPlan,
  trial: Trial,
): Promise<LaunchPlan | string> {
  try {
    const shape = await deps.checkpointShape(path.join(run.folder, checkpoint));
    const fitted = networksLike(plan, shape);
    const other = otherNetwork(shape, fitted, trial);
    if (other === null) return fitted;
    const { network, is, wanted } = other;
    return `the ${network} of ${checkpoint} in ${run.path} ${is}, but that of this training of ${plan.task} ${wanted}. Choose the task and the --profile that it was trained with${run.task === null ? '' : ` (${run.task})`}`;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return messageOf(error);
  }
}

/** Returns the first network of a checkpoint that differs from that of the task in its widths, its activation, its
 *  observations or in whether it normalises them, and what each has; null if all fit. */
export function otherNetwork(
  shape: CheckpointShape,
  { config: { agent }, trained: { observations } }: Pick<LaunchPlan, 'config' | 'trained'>,
  trial: Trial,
): { readonly network: string; readonly is: string; readonly wanted: string } | null {
  const networks = [
    ['actor', shape.actor, agent.actor, trial.actor],
    ['critic', shape.critic, agent.critic, trial.critic],
  ] as const;
  const normalising = (does: boolean) => `${does ? 'normalises' : 'does not normalise'} its observations`;
  for (const [network, is, { hidden_dims: hidden, obs_normalization: normalises, activation }, ends] of networks) {
    if (!ends) continue;
    const wanted = [ends.inputs, ...hidden, ends.outputs].join('-');
    if (is.join('-') !== wanted) return { network, is: `has layer widths ${is.join('-')}`, wanted: `has ${wanted}` };
    if (shape.normalizes[network] !== normalises)
      return { network, is: normalising(!normalises), wanted: normalising(normalises) };
    const own = shape.activation[network];
    if (own !== null && own !== activation)
      return { network, is: `has the activation ${own}`, wanted: `has ${activation}` };
    const group = observations[network === 'actor' ? ACTOR_GROUP : CRITIC_GROUP];
    const differs = firstDifference(shape.observations[network], group ? functionsOf(group) : []);
    if (differs) return { network, is: `observes ${differs.is}`, wanted: `observes ${differs.wanted}` };
  }
  return null;
}

/** Returns the first observation that differs, by its place and function; null if none does or if those of the run are
 *  unknown. */
function firstDifference(own: readonly string[] | null, wanted: readonly string[]) {
  if (own === null) return null;
  const at = Array.from({ length: Math.max(own.length, wanted.length) }).findIndex((_, k) => own[k] !== wanted[k]);
  if (at < 0) return null;
  const text = (functions: readonly string[]) => functions[at] ?? 'nothing';
  return { is: `${text(own)} as term ${at + 1}`, wanted: `${text(wanted)} there` };
}
