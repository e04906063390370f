import type { ConversionRecord } from '../../motion/conversion-options.ts';
import { asksDebias } from '../../motion/fixes.ts';
import { mirroredFrom } from '../conversion/mirror-name.ts';
import { type DatasetConfig, fixesOf } from '../dataset-file.ts';

type Wanted = DatasetConfig['convert'];

/** Whether `dataset.yaml` sets options that can be compared with those of a converted clip. */
export function requestsOptions({ input_fps, output_fps, debias_z, fixes }: Wanted): boolean {
  return [input_fps, output_fps, debias_z, fixes].some((option) => option !== undefined);
}

/** Names the options of a converted clip that differ from those in `dataset.yaml`: `output_fps 25 instead of 50`.
 *  Options that `dataset.yaml` omits never differ. A clip whose file does not record its conversion never differs
 *  either.
 *  @param clip name of the converted clip  @returns empty if no option differs */
export function otherOptions(record: ConversionRecord | null, wanted: Wanted, clip: string): string[] {
  if (!record) return [];
  const { inputFps, outputFps, debiasZ, mirrored, fixes } = record;
  const other: string[] = [];
  const compare = (option: string, made: number | boolean, requested: number | boolean | undefined) => {
    if (requested !== undefined && requested !== made) other.push(`${option} ${made} instead of ${requested}`);
  };
  compare('input_fps', inputFps, wanted.input_fps);
  compare('output_fps', outputFps, wanted.output_fps);
  const repairs = fixesOf(wanted, mirrored ? (mirroredFrom(clip) ?? clip) : clip) ?? [];
  const lacking = repairs.filter((fix) => !fixes.includes(fix));
  if (lacking.length > 0) other.push(`without the repair ${lacking.join(', ')}`);
  // A repair may shift a clip that `dataset.yaml` would not shift.
  if (!(debiasZ && asksDebias(fixes))) compare('debias_z', debiasZ, wanted.debias_z);
  return other;
}
