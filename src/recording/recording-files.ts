import path from 'node:path';
import { checkName } from '../core/files/names.ts';

export type RecordingFormat = 'mcap' | 'npz';
export const RECORDING_FORMATS: readonly RecordingFormat[] = ['mcap', 'npz'];

/** Maximum size of a recording, bytes. A zip file without zip64 can have up to 4 GiB. */
export const MAX_RECORDING_BYTES = 3 * 2 ** 30;
/** Minimum free space on the disk during a recording, bytes, because the service needs space for its own files. */
export const MIN_FREE_BYTES = 64 * 2 ** 20;
/** Space that a recording reserves on the disk for its last chunk and its summary, bytes. */
export const RESERVE_BYTES = 16 * 2 ** 20;

/** Returns the path of a recording. */
export function recordingPath(folder: string, name: string, format: RecordingFormat): string {
  return path.join(folder, `${name}.${format}`);
}

/** Returns the path of the MCAP file to which an npz recording is first written. Listings do not show this file; it is
 *  converted at the end. */
export function partPath(folder: string, name: string): string {
  return path.join(folder, `.${name}${PART_ENDING}`);
}
const PART_ENDING = '.npz.part';

/** Returns the name of the recording to which an unfinished file belongs; null for another file. */
export function nameOfPart(file: string): string | null {
  return file.startsWith('.') && file.endsWith(PART_ENDING) ? file.slice(1, -PART_ENDING.length) : null;
}

/** Returns the path of the file that reserves `RESERVE_BYTES`. It is treated as an unfinished file and is removed at
 *  the next start. */
export function reservePath(folder: string, name: string): string {
  return path.join(folder, `.${name}.reserve.studio-tmp`);
}

/** Returns the name if it is valid for a recording. @throws bad_input for an invalid name */
export function checkRecordingName(name: string): string {
  return checkName('recording', name, 'name');
}

/** Returns a name made from the local time, such as `2026-05-04_10-12-31`. */
export function timeName(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${day}_${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
}
