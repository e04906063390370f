import path from 'node:path';
import { checkpointPolicy } from '../../policy/checkpoint/checkpoint-policy.ts';
import { readCheckpoint } from '../../policy/checkpoint/read-checkpoint.ts';
import type { Activation, PolicyWeights } from '../../policy/policy.ts';

/** The policy of a run's checkpoint. @param activation as the run's parameters have it: a checkpoint does not say
 *  @throws bad_input naming the file and what is wrong in it */
export async function checkpointOf(folder: string, name: string, activation: Activation): Promise<PolicyWeights> {
  return checkpointPolicy(await readCheckpoint(path.join(folder, path.basename(name))), activation);
}
