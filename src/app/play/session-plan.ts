import os from 'node:os';
import { withCondition } from '../../mdp/conditions/with-condition.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { PlayPlan } from '../../play/plan.ts';
import { playBytes } from '../../play/play-bytes.ts';
import { capacityFor, closeTogether, sessionConfig } from '../../play/play-config.ts';
import type { PlaySession } from '../../protocol/schemas/play.ts';
import { physicsOn } from '../../robots/uneven-ground.ts';
import type { PlayRequest } from './live-session.ts';
import type { PlaySetup } from './play-deps.ts';
import { checkMemory } from './session-memory.ts';

/** Minimum number of environments per thread; fewer do not justify another thread. */
const LEAST_A_THREAD = 16;

/** A plan without its motion library, which takes a long time to read. */
export type UnreadPlan = Omit<PlayPlan, 'library'>;

export function planSession(asked: PlayRequest, setup: PlaySetup, robot: ClipRobotSource): UnreadPlan {
  const { condition } = asked;
  const task = condition ? withCondition(setup.trained, condition, robot.facts) : setup.config;
  const config = closeTogether(sessionConfig(task), robot.facts.height);
  return {
    config,
    facts: robot.facts,
    physicsPath: physicsOn(robot.physicsPath, config.scene.terrain.type),
    policy: setup.policy,
    seed: asked.seed,
    capacity: capacityFor(asked.numEnvs),
    numEnvs: asked.numEnvs,
    terminations: asked.terminations,
    compare: null,
  };
}

/** Returns the number of control steps per second of a task. */
export function controlHz({ decimation, sim }: TaskConfig): number {
  return 1 / (decimation * sim.timestep);
}

/** @param wanted threads in the settings; 0: all cores but one */
export function threadsFor(capacity: number, wanted: number): number {
  const most = wanted > 0 ? wanted : os.availableParallelism() - 1;
  return Math.max(1, Math.min(most, Math.ceil(capacity / LEAST_A_THREAD)));
}

/** @param rows frames of the library
 *  @throws bad_input with needed and free memory, if memory does not allow the session */
export function checkPlanMemory(plan: UnreadPlan, threads: number, rows: number): void {
  // Without a policy the number of observations is not known yet, so estimate it from the base tasks.
  const policies = plan.compare?.policies ?? [plan];
  const observed = Math.max(...policies.map(({ policy }) => policy?.layers[0]?.inputs ?? 6 * plan.facts.joints.length));
  const bytes = playBytes(plan, { threads, observed, rows, controlHz: controlHz(plan.config) });
  checkMemory(plan.numEnvs, bytes, plan.compare ? 'entries' : 'num_envs');
}

/** A session that is being built. */
export interface BuildingSession {
  readonly request: PlayRequest;
  readonly task: string;
  readonly id: number;
  readonly plan: UnreadPlan;
}

/** Describes a session that is being built, with the capacity and the control rate that it will have. */
export function describeBuilding({ request, task, id, plan }: BuildingSession, robot: string): PlaySession {
  return {
    id,
    state: 'building',
    error: null,
    run: request.run,
    checkpoint: request.checkpoint,
    motion: request.motion,
    task,
    robot,
    num_envs: request.numEnvs,
    capacity: plan.capacity,
    focus: 0,
    playing: false,
    terminations: request.terminations,
    control_hz: controlHz(plan.config),
    sim_time: 0,
    realtime_factor: 0,
    history_s: 60,
    options: { ghost: 'off', targets: false, contacts: false, speed: 1 },
    rewards: [],
    pins: [],
    condition: request.condition,
    compare: request.compare && {
      entries: request.compare.entries.map((entry, env) => ({
        ...entry,
        env,
        falls: 0,
        episodes: 0,
        down: false,
        errors: null,
      })),
      layout: request.compare.layout,
      clip: null,
      frame: request.compare.frame,
      seed: request.seed,
    },
  };
}
