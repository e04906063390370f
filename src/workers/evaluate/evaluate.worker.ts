import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { MOST_EPISODES } from '../../evaluate/episodes.ts';
import { runUnit } from '../../evaluate/run-unit.ts';
import { createPolicy } from '../../policy/create-policy.ts';
import type { Policy } from '../../policy/policy.ts';
import { loadMujoco } from '../../sim/mujoco.ts';
import type { EvaluateThread, UnitAnswer, UnitTask } from './messages.ts';

const { physicsPath, policies, configs, ...rest } = workerData as EvaluateThread;
const port = parentPort!;
const parts = { ...rest, mj: await loadMujoco(), physics: readFileSync(physicsPath) };
const made = new Map<number, Policy | null>();

/** Returns the policy of a checkpoint. Only the last one is kept: units come checkpoint by checkpoint. */
function policyOf(checkpoint: number): Policy | null {
  const weights = policies[checkpoint]!;
  if (!made.has(checkpoint)) {
    made.clear();
    made.set(checkpoint, weights && createPolicy(weights, MOST_EPISODES));
  }
  return made.get(checkpoint)!;
}

port.on('message', (task: UnitTask | null) => {
  if (task === null) {
    port.close();
    return;
  }
  const { unit, checkpoint, condition, first, episodes } = task;
  const config = configs[condition]!;
  const policy = policyOf(checkpoint);
  const result = runUnit(parts, { config, policy, episodes, first });
  port.postMessage({ unit, result } satisfies UnitAnswer);
});
port.postMessage(null satisfies UnitAnswer);
