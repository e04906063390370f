import type { EnvironmentOptions } from '../../mdp/env/environment-options.ts';
import type { Environments } from '../../mdp/environments.ts';
import { WholeBodyControl } from './whole-body-control.ts';

/** One of this number of environments is labelled in a step: a label takes about as long as the step itself. */
const EVERY = 3;
/** Largest label. A robot that has fallen would get larger ones. */
const MOST = 5;
/** Share of a training in which the policy is guided at most. */
const SHARE = 0.1;

/** Labels for the first iterations of a training: what whole-body control would do in the states that the policy
 *  reaches. The policy learns them by imitation (DAgger, Ross et al. 2011) while the critic learns its values. After
 *  that, PPO goes on without labels. */
export class Guide {
  readonly #control: WholeBodyControl;
  #step = 0;

  /** @param options of the environments that are labelled */
  constructor(options: EnvironmentOptions) {
    this.#control = new WholeBodyControl(options);
  }

  /** Returns the number of guided iterations of a training: the number that the task states, or 0 on uneven ground
   *  or for a robot without feet. */
  static iterations({ config, facts }: Pick<EnvironmentOptions, 'config' | 'facts'>): number {
    const { guided_iterations: guided = 0, max_iterations: all } = config.agent;
    if (config.scene.terrain.type !== 'plane' || facts.wiring.feet.length === 0) return 0;
    return Math.min(guided, Math.floor(SHARE * all));
  }

  /** Labels some of the current states. @param labels (n, J) raw actions  @param labelled (n) 1 for those with one */
  label(envs: Environments, labels: Float32Array, labelled: Uint8Array): void {
    const { n, actionDim } = envs;
    const turn = this.#step;
    this.#step += 1;
    for (let env = 0; env < n; env++) {
      labelled[env] = (env + turn) % EVERY === 0 ? 1 : 0;
      if (labelled[env] === 0) continue;
      const label = labels.subarray(env * actionDim, (env + 1) * actionDim);
      this.#control.act(envs, env, label);
      for (let j = 0; j < actionDim; j++) label[j] = Math.max(-MOST, Math.min(MOST, label[j]!));
    }
  }

  delete(): void {
    this.#control.delete();
  }
}

/** The guide of the first iterations of new networks. It exists only while it is used: its plans of all clips and its
 *  model take memory. */
export class BriefGuide {
  readonly #options: EnvironmentOptions;
  readonly #iterations: number;
  #guide: Guide | null = null;

  /** @param options of the environments that are labelled */
  constructor(options: EnvironmentOptions) {
    this.#options = options;
    this.#iterations = Guide.iterations(options);
  }

  /** Number of iterations in which new networks are guided. */
  get iterations(): number {
    return this.#iterations;
  }

  /** Returns the guide of an iteration; null if it is not guided.
   *  @param done earlier iterations of the networks; null for networks that are not new */
  at(done: number | null): Guide | null {
    if (done !== null && done < this.#iterations) this.#guide ??= new Guide(this.#options);
    else this.delete();
    return this.#guide;
  }

  delete(): void {
    this.#guide?.delete();
    this.#guide = null;
  }
}
