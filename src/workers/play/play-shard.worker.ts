import { readFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf, StudioError } from '../../core/errors.ts';
import { createEnvironments } from '../../mdp/env/create-environments.ts';
import { LIBRARY } from '../../mdp/library.ts';
import { ComparisonShard } from '../../play/comparison-shard.ts';
import type { EnvShard } from '../../play/env-group.ts';
import { HISTORY_S } from '../../play/plan.ts';
import { openPlayMemory, playSizes } from '../../play/play-memory.ts';
import { PlayShard, shardCapacity } from '../../play/play-shard.ts';
import { loadMujoco } from '../../sim/mujoco.ts';
import type { FromShard, ShardOrder, ToPaced, ToShard } from './messages.ts';

/** The port to the parent thread. This worker is one thread of a play session; the sim worker controls its speed
 *  through another port. */
const main = parentPort;
if (!main) throw new Error('play-shard.worker must be started as a worker thread');
const send = (message: FromShard) => main.postMessage(message);
// MuJoCo reports warnings through console.warn. Forward them as messages.
console.warn = (...parts: unknown[]) => send({ type: 'warning', message: parts.join(' ') });

const { plan, part, buffer } = workerData as ShardOrder;

function fail(error: unknown): void {
  const code = error instanceof StudioError ? error.code : 'internal';
  send({ type: 'failed', code, detail: messageOf(error) });
}

async function build(): Promise<EnvShard> {
  const { facts, library, seed, config, compare } = plan;
  const memory = openPlayMemory(buffer, playSizes(plan));
  const shared = {
    mj: await loadMujoco(),
    physics: readFileSync(plan.physicsPath),
    facts,
    terms: LIBRARY,
    library,
    seed,
  };
  if (compare) {
    const each = compare.policies.map((policy) => createEnvironments({ ...shared, config: policy.config, n: 1 }));
    return new ComparisonShard(plan, compare, each, memory, HISTORY_S);
  }
  const envs = createEnvironments({
    ...shared,
    config,
    n: shardCapacity(plan.capacity, part),
    firstEnv: part.index,
    stride: part.count,
    total: plan.capacity,
  });
  return new PlayShard(plan, part, envs, memory, HISTORY_S);
}

try {
  const shard = await build();
  shard.advance(0, 0);
  let pacing: MessagePort | null = null;
  const attach = (port: MessagePort) => {
    pacing?.close();
    pacing = port;
    port.on('message', (message: ToPaced) => {
      try {
        if (message.type === 'apply') {
          shard.apply(message.command);
          return;
        }
        shard.advance(message.steps, message.picture);
        const events = shard.takeEvents();
        if (events.length > 0) send({ type: 'events', events });
        port.postMessage(message.seq);
      } catch (error) {
        fail(error);
      }
    });
  };
  main.on('message', (message: ToShard) => {
    try {
      if (message.type === 'attach') attach(message.port);
      else shard.apply(message.command);
    } catch (error) {
      fail(error);
    }
  });
  send({ type: 'ready', shapes: shard.shapes });
} catch (error) {
  fail(error);
}
