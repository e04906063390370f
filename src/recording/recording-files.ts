import path from 'node:path';
import { checkName } from '../core/files/names.ts';

export type RecordingFormat = 'mcap' | 'npz';
export const RECORDING_FORMATS: readonly RecordingFormat[] = ['mcap', 'npz'];

/** Largest recording. A zip file without zip64 holds 4 GiB. */
export const MAX_RECORDING_BYTES = 3 * 2 ** 30;
/** A recording ends when less is free on the disk: the service needs room for its records. */
export const MIN_FREE_BYTES = 64 * 2 ** 20;
/** Room that a recording reserves on the disk for its last chunk and its summary. */
export const RESERVE_BYTES = 16 * 2 ** 20;

/** Returns the path of a recording. */
export function recordingPath(folder: string, name: string, format: RecordingFormat): string {
  return path.join(folder, `${name}.${format}`);
}

/** An npz recording is recorded as this MCAP file, which listings do not show, and converted at its end. */
export function partPath(folder: string, name: string): string {
  return path.join(folder, `.${name}${PART_ENDING}`);
}
const PART_ENDING = '.npz.part';

/** Returns the name of the recording whose unfinished file has this name; null for another file. */
export function nameOfPart(file: string): string | null {
  return file.startsWith('.') && file.endsWith(PART_ENDING) ? file.slice(1, -PART_ENDING.length) : null;
}

/** The file that `RESERVE_BYTES` are kept in. It counts as unfinished and is removed at the next start. */
export function reservePath(folder: string, name: string): string {
  return path.join(folder, `.${name}.reserve.studio-tmp`);
}

/** Returns the name if it can be the name of a recording. @throws bad_input */
export function checkRecordingName(name: string): string {
  return checkName('recording', name, 'name');
}

/** Names a recording by local time: `2026-05-04_10-12-31`. */
export function timeName(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${day}_${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
}
