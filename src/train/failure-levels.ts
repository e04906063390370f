import path from 'node:path';
import { badInput, messageOf, StudioError } from '../core/errors.ts';
import { toSingles } from '../formats/array/array-elements.ts';
import { readNpz, writeNpz } from '../formats/npz.ts';
import { AdaptiveSampling, type LevelTable } from '../mdp/command/adaptive-sampling.ts';
import type { ReferenceStateInitConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import type { TrainingOrder } from './training-order.ts';

/** File of the failure levels in the folder of a run, as wbc_mjlab names it. */
export const FAILURE_LEVELS_FILE = 'params/rsi_bin_stats.npz';

const ARRAYS = new Set(['failure_levels', 'valid_mask', 'bin_width_s']);

/** Whether a training saves its failure levels and restores them when it is resumed. */
export function persistsLevels({ sampling_mode: mode, persist_failure_levels: persist }: ReferenceStateInitConfig) {
  return persist && mode === 'adaptive';
}

/** Formats failure levels in the layout of wbc_mjlab's `rsi_bin_stats.npz`: `failure_levels` and its copy `failure`
 *  (clips, bins) f32, 0..1; `valid_mask` (clips, bins) bool; the settings of the sampling. */
export function formatFailureLevels(
  { clips, bins, levels, valid }: LevelTable,
  rsi: ReferenceStateInitConfig,
): Uint8Array<ArrayBuffer> {
  const table = { dtype: 'f4', data: levels, shape: [clips, bins] } as const;
  const number = (value: number) => ({ dtype: 'f8', data: Float64Array.of(value), shape: [] }) as const;
  const count = (value: number) => ({ dtype: 'i8', data: BigInt64Array.of(BigInt(value)), shape: [] }) as const;
  return writeNpz([
    ['failure_levels', table],
    ['failure', table],
    ['valid_mask', { dtype: 'b1', data: valid, shape: [clips, bins] }],
    ['bin_width_s', number(rsi.bin_width_s)],
    ['alpha', number(rsi.alpha)],
    ['uniform_ratio', number(rsi.uniform_ratio)],
    ['num_trajectories', count(clips)],
    ['bins_per_trajectory', count(bins)],
  ]);
}

/** Returns the failure levels of the run that a training resumes, if the training has the same sections of clips.
 *  @param tell receives one line about what was restored, or why nothing was
 *  @returns null if the training does not restore levels or if nothing fits */
export async function resumedLevels(
  { resume, config }: TrainingOrder,
  library: MotionLibrary,
  tell: (text: string) => void,
): Promise<LevelTable | null> {
  const { rsi } = config.commands.motion;
  if (resume === null || !persistsLevels(rsi)) return null;
  const file = path.join(path.dirname(resume), FAILURE_LEVELS_FILE);
  try {
    const saved = await readFailureLevels(file);
    const own = new AdaptiveSampling(rsi, library.clips, library.fps).table();
    if (saved.binWidthS !== rsi.bin_width_s || !sameSections(saved, own))
      throw badInput('the clips of the run have other sections');
    tell(`Loading failure levels from: ${file}`);
    return saved;
  } catch (error) {
    // A training learns its failure levels again, so it goes on without those of the run. Older runs have none.
    if (!(error instanceof StudioError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    tell(`Failure levels are not restored from ${file}: ${messageOf(error)}`);
    return null;
  }
}

function sameSections(a: LevelTable, b: LevelTable): boolean {
  return a.clips === b.clips && a.bins === b.bins && a.valid.every((valid, k) => valid === b.valid[k]);
}

/** Reads failure levels. @throws StudioError if the file is not in the layout of wbc_mjlab; NodeJS.ErrnoException if it
 *  cannot be opened */
async function readFailureLevels(file: string): Promise<LevelTable & { readonly binWidthS: number }> {
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
