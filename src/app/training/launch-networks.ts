import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import type { AgentConfig } from '../../mdp/task-config.ts';
import type { CheckpointShape } from '../../train/dry-run/checkpoint-shape.ts';
import type { Trial } from '../../train/dry-run/try-training.ts';
import { isChosenByMotion, networksFor, withWidths } from '../../train/network-widths.ts';
import type { LaunchPlan } from './launch-plan.ts';
import type { TrainingDeps } from './training-deps.ts';

/** Returns the plan with the widths of its networks: those of the checkpoint to resume, else those that the duration of
 *  the motion needs. A plan whose task sets the widths is returned as it is. */
export async function withNetworks(deps: TrainingDeps, plan: LaunchPlan, trial: Trial): Promise<LaunchPlan> {
  const { resume } = plan;
  const { motionS } = trial;
  if (!plan.networksByMotion || motionS === null) return plan;
  const chosen = withAgent(plan, (agent) => networksFor(agent, motionS));
  if (!resume) return chosen;
  try {
    return networksLike(chosen, await deps.checkpointShape(path.join(resume.run.folder, resume.checkpoint)));
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return chosen; // the check of the checkpoint reports the error
  }
}

/** Returns the plan with networks as wide as those of a checkpoint, if the trainer may choose these widths; otherwise
 *  the plan as it is. */
export function networksLike(plan: LaunchPlan, { actor, critic }: CheckpointShape): LaunchPlan {
  const widths = { actor: actor.slice(1, -1), critic: critic.slice(1, -1) };
  if (!plan.networksByMotion || !isChosenByMotion(widths)) return plan;
  return withAgent(plan, (agent) => withWidths(agent, widths));
}

/** Returns the plan with other settings of the trainer. */
export function withAgent(plan: LaunchPlan, change: (agent: AgentConfig) => AgentConfig): LaunchPlan {
  const changed = (config: LaunchPlan['config']) => ({ ...config, agent: change(config.agent) });
  return { ...plan, config: changed(plan.config), trained: changed(plan.trained) };
}
