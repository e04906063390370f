import type { SavedNetwork } from '../../policy/checkpoint/read-checkpoint.ts';
import { readCheckpoint } from '../../policy/checkpoint/read-checkpoint.ts';

/** Widths of the networks of a checkpoint: input, hidden layers, output. */
export interface CheckpointShape {
  readonly actor: readonly number[];
  /** null if the checkpoint has no critic to resume with */
  readonly critic: readonly number[] | null;
  readonly iteration: number | null;
}

/** Reads the shape of a checkpoint to resume from. @throws StudioError bad_input naming the damaged part */
export async function readCheckpointShape(file: string): Promise<CheckpointShape> {
  const { actor, critic, iteration } = await readCheckpoint(file);
  return { actor: widthsOf(actor), critic: critic && widthsOf(critic), iteration };
}

function widthsOf({ layers }: SavedNetwork): number[] {
  return [layers[0]?.inputs ?? 0, ...layers.map(({ outputs }) => outputs)];
}
