import { CONVERSION_ENTRY } from '../../formats/motion-npz-write.ts';
import { readNpz } from '../../formats/npz.ts';
import { type ConversionRecord, parseConversion } from '../../motion/conversion-options.ts';
import { type ClipTarget, loadClip, type SharedClipRows } from '../clip/load-clip.ts';

/** Reads the source of a converted clip as its file has it, at the frame rate that it was converted with where the npz
 *  tells: a conversion may have been asked for another rate than the file says.
 *  @param npz the converted clip  @param format id of the source's format
 *  @throws bad_input as `loadClip` */
export async function loadSource(
  npz: string,
  file: string,
  format: string,
  target: ClipTarget,
): Promise<SharedClipRows> {
  const [rows, record] = await Promise.all([loadClip(file, format, target), conversionOf(npz)]);
  return record ? { ...rows, fps: record.inputFps } : rows;
}

/** How a converted clip was made; null where its file does not tell. @throws bad_input for a file that is no npz */
export async function conversionOf(npz: string): Promise<ConversionRecord | null> {
  const { arrays } = await readNpz(npz, new Set([CONVERSION_ENTRY]));
  const entry = arrays.get(CONVERSION_ENTRY);
  return entry?.dtype === 'U' ? parseConversion(entry.data[0] ?? '') : null;
}

/** How converted clips were made; null for those whose files do not tell, or cannot be read. */
export async function readConversions(files: readonly string[]): Promise<(ConversionRecord | null)[]> {
  const records: (ConversionRecord | null)[] = [];
  for (const file of files) records.push(await conversionOf(file).catch(() => null));
  return records;
}
