import { badInput } from '../../core/errors.ts';
import { orMeant } from '../../core/nearest.ts';
import type { RewardTermConfig } from '../task-config.ts';
import type { ComputeReward, TermContext, TermLibrary } from '../term.ts';
import type { RewardValues } from './reward-values.ts';

/** Computes the rewards of a step: Σ weight · value · dt. A value that is not finite is replaced by 0. A term with
 *  weight 0 is not computed. */
export class RewardManager {
  readonly values: RewardValues;
  readonly #computes: readonly ComputeReward[];
  readonly #dt: number;

  /** @param values written by {@link compute}  @param dt factor of all rewards, s, or 1
   *  @throws StudioError bad_input for an unknown term or wrong parameters */
  constructor(
    config: Readonly<Record<string, RewardTermConfig>>,
    values: RewardValues,
    library: TermLibrary['rewards'],
    context: TermContext,
    dt: number,
  ) {
    this.values = values;
    this.#dt = dt;
    this.#computes = Object.entries(config).map(([name, { func, params }]) => {
      const term = Object.hasOwn(library, func) ? library[func] : undefined;
      if (!term) throw badInput(`rewards.${name}: no reward is named "${func}"${orMeant(func, Object.keys(library))}`);
      return term.make(context, params);
    });
  }

  /** Sets all rewards of an environment to 0, because its state has diverged: terms of huge numbers would dominate the
   *  advantages of all others. */
  clear(env: number): void {
    const { weights, weighted, terms, totals } = this.values;
    const [from, to] = [env * weights.length, (env + 1) * weights.length];
    weighted.fill(0, from, to);
    terms.fill(0, from, to);
    totals[env] = 0;
  }

  compute(env: number): void {
    const { weights, weighted, terms, totals } = this.values;
    const count = weights.length;
    const row = env * count;
    let total = 0;
    for (let k = 0; k < count; k++) {
      const weight = weights[k]!;
      let value = weight === 0 ? 0 : weight * this.#computes[k]!(env);
      if (!Number.isFinite(value)) value = 0;
      weighted[row + k] = value;
      const reward = value * this.#dt;
      terms[row + k] = reward;
      total += reward;
    }
    totals[env] = total;
  }
}
