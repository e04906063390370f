import { badInput, unreachable } from '../../core/errors.ts';
import { LIBRARY } from '../../mdp/library.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import { terrainProblem } from '../../mdp/terrain/terrain-field.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import { taskEffect } from '../../presets/task-effect.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { RunFormat } from '../../runs/store/run-record.ts';
import { deploySetup } from './deploy-setup.ts';
import { actorGroupOf } from './joint-order.ts';
import { studioSetup } from './studio-setup.ts';
import { trainedSetup } from './trained-setup.ts';

/** A run and checkpoint, read: what a session is built from. Plain data. */
export interface RunSetup {
  /** name of its task */
  readonly task: string;
  /** as it is played */
  readonly config: TaskConfig;
  /** null: zero action */
  readonly policy: PolicyWeights | null;
  /** what of it was left out, and why: the run plays without it */
  readonly warnings: readonly string[];
}

/** What is to be read. */
export interface RunSetupOrder {
  /** the run's, absolute */
  readonly folder: string;
  readonly format: RunFormat;
  /** file name; '': zero action */
  readonly checkpoint: string;
  /** the robot that plays it */
  readonly facts: RobotFacts;
}

/** Reads a run of any format for playing, and makes sure that task, robot and network fit together. It blocks for tens
 *  of milliseconds: for threads that have nothing else to do.
 *  @throws bad_input naming file and field of what is damaged, missing or unknown here */
export async function readRunSetup(order: RunSetupOrder): Promise<RunSetup> {
  const setup = await readSetup(order);
  checkFit(setup, order.facts);
  return order.checkpoint === '' ? { ...setup, policy: null } : setup;
}

function readSetup({ folder, format, checkpoint, facts }: RunSetupOrder): Promise<RunSetup> {
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
      `checkpoint: the policy takes ${inputs} observations, its task gives ${observations[group]} on ${facts.name}`,
    );
  if (outputs !== action)
    throw badInput(`checkpoint: the policy gives ${outputs} actions, ${facts.name} has ${action} joints`);
}
