import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import type { ObservationGroupConfig } from '../../mdp/task-config.ts';
import type { SavedNetwork } from '../../policy/checkpoint/read-checkpoint.ts';
import { readCheckpoint } from '../../policy/checkpoint/read-checkpoint.ts';
import { mapOrNull, type ParamsMap, readParams, textAt, valueAt } from '../../runs/params/params-file.ts';
import { RUN_FILES } from '../../runs/store/run-record.ts';
import { ACTOR_GROUP, CRITIC_GROUP } from '../ppo/rollout.ts';

/** Properties of a checkpoint that must match the task of a training that resumes it or starts from it. */
export interface CheckpointShape {
  /** widths of the networks: input, hidden layers, output */
  readonly actor: readonly number[];
  readonly critic: readonly number[];
  /** whether the networks normalise their observations */
  readonly normalizes: { readonly actor: boolean; readonly critic: boolean };
  /** as the files of the run state them; null if they do not */
  readonly activation: OfNetworks<string | null>;
  /** functions of the observations in their order; null for a run of another trainer, which may name them
   *  differently */
  readonly observations: OfNetworks<readonly string[] | null>;
  readonly iteration: number | null;
}

interface OfNetworks<T> {
  readonly actor: T;
  readonly critic: T;
}

/** Reads the shape of a checkpoint in the folder of its run, to resume or start from it. @throws StudioError bad_input
 *  naming the damaged part, or what a training needs and the file does not contain */
export async function readCheckpointShape(file: string): Promise<CheckpointShape> {
  const { actor, critic, std, iteration } = await readCheckpoint(file);
  const name = path.basename(file);
  if (!critic) throw badInput(`${name} has no critic, so a training cannot use it`);
  if (!std) throw badInput(`${name} has no standard deviations of actions, so a training cannot use it`);
  const normalizes = { actor: actor.normalizer !== null, critic: critic.normalizer !== null };
  const folder = path.dirname(file);
  const task = await readParams(folder, RUN_FILES.task);
  const agent = mapOrNull(valueAt(task, 'config', 'agent')) ?? (await readParams(folder, RUN_FILES.agent));
  return {
    ...{ actor: widthsOf(actor), critic: widthsOf(critic), normalizes, iteration },
    activation: { actor: activationOf(agent, 'actor'), critic: activationOf(agent, 'critic') },
    observations: { actor: functionsIn(task, ACTOR_GROUP), critic: functionsIn(task, CRITIC_GROUP) },
  };
}

/** Returns the functions of the observations of a group in their order. */
export function functionsOf({ terms }: ObservationGroupConfig): string[] {
  return Object.values(terms).map(({ func }) => func);
}

function functionsIn(task: ParamsMap | null, group: string): string[] | null {
  const terms = mapOrNull(valueAt(task, 'config', 'observations', group, 'terms'));
  return terms && Object.values(terms).map((term) => textAt(mapOrNull(term), 'func') ?? '');
}

/** Returns the activation of a network. Earlier versions of rsl_rl state one for both networks as that of the
 *  policy. */
function activationOf(agent: ParamsMap | null, network: 'actor' | 'critic'): string | null {
  const name = textAt(agent, network, 'activation') ?? textAt(agent, 'policy', 'activation');
  return name === 'swish' ? 'silu' : name;
}

function widthsOf({ layers }: SavedNetwork): number[] {
  return [layers[0]?.inputs ?? 0, ...layers.map(({ outputs }) => outputs)];
}
