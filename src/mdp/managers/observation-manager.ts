import { badInput } from '../../core/errors.ts';
import { orMeant } from '../../core/nearest.ts';
import type { ObservationGroup, ObservationSlice } from '../environments.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { ObservationGroupConfig, ObservationTermConfig } from '../task-config.ts';
import type { ComputeObservation, TermContext, TermLibrary } from '../term.ts';

interface Term {
  readonly compute: ComputeObservation;
  readonly dim: number;
  /** number of values in the history */
  readonly history: number;
  /** index of the term's oldest value in a row */
  readonly offset: number;
  readonly noiseLower: Float32Array | null;
  readonly noiseRange: Float32Array | null;
  readonly clip: readonly [number, number] | null;
  readonly scale: Float32Array | null;
  readonly delay: Delay | null;
}

/** Ring buffer of a term's latest values. The observation is the value from `lag` control steps ago. */
interface Delay {
  readonly minLag: number;
  readonly maxLag: number;
  /** (n, maxLag + 1, dim) ring buffer of the values of the last control steps */
  readonly ring: Float32Array;
  /** (n) delay of this episode, control steps, and index of the newest value in the ring buffer */
  readonly lag: Int32Array;
  readonly newest: Int32Array;
}

/** One observation group. Each term is processed in this order: compute → noise → clip → scale → delay → history. A row
 *  contains the terms in order, each with its history from the oldest value to the newest. The first value of an
 *  episode fills the whole history. */
export class ObservationManager implements ObservationGroup {
  readonly dim: number;
  readonly slices: readonly ObservationSlice[];
  readonly values: Float32Array;
  readonly #terms: readonly Term[];
  readonly #random: EnvRandom;

  /** @param name of the group, for error messages
   *  @throws StudioError bad_input for an unknown term or invalid numbers */
  constructor(
    name: string,
    config: ObservationGroupConfig,
    library: TermLibrary['observations'],
    context: TermContext,
    random: EnvRandom,
  ) {
    this.#random = random;
    const { n } = context.state;
    const terms: Term[] = [];
    const slices: ObservationSlice[] = [];
    let offset = 0;
    for (const [key, term] of Object.entries(config.terms)) {
      const path = `observations.${name}.terms.${key}`;
      const made = makeTerm({ path, config: term, group: config, offset }, library, context);
      terms.push(made);
      slices.push({ term: key, offset, dim: made.dim * made.history });
      offset += made.dim * made.history;
    }
    this.#terms = terms;
    this.slices = slices;
    this.dim = offset;
    this.values = new Float32Array(n * offset);
  }

  /** Computes the observation of one environment. @param fresh whether an episode starts */
  compute(env: number, fresh: boolean): void {
    const row = env * this.dim;
    for (let k = 0; k < this.#terms.length; k++) {
      const term = this.#terms[k]!;
      const { dim, history } = term;
      const first = row + term.offset;
      const newest = first + (history - 1) * dim;
      if (history > 1 && !fresh) this.values.copyWithin(first, first + dim, newest + dim);
      this.#computeOne(term, env, newest, fresh);
      if (fresh) for (let at = first; at < newest; at += dim) this.values.copyWithin(at, newest, newest + dim);
    }
  }

  peek(env: number, out: Float32Array, at: number): void {
    const row = env * this.dim;
    for (let k = 0; k < this.#terms.length; k++) {
      const term = this.#terms[k]!;
      const { dim, history, offset, delay } = term;
      const before = (history - 1) * dim;
      for (let i = 0; i < before; i++) out[at + offset + i] = this.values[row + offset + dim + i]!;
      const newest = at + offset + before;
      term.compute(env, out, newest);
      adapt(term, out, newest);
      const lag = delay?.lag[env] ?? 0;
      if (!delay || lag === 0) continue;
      const slots = delay.maxLag + 1;
      const old = (env * slots + ((delay.newest[env]! + 1 - lag + slots) % slots)) * dim;
      for (let i = 0; i < dim; i++) out[newest + i] = delay.ring[old + i]!;
    }
  }

