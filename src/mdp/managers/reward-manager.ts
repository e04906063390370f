import { badInput } from '../../core/errors.ts';
import type { RewardTermConfig } from '../task-config.ts';
import type { ComputeReward, TermContext, TermLibrary } from '../term.ts';
import { hint } from './term-hint.ts';

/** Adds up rewards: Σ weight · value · dt. What is not finite counts as 0, a weight of 0 leaves its term out. */
export class RewardManager {
  readonly names: readonly string[];
  readonly weights: Float64Array;
  /** (n, R) weight · value · dt of the last step */
  readonly terms: Float32Array;
  /** (n) */
  readonly totals: Float32Array;
  /** (n, R) weight · value of the last step */
  readonly weighted: Float64Array;
  readonly #computes: ComputeReward[] = [];
  readonly #places: ReadonlyMap<string, number>;
  readonly #dt: number;

  /** @param dt s that values are multiplied by */
  constructor(config: Readonly<Record<string, RewardTermConfig>>, n: number, dt: number) {
    this.names = Object.keys(config);
    this.weights = Float64Array.from(Object.values(config), ({ weight }) => weight);
    this.terms = new Float32Array(n * this.names.length);
    this.weighted = new Float64Array(n * this.names.length);
    this.totals = new Float32Array(n);
    this.#places = new Map(this.names.map((name, k) => [name, k]));
    this.#dt = dt;
  }

  /** Makes the terms; they may read {@link lastReward}, so the manager stands before they do. */
  make(
    config: Readonly<Record<string, RewardTermConfig>>,
    library: TermLibrary['rewards'],
    context: TermContext,
  ): void {
    for (const [name, { func, params }] of Object.entries(config)) {
      const term = Object.hasOwn(library, func) ? library[func] : undefined;
      if (!term) throw badInput(`rewards.${name}: no reward is named "${func}"${hint(func, library)}`);
      this.#computes.push(term.make(context, params));
    }
  }

  compute(env: number): void {
    const count = this.weights.length;
    const row = env * count;
    let total = 0;
    for (let k = 0; k < count; k++) {
      const weight = this.weights[k]!;
      let weighted = weight === 0 ? 0 : weight * this.#computes[k]!(env);
      if (!Number.isFinite(weighted)) weighted = 0;
      this.weighted[row + k] = weighted;
      const reward = weighted * this.#dt;
      this.terms[row + k] = reward;
      total += reward;
    }
    this.totals[env] = total;
  }

  /** weight · value that a reward had in the last step; 0 for one that is not there */
  lastReward(name: string, env: number): number {
    const place = this.#places.get(name);
    return place === undefined ? 0 : this.weighted[env * this.weights.length + place]!;
  }
}
