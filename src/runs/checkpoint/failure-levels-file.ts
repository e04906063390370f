import { badInput } from '../../core/errors.ts';
import { toSingles } from '../../formats/array/array-elements.ts';
import { readNpz, writeNpz } from '../../formats/npz.ts';

/** File of the failure levels in the folder of a run, as wbc_mjlab names it. */
export const FAILURE_LEVELS_FILE = 'params/rsi_bin_stats.npz';

const ARRAYS = new Set(['failure_levels', 'valid_mask', 'bin_width_s']);

/** How often a training failed lately in each section of each clip. */
export interface FailureLevels {
  /** number of clips, and of sections of the longest clip */
  readonly clips: number;
  readonly bins: number;
  /** (clips, bins) 0..1 */
  readonly levels: Float32Array;
  /** (clips, bins) 1 where episodes may start */
  readonly valid: Uint8Array;
}

/** Settings of the sampling that the file states. */
export interface SamplingFacts {
  /** duration of a section, s */
  readonly bin_width_s: number;
  readonly alpha: number;
  readonly uniform_ratio: number;
}

/** Formats failure levels in the layout of wbc_mjlab's `rsi_bin_stats.npz`: `failure_levels` and its copy `failure`
 *  (clips, bins) f32, 0..1; `valid_mask` (clips, bins) bool; the settings of the sampling. */
export function formatFailureLevels(
  { clips, bins, levels, valid }: FailureLevels,
  sampling: SamplingFacts,
): Uint8Array<ArrayBuffer> {
  const table = { dtype: 'f4', data: levels, shape: [clips, bins] } as const;
  const number = (value: number) => ({ dtype: 'f8', data: Float64Array.of(value), shape: [] }) as const;
  const count = (value: number) => ({ dtype: 'i8', data: BigInt64Array.of(BigInt(value)), shape: [] }) as const;
  return writeNpz([
    ['failure_levels', table],
    ['failure', table],
    ['valid_mask', { dtype: 'b1', data: valid, shape: [clips, bins] }],
    ['bin_width_s', number(sampling.bin_width_s)],
    ['alpha', number(sampling.alpha)],
    ['uniform_ratio', number(sampling.uniform_ratio)],
    ['num_trajectories', count(clips)],
    ['bins_per_trajectory', count(bins)],
  ]);
}

/** Reads failure levels. @throws StudioError if the file is not in the layout of wbc_mjlab; NodeJS.ErrnoException if it
 *  cannot be opened */
export async function readFailureLevels(file: string): Promise<FailureLevels & { readonly binWidthS: number }> {
  const { arrays } = await readNpz(file, ARRAYS);
  const levels = arrays.get('failure_levels');
  const valid = arrays.get('valid_mask');
  const width = arrays.get('bin_width_s');
  if (!levels || levels.dtype === 'U' || levels.shape.length !== 2)
    throw badInput('"failure_levels": a table of numbers (clips, bins) is required');
  if (valid?.dtype !== 'b1' || valid.shape.join() !== levels.shape.join())
    throw badInput('"valid_mask": a table of booleans with the shape of "failure_levels" is required');
  if (!width || width.dtype === 'U' || width.data.length !== 1) throw badInput('"bin_width_s": a number is required');
  const [clips, bins] = levels.shape as [number, number];
  return { clips, bins, levels: toSingles(levels), valid: valid.data, binWidthS: Number(width.data[0]) };
}
