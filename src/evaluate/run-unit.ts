import { createEnvironments } from '../mdp/env/create-environments.ts';
import type { TermIndices } from '../mdp/env-state.ts';
import type { Environments } from '../mdp/environments.ts';
import { LIBRARY } from '../mdp/library.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import { sessionConfig } from '../play/play-config.ts';
import type { Policy } from '../policy/policy.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import type { MainModule } from '../sim/mujoco.ts';
import { RecentErrors } from './divergence.ts';
import { EpisodeMetrics } from './episode-metrics.ts';
import type { EpisodeResult, UnitResult } from './episode-result.ts';
import type { Episode } from './episodes.ts';
import { JointLoadMeter } from './joint-load-meter.ts';

/** Name of the observation that reads the rewards of the last step. */
const OF_REWARDS = 'motion_tracking_step_rewards';

/** Data that a thread needs to simulate units. A unit is a group of episodes that one thread plays together. */
export interface UnitParts {
  readonly mj: MainModule;
  /** compiled robot (MJB) */
  readonly physics: Uint8Array;
  readonly facts: RobotFacts;
  readonly library: MotionLibrary;
  readonly seed: number;
}

export interface UnitOrder {
  /** the task under the unit's condition */
  readonly config: TaskConfig;
  /** the policy; null: zero actions */
  readonly policy: Policy | null;
  /** the episodes of the unit; the first one has number `first` among all episodes, and these numbers seed the random
   *  streams */
  readonly episodes: readonly Episode[];
  readonly first: number;
}

/** Returns the task of an evaluation: it has only the policy's observations, all robots stand at the same place, and
 *  rewards exist only if an observation reads them. @param config the task under a condition */
export function evaluationTask(config: TaskConfig): TaskConfig {
  const session = sessionConfig(config);
  const groups = Object.values(session.observations);
  const needsRewards = groups.some(({ terms }) => Object.values(terms).some(({ func }) => func === OF_REWARDS));
  const failures = Object.entries(config.terminations).filter(([, { time_out: timeOut }]) => !timeOut);
  return {
    ...session,
    scene: { ...session.scene, env_spacing: 0 },
    terminations: Object.fromEntries(failures),
    rewards: needsRewards ? session.rewards : {},
  };
}

/** Plays the episodes of a unit, each in an environment of its own, until they fail or end.
 *  @throws StudioError bad_input for a task, library or policy of another robot */
export function runUnit(parts: UnitParts, { config, policy, episodes, first }: UnitOrder): UnitResult {
  const envs = createEnvironments({ ...parts, config, terms: LIBRARY, n: episodes.length, firstEnv: first });
  try {
    return new UnitRun(envs, parts.facts, config, episodes).run(policy);
  } finally {
    envs.delete();
  }
}

class UnitRun {
  readonly #envs: Environments;
  readonly #facts: RobotFacts;
  readonly #episodes: readonly Episode[];
  readonly #metrics: readonly EpisodeMetrics[];
  readonly #errors: readonly RecentErrors[];
  readonly #loads: JointLoadMeter;
  readonly #failures: EpisodeResult['failure'][];
  /** whether each environment ended its episode or clip in this step */
  readonly #ended: Uint8Array;

  constructor(envs: Environments, facts: RobotFacts, config: TaskConfig, episodes: readonly Episode[]) {
    this.#envs = envs;
    this.#facts = facts;
    this.#episodes = episodes;
    const { state, stepS } = envs;
    const indices = bodiesOf(facts, config);
    for (const [env, { clip, start }] of episodes.entries()) envs.pin(env, clip, start);
    this.#metrics = episodes.map(
      ({ steps }, env) => new EpisodeMetrics(state, env, indices, { steps, controlHz: 1 / stepS }),
    );
    this.#errors = episodes.map((_, env) => new RecentErrors(state, env, indices, 1 / stepS));
    this.#loads = new JointLoadMeter(state, facts, config);
    this.#failures = episodes.map(() => null);
    this.#ended = new Uint8Array(episodes.length);
  }

  run(policy: Policy | null): UnitResult {
    const envs = this.#envs;
    const observations = [...envs.observations.values()][0];
    const actions = new Float32Array(envs.n * envs.actionDim);
    // Read the last state of an episode here, because the reset in the same step overwrites it.
    envs.onEnd = (env) => {
      this.#ended[env] = 1;
      this.#see(env);
    };
    for (let step = 1; envs.active > 0; step++) {
      if (policy && observations) policy.evaluate(observations.values, actions, envs.active);
      this.#ended.fill(0);
      envs.step(actions);
      for (let env = 0; env < envs.active; env++) {
        if (envs.idle[env] === 1) continue;
        if (this.#ended[env] === 0) this.#see(env);
        if (this.#failures[env] !== null || step >= this.#episodes[env]!.steps) envs.idle[env] = 1;
      }
      while (envs.active > 0 && envs.idle[envs.active - 1] === 1) envs.active -= 1;
    }
    return {
      episodes: this.#episodes.map(({ clip, start, steps }, env) => ({
        clip,
        start,
        possible: steps,
        failure: this.#failures[env]!,
        ...this.#metrics[env]!.result,
      })),
      loads: this.#loads.result,
    };
  }

  /** Measures the state of an environment after a step, or records its failure. */
  #see(env: number): void {
    const envs = this.#envs;
    this.#errors[env]!.add();
    if (envs.terminated[env] === 1) {
      this.#failures[env] = this.#failureOf(env);
      return;
    }
    this.#metrics[env]!.add();
    this.#loads.add(env);
  }

  #failureOf(env: number): NonNullable<EpisodeResult['failure']> {
    const { state, terminationNames, cause } = this.#envs;
    const term = terminationNames[cause[env]!] ?? '';
    const frame = state.frame[env]!;
    const diverged = this.#errors[env]!.diverged();
    if (diverged) {
      const isJoint = diverged.kind === 'joint';
      const names = isJoint ? this.#facts.joints : this.#facts.bodies;
      return {
        frame,
        term,
        subject: names[diverged.index]!.name,
        value: finite(diverged.value),
        limit: diverged.limit,
        unit: isJoint && this.#facts.joints[diverged.index]!.type === 'hinge' ? 'rad' : 'm',
      };
    }
    const own = this.#envs.terminationCause(env);
    if (!own) return { frame, term, subject: null, value: null, limit: null, unit: null };
    const subject = this.#facts.bodies[own.body]!.name;
    return { frame, term, subject, value: finite(own.value), limit: own.limit, unit: null };
  }
}

/** Returns null for NaN and infinity, which JSON cannot represent. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function bodiesOf({ bodies }: RobotFacts, { commands }: TaskConfig): Pick<TermIndices, 'anchor' | 'keybodies'> {
  const at = (name: string) => bodies.findIndex((body) => body.name === name);
  return { anchor: at(commands.motion.anchor_body), keybodies: commands.motion.body_names.map(at) };
}
