import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentConfig } from '../../src/mdp/task-config.ts';
import { builtinAgent } from '../../src/mdp/tasks/agent-profile.ts';
import { checkpointPolicy } from '../../src/policy/checkpoint/checkpoint-policy.ts';
import { readCheckpoint } from '../../src/policy/checkpoint/read-checkpoint.ts';
import { createPolicy } from '../../src/policy/create-policy.ts';
import type { PolicyWeights } from '../../src/policy/policy.ts';
import { formatCheckpoint } from '../../src/runs/checkpoint/write-checkpoint.ts';
import { createActorCritic, policyOf } from '../../src/train/ppo/actor-critic.ts';
import { restoreSnapshot, takeSnapshot } from '../../src/train/ppo/snapshot.ts';

const [INPUTS, ACTIONS] = [5, 3];
const state = { iteration: 7, envSteps: 21_504, learningRate: 1e-3 };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'snapshot-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function agentThat(normalises: boolean): AgentConfig {
  const agent = builtinAgent('x', ACTIONS);
  const other = { obs_normalization: normalises };
  return { ...agent, actor: { ...agent.actor, ...other }, critic: { ...agent.critic, ...other } };
}

/** Networks that have seen observations around 4. */
function networksOf(agent: AgentConfig) {
  const networks = createActorCritic({
    agent,
    actorDim: INPUTS,
    criticDim: 7,
    actionDim: ACTIONS,
    maxRows: 4,
    seed: 1,
  });
  const moments = [100, ...Array<number>(INPUTS).fill(4), ...Array<number>(INPUTS).fill(900)];
  networks.actorNormalizer?.merge(Float64Array.from(moments));
  return networks;
}

function actionsOf(weights: PolicyWeights): number[] {
  const out = new Float32Array(ACTIONS);
  createPolicy(weights, 1).evaluate(Float32Array.of(1, -2, 3, 0.5, 6), out, 1);
  return [...out];
}

test.each([true, false])(
  'a saved policy acts as the evaluated one; observations normalised: %s',
  async (normalises) => {
    const agent = agentThat(normalises);
    const networks = networksOf(agent);
    const file = path.join(folder, 'model_7.pt');
    writeFileSync(file, formatCheckpoint(takeSnapshot(networks, state)));
    const saved = checkpointPolicy(await readCheckpoint(file), agent.actor.activation);
    expect(saved.normalizer === null).toBe(!normalises);
    const wanted = actionsOf(policyOf(networks, agent));
    for (const [joint, action] of actionsOf(saved).entries()) expect(action).toBeCloseTo(wanted[joint]!, 5);
  },
);

test('a checkpoint is not restored if only one of checkpoint and task normalises observations', () => {
  const [plain, normalising] = [networksOf(agentThat(false)), networksOf(agentThat(true))];
  expect(() => restoreSnapshot(plain, takeSnapshot(normalising, state))).toThrow(
    "the checkpoint's normaliser has 5 values, the task's has 0",
  );
  expect(() => restoreSnapshot(normalising, takeSnapshot(plain, state))).toThrow(
    "the checkpoint's normaliser has 0 values, the task's has 5",
  );
});
