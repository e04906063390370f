import path from 'node:path';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import type { MotionLibrary } from '../../src/motion/library/motion-library.ts';
import { LocalGroup } from '../../src/play/env-group.ts';
import type { PlayPlan } from '../../src/play/plan.ts';
import { HISTORY_S } from '../../src/play/plan.ts';
import { sessionConfig } from '../../src/play/play-config.ts';
import { createPlayMemory, playSizes } from '../../src/play/play-memory.ts';
import { PlayShard, shardCapacity } from '../../src/play/play-shard.ts';
import { withPlayOverrides } from '../../src/play/run-setup/play-overrides.ts';
import { PREPARED_FILES, type PreparedRobot } from '../../src/robots/prepared-robot.ts';
import { environmentsOf } from './tracking.ts';

export interface SmallSession {
  readonly numEnvs?: number;
  readonly capacity?: number;
  readonly threads?: number;
  readonly terminations?: boolean;
  readonly seed?: number;
  readonly config?: (config: TaskConfig) => TaskConfig;
}

/** Returns the plan of a session that plays the robot's first task without a policy: all actions are 0. */
export function planOf(robot: PreparedRobot, library: MotionLibrary, session: SmallSession = {}): PlayPlan {
  const { numEnvs = 1, capacity = numEnvs, terminations = true, seed = 1, config = (same) => same } = session;
  return {
    config: sessionConfig(config(withPlayOverrides(baseTasks(robot.facts)[0]!.config))),
    facts: robot.facts,
    physicsPath: path.join(robot.folder, PREPARED_FILES.physics),
    library,
    policy: null,
    seed,
    capacity,
    numEnvs,
    terminations,
    compare: null,
  };
}

/** Creates the shards of a session in the calling thread. */
export async function shardsOf(robot: PreparedRobot, plan: PlayPlan, threads = 1) {
  const memory = createPlayMemory(playSizes(plan));
  const shards = await Promise.all(
    Array.from({ length: threads }, async (_, index) => {
      const part = { index, count: threads };
      const envs = await environmentsOf(robot, {
        config: plan.config,
        library: plan.library,
        n: shardCapacity(plan.capacity, part),
        firstEnv: index,
        stride: threads,
        total: plan.capacity,
        seed: plan.seed,
      });
      return { shard: new PlayShard(plan, part, envs, memory, HISTORY_S), envs };
    }),
  );
  return { memory, shards, group: new LocalGroup(shards.map(({ shard }) => shard)) };
}
