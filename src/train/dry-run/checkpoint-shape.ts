import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import type { SavedNetwork } from '../../policy/checkpoint/read-checkpoint.ts';
import { readCheckpoint } from '../../policy/checkpoint/read-checkpoint.ts';

/** What a training must know of a checkpoint that it resumes or starts from. */
export interface CheckpointShape {
  /** widths of the networks: input, hidden layers, output */
  readonly actor: readonly number[];
  readonly critic: readonly number[];
  /** whether the networks normalise their observations */
  readonly normalizes: { readonly actor: boolean; readonly critic: boolean };
  readonly iteration: number | null;
}

/** Reads the shape of a checkpoint to resume or start from. @throws StudioError bad_input naming the damaged part, or what
 *  a training needs and the file does not contain */
export async function readCheckpointShape(file: string): Promise<CheckpointShape> {
  const { actor, critic, std, iteration } = await readCheckpoint(file);
  const name = path.basename(file);
  if (!critic) throw badInput(`${name} has no critic, so a training cannot use it`);
  if (!std) throw badInput(`${name} has no standard deviations of actions, so a training cannot use it`);
  const normalizes = { actor: actor.normalizer !== null, critic: critic.normalizer !== null };
  return { actor: widthsOf(actor), critic: widthsOf(critic), normalizes, iteration };
}

function widthsOf({ layers }: SavedNetwork): number[] {
  return [layers[0]?.inputs ?? 0, ...layers.map(({ outputs }) => outputs)];
}
