import type { SavedNetwork } from '../../policy/checkpoint/read-checkpoint.ts';
import { readCheckpoint } from '../../policy/checkpoint/read-checkpoint.ts';

/** Widths of the networks of a checkpoint: what goes in, what lies between, what comes out. */
export interface CheckpointShape {
  readonly actor: readonly number[];
  /** null where it has none to go on with */
  readonly critic: readonly number[] | null;
  readonly iteration: number | null;
}

/** Reads what a checkpoint would go on with. @throws bad_input naming what is damaged */
export async function readCheckpointShape(file: string): Promise<CheckpointShape> {
  const { actor, critic, iteration } = await readCheckpoint(file);
  return { actor: widthsOf(actor), critic: critic && widthsOf(critic), iteration };
}

function widthsOf({ layers }: SavedNetwork): number[] {
  return [layers[0]?.inputs ?? 0, ...layers.map(({ outputs }) => outputs)];
}