  #computeOne(term: Term, env: number, at: number, fresh: boolean): void {
    const { values } = this;
    const { dim, noiseLower, noiseRange } = term;
    term.compute(env, values, at);
    if (noiseLower && noiseRange)
      for (let k = 0; k < dim; k++)
        values[at + k] = values[at + k]! + noiseLower[k]! + noiseRange[k]! * this.#random.next(env);
    adapt(term, values, at);
    if (term.delay) this.#delay(term.delay, dim, env, at, fresh);
  }

  #delay({ minLag, maxLag, ring, lag, newest }: Delay, dim: number, env: number, at: number, fresh: boolean): void {
    const { values } = this;
    const slots = maxLag + 1;
    const row = env * slots * dim;
    if (fresh) {
      lag[env] = minLag + this.#random.below(env, maxLag - minLag + 1);
      newest[env] = 0;
      for (let k = 0; k < slots * dim; k++) ring[row + k] = values[at + (k % dim)]!;
      return;
    }
    const slot = (newest[env]! + 1) % slots;
    newest[env] = slot;
    const old = (slot - lag[env]! + slots) % slots;
    for (let k = 0; k < dim; k++) ring[row + slot * dim + k] = values[at + k]!;
    for (let k = 0; k < dim; k++) values[at + k] = ring[row + old * dim + k]!;
  }
}

/** Clips and scales the values of a term. */
function adapt({ dim, clip, scale }: Term, out: Float32Array, at: number): void {
  if (clip) for (let k = 0; k < dim; k++) out[at + k] = Math.min(clip[1], Math.max(clip[0], out[at + k]!));
  if (scale) for (let k = 0; k < dim; k++) out[at + k] = out[at + k]! * scale[k]!;
}

interface TermPlan {
  /** name of the term in error messages */
  readonly path: string;
  readonly config: ObservationTermConfig;
  readonly group: ObservationGroupConfig;
  /** index of the term's first value in a row */
  readonly offset: number;
}

/** @throws StudioError bad_input for an unknown term or invalid numbers */
function makeTerm(
  { path, config, group, offset }: TermPlan,
  library: TermLibrary['observations'],
  context: TermContext,
): Term {
  const { n } = context.state;
  const known = Object.hasOwn(library, config.func) ? library[config.func] : undefined;
  if (!known)
    throw badInput(`${path}: no observation is named "${config.func}"${orMeant(config.func, Object.keys(library))}`);
  const { dim, compute } = known.make(context, config.params);
  const vector = (field: string, value: number | readonly number[]): Float32Array => {
    if (typeof value === 'number') return new Float32Array(dim).fill(value);
    if (value.length !== dim) throw badInput(`${path}.${field}: has ${value.length} numbers, expected ${dim}`);
    return Float32Array.from(value);
  };
  const noise = group.enable_corruption && config.noise_scale !== 0 ? config.noise : null;
  const noiseLower = noise && vector('noise.n_min', noise.n_min).map((value) => value * config.noise_scale);
  const noiseUpper = noise && vector('noise.n_max', noise.n_max).map((value) => value * config.noise_scale);
  const { delay_min_lag: minLag, delay_max_lag: maxLag } = config;
  if (!(minLag >= 0 && maxLag >= minLag))
    throw badInput(`${path}.delay_max_lag: must be at least delay_min_lag, and both at least 0`);
  return {
    compute,
    dim,
    offset,
    history: Math.max(1, group.history_length ?? config.history_length),
    noiseLower,
    noiseRange: noiseUpper?.map((upper, k) => upper - noiseLower![k]!) ?? null,
    clip: config.clip,
    scale: config.scale === null ? null : vector('scale', config.scale),
    delay:
      maxLag > 0
        ? {
            minLag,
            maxLag,
            ring: new Float32Array(n * (maxLag + 1) * dim),
            lag: new Int32Array(n),
            newest: new Int32Array(n),
          }
        : null,
  };
}
