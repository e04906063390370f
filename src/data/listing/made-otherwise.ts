import type { ConversionRecord } from '../../motion/conversion-options.ts';
import { asksDebias } from '../../motion/fixes.ts';
import type { DatasetConfig } from '../dataset-file.ts';

type Wanted = DatasetConfig['convert'];

/** Whether `dataset.yaml` says anything that a converted clip can be compared with. */
export function asksHowMade({ input_fps, output_fps, debias_z }: Wanted): boolean {
  return input_fps !== undefined || output_fps !== undefined || debias_z !== undefined;
}

/** Whether a clip was converted with other options than `dataset.yaml` asks for. What it leaves open may be anything, and
 *  so may a file that does not tell. */
export function isMadeOtherwise(record: ConversionRecord | null, wanted: Wanted): boolean {
  if (!record) return false;
  const { inputFps, outputFps, debiasZ, fixes } = record;
  if (wanted.input_fps !== undefined && wanted.input_fps !== inputFps) return true;
  if (wanted.output_fps !== undefined && wanted.output_fps !== outputFps) return true;
  // A repair may shift a clip that the dataset would leave as it is.
  return wanted.debias_z !== undefined && wanted.debias_z !== debiasZ && !(debiasZ && asksDebias(fixes));
}
