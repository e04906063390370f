import type { ConversionRecord } from '../../motion/conversion-options.ts';
import { asksDebias } from '../../motion/fixes.ts';
import { mirroredFrom } from '../conversion/mirror-name.ts';
import { type DatasetConfig, fixesOf } from '../dataset-file.ts';

type Wanted = DatasetConfig['convert'];

/** Whether `dataset.yaml` says anything that a converted clip can be compared with. */
export function asksHowMade({ input_fps, output_fps, debias_z, fixes }: Wanted): boolean {
  return [input_fps, output_fps, debias_z, fixes].some((asked) => asked !== undefined);
}

/** Whether a clip was converted with other options than `dataset.yaml` asks for. What it leaves open may be anything, and
 *  so may a file that does not tell. @param clip name of the converted clip */
export function isMadeOtherwise(record: ConversionRecord | null, wanted: Wanted, clip: string): boolean {
  if (!record) return false;
  const { inputFps, outputFps, debiasZ, mirrored, fixes } = record;
  if (wanted.input_fps !== undefined && wanted.input_fps !== inputFps) return true;
  if (wanted.output_fps !== undefined && wanted.output_fps !== outputFps) return true;
  const repairs = fixesOf(wanted, mirrored ? (mirroredFrom(clip) ?? clip) : clip) ?? [];
  if (repairs.some((fix) => !fixes.includes(fix))) return true;
  // A repair may shift a clip that the dataset would leave as it is.
  return wanted.debias_z !== undefined && wanted.debias_z !== debiasZ && !(debiasZ && asksDebias(fixes));
}
