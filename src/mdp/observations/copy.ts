import type { Rows } from '../../core/math/rows.ts';
import type { ComputeObservation } from '../term.ts';

/** A term whose values are an environment's row of `source` as it is. */
export function copyRow(source: Rows, dim: number): { readonly dim: number; readonly compute: ComputeObservation } {
  return {
    dim,
    compute(env, out, at) {
      const first = env * dim;
      for (let i = 0; i < dim; i++) out[at + i] = source[first + i]!;
    },
  };
}
