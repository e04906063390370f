import path from 'node:path';
import { checkpointPolicy } from '../../policy/checkpoint/checkpoint-policy.ts';
import { readCheckpoint } from '../../policy/checkpoint/read-checkpoint.ts';
import type { Activation, PolicyWeights } from '../../policy/policy.ts';

/** Reads the policy of a run's checkpoint. @param activation activation function according to the parameters of the
 *  run; the checkpoint does not contain it @throws StudioError bad_input that names the file and the problem */
export async function checkpointOf(folder: string, name: string, activation: Activation): Promise<PolicyWeights> {
  return checkpointPolicy(await readCheckpoint(path.join(folder, path.basename(name))), activation);
}
