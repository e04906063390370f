import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { MOST_EPISODES } from '../../evaluate/episodes.ts';
import { runUnit, type UnitParts } from '../../evaluate/run-unit.ts';
import { createPolicy } from '../../policy/create-policy.ts';
import type { Policy } from '../../policy/policy.ts';
import { loadMujoco } from '../../sim/mujoco.ts';
import type { ToEvaluateThread, UnitAnswer, UnitContent, UnitTask } from './messages.ts';

const port = parentPort!;
// Messages wait until MuJoCo is loaded.
const mj = await loadMujoco();

/** Plays the units of an evaluation. */
class UnitPlayer {
  readonly #content: UnitContent;
  readonly #parts: UnitParts;
  #made: { readonly checkpoint: number; readonly policy: Policy | null } | null = null;

  constructor(content: UnitContent) {
    const { facts, physicsPath, library, seed } = content;
    this.#content = content;
    this.#parts = { mj, physics: readFileSync(physicsPath), facts, library, seed };
  }

  play({ unit, checkpoint, condition, first, episodes }: UnitTask): UnitAnswer {
    const config = this.#content.configs[condition]!;
    return { unit, result: runUnit(this.#parts, { config, policy: this.#policyOf(checkpoint), episodes, first }) };
  }

  /** Returns the policy of a checkpoint. Only the last policy is kept, because units are ordered by checkpoint. */
  #policyOf(checkpoint: number): Policy | null {
    if (this.#made?.checkpoint !== checkpoint) {
      const weights = this.#content.policies[checkpoint]!;
      this.#made = { checkpoint, policy: weights && createPolicy(weights, MOST_EPISODES) };
    }
    return this.#made.policy;
  }
}

let player: UnitPlayer | null = null;
port.on('message', (message: ToEvaluateThread) => {
  if ('content' in message) player = new UnitPlayer(message.content);
  else if (message.task === null) port.close();
  else port.postMessage(player!.play(message.task));
});
