import { badInput, unreachable } from '../../core/errors.ts';
import { LIBRARY } from '../../mdp/library.ts';
import { terrainProblem } from '../../mdp/terrain/terrain-field.ts';
import { taskEffect } from '../../presets/task-effect.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { deploySetup } from './deploy-setup.ts';
import { actorGroupOf } from './joint-order.ts';
import { withPlayOverrides } from './play-overrides.ts';
import type { RunContent, RunSetup, RunSetupOrder } from './run-setup.ts';
import { studioSetup } from './studio-setup.ts';
import { trainedSetup } from './trained-setup.ts';

/** Reads a run of any format for play, and checks that the sizes of task, robot and network match. Blocks the thread
 * for tens
 *  of milliseconds.
 *  @throws StudioError bad_input naming the file and the field that is damaged, missing or unknown */
export async function readRunSetup(order: RunSetupOrder): Promise<RunSetup> {
  const content = await readContent(order);
  const setup: RunSetup = { ...content, config: withPlayOverrides(content.trained) };
  checkFit(setup, order.facts);
  return order.checkpoint === '' ? { ...setup, policy: null } : setup;
}

function readContent({ folder, format, checkpoint, facts }: RunSetupOrder): Promise<RunContent> {
  switch (format) {
    case 'deploy':
      return deploySetup(folder, facts);
    case 'studio':
      return studioSetup(folder, checkpoint, facts);
    case 'rsl_rl':
      return trainedSetup(folder, checkpoint, facts);
    default:
      return unreachable(format);
  }
}

function checkFit({ config, policy }: RunSetup, facts: RobotFacts): void {
  const { observations, action } = taskEffect(config, facts, LIBRARY);
  const ground = terrainProblem(config.scene.terrain);
  if (ground) throw badInput(`scene.terrain.${ground.knob}: ${ground.text}`);
  if (!policy) return;
  const group = actorGroupOf(config);
  const inputs = policy.layers[0]!.inputs;
  const outputs = policy.layers.at(-1)!.outputs;
  if (observations[group] !== inputs)
    throw badInput(
      `checkpoint: the policy expects ${inputs} observations, but its task has ${observations[group]} on ${facts.name}`,
    );
  if (outputs !== action)
    throw badInput(`checkpoint: the policy outputs ${outputs} actions, but ${facts.name} has ${action} joints`);
}
