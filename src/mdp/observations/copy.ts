import type { Rows } from '../../core/math/rows.ts';
import type { ComputeObservation } from '../term.ts';

/** Returns a term that copies the environment's row of `source`. */
export function copyRow(source: Rows, dim: number): { readonly dim: number; readonly compute: ComputeObservation } {
  return {
    dim,
    compute(env, out, at) {
      const first = env * dim;
      for (let i = 0; i < dim; i++) out[at + i] = source[first + i]!;
    },
  };
}
