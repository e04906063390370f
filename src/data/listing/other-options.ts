import type { ConversionRecord } from '../../motion/conversion-options.ts';
import { asksDebias } from '../../motion/fixes.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { mirroredFrom } from '../conversion/mirror-name.ts';
import { type DatasetConfig, fixesOf } from '../dataset-file.ts';

type Wanted = DatasetConfig['convert'];

/** Returns true if `dataset.yaml` sets at least one option that can be compared with the options of a converted
 *  clip. */
export function requestsOptions({ input_fps, output_fps, debias_z, fixes, read }: Wanted): boolean {
  return [input_fps, output_fps, debias_z, fixes, read].some((option) => option !== undefined);
}

/** Lists the read options of a converted clip that differ from those in `dataset.yaml`. */
function otherReading(made: ReadOptions, { read = {}, input_fps: inputFps }: Wanted): string[] {
  const text = (value: unknown) => (value === undefined ? 'as the file states' : String(value));
  return (['fps', 'units', 'quaternion', 'joint_order'] as const)
    .filter((key) => key !== 'fps' || inputFps === undefined)
    .filter((key) => text(made[key]) !== text(read[key]))
    .map((key) => `read with ${key} ${text(made[key])} instead of ${text(read[key])}`);
}

/** Lists the options of a converted clip that differ from those in `dataset.yaml`, such as `output_fps 25 instead of
 *  50`. Skips options that `dataset.yaml` omits. Returns an empty list for a clip whose file does not record its
 *  conversion.
 *  @param clip name of the converted clip  @returns empty if all options agree */
export function otherOptions(record: ConversionRecord | null, wanted: Wanted, clip: string): string[] {
  if (!record) return [];
  const { inputFps, outputFps, debiasZ, mirrored, fixes } = record;
  const other: string[] = [];
  const compare = (option: string, made: number | boolean, requested: number | boolean | undefined) => {
    if (requested !== undefined && requested !== made) other.push(`${option} ${made} instead of ${requested}`);
  };
  compare('input_fps', inputFps, wanted.input_fps);
  compare('output_fps', outputFps, wanted.output_fps);
  if (wanted.read) other.push(...otherReading(record.read, wanted));
  const repairs = fixesOf(wanted, mirrored ? (mirroredFrom(clip) ?? clip) : clip) ?? [];
  const lacking = repairs.filter((fix) => !fixes.includes(fix));
  if (lacking.length > 0) other.push(`without the repair ${lacking.join(', ')}`);
  // Do not report `debias_z` if a repair of the clip has requested the shift.
  if (!(debiasZ && asksDebias(fixes))) compare('debias_z', debiasZ, wanted.debias_z);
  return other;
}
