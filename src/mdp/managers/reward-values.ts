import type { RewardTermConfig } from '../task-config.ts';

/** The rewards of the last step of n environments with R rewards each. Terms may read them; the reward manager writes
 *  them. */
export class RewardValues {
  readonly names: readonly string[];
  /** (R) weights; a new weight takes effect at the next step */
  readonly weights: Float64Array;
  /** (n, R) weight · value */
  readonly weighted: Float64Array;
  /** (n, R) weight · value · dt */
  readonly terms: Float32Array;
  /** (n) sum of `terms` */
  readonly totals: Float32Array;
  readonly #places: ReadonlyMap<string, number>;

  constructor(config: Readonly<Record<string, RewardTermConfig>>, n: number) {
    this.names = Object.keys(config);
    this.weights = Float64Array.from(Object.values(config), ({ weight }) => weight);
    this.weighted = new Float64Array(n * this.names.length);
    this.terms = new Float32Array(n * this.names.length);
    this.totals = new Float32Array(n);
    this.#places = new Map(this.names.map((name, k) => [name, k]));
  }

  /** Returns weight · value of a reward in the last step; 0 for a reward that the task does not have. */
  lastReward(name: string, env: number): number {
    const place = this.#places.get(name);
    return place === undefined ? 0 : this.weighted[env * this.weights.length + place]!;
  }
}
