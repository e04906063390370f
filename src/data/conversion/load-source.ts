import { existsSync } from 'node:fs';
import path from 'node:path';
import { clipFileType } from '../../formats/clip-registry.ts';
import { CONVERSION_ENTRY } from '../../formats/motion-npz-write.ts';
import { readNpz } from '../../formats/npz.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import { type ConversionRecord, parseConversion } from '../../motion/conversion-options.ts';
import { mirrorMap, mirrorRows } from '../../motion/convert/mirror.ts';
import { applyFixes, parseFix } from '../../motion/fixes.ts';
import { type ClipTarget, clipRows, loadClip, type SharedClipRows } from '../clip/load-clip.ts';

/** Reads the source of a converted clip and aligns it in time with the converted clip; the values stay unchanged.
 *  Uses the frame rate of the conversion and leaves out the trimmed frames, as far as the npz records them.
 *  @param npz the converted clip  @param format id of the source's format
 *  @param mirroring the robot, if the npz may be the mirror image of the source's clip
 *  @returns null if `mirroring` is given but the npz is not a mirror image  @throws bad_input for the same reasons as
 *  `loadClip` */
export async function loadSource(
  npz: string,
  file: string,
  format: string,
  target: ClipTarget,
  mirroring: ClipRobotSource | null = null,
): Promise<SharedClipRows | null> {
  const record = await conversionOf(npz);
  if (mirroring && record?.mirrored !== true) return null;
  if (!record) return loadClip(file, format, target);
  const raw = await clipFileType(format).read(file, record.read);
  const trims = record.fixes.filter((fix) => parseFix(fix).kind === 'trim_first_frame');
  const beside = applyFixes(raw, trims, { joints: target.jointNames, motion: null });
  const clip = { ...clipRows(beside, target, path.basename(file)), fps: record.inputFps };
  if (!mirroring) return clip;
  const { rows } = mirrorRows(clip, mirrorMap(await openClipRobot(mirroring)));
  clip.rows.set(rows);
  return clip;
}

/** Returns the record of how a converted clip was made; null if its file does not contain a record.
 *  @throws bad_input for a file that is not an npz */
export async function conversionOf(npz: string): Promise<ConversionRecord | null> {
  const { arrays } = await readNpz(npz, new Set([CONVERSION_ENTRY]));
  const entry = arrays.get(CONVERSION_ENTRY);
  return entry?.dtype === 'U' ? parseConversion(entry.data[0] ?? '') : null;
}

/** Returns the records of how converted clips were made; null for files without a record and for unreadable files. */
export async function readConversions(files: readonly string[]): Promise<(ConversionRecord | null)[]> {
  const records: (ConversionRecord | null)[] = [];
  for (const file of files) records.push(await conversionOf(file).catch(() => null));
  return records;
}

/** Adds the requested repairs to the earlier repairs of the same source. A requested repair replaces an earlier
 *  repair of the same kind; an empty list removes all repairs. */
export function allFixes(asked: readonly string[] | null, earlier: readonly string[]): readonly string[] {
  if (asked === null) return earlier;
  if (asked.length === 0) return [];
  const kinds = new Set(asked.map((fix) => parseFix(fix).kind));
  return [...earlier.filter((fix) => !kinds.has(parseFix(fix).kind)), ...asked];
}

/** Returns the record of how a clip was converted; null if the file is missing, cannot be read, or was made by
 *  another program. */
export async function recordOf(npz: string): Promise<ConversionRecord | null> {
  if (!existsSync(npz)) return null;
  try {
    return await conversionOf(npz);
  } catch {
    return null; // such a file is converted again
  }
}
