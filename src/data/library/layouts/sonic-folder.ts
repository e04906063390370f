import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../../core/errors.ts';
import { READ_FLAGS, readSmallFile } from '../../../core/files/bounded-file.ts';
import { nameProblem, quoteName } from '../../../core/files/names.ts';
import { isInside } from '../../../core/files/path-guard.ts';
import { LENGTH_UNITS, type ReadOptions } from '../../../protocol/schemas/reading.ts';
import type { LayoutRobot, SonicLayout, SonicReading } from './dataset-layout.ts';

/** The files that a clip must have. All other files can be derived from these. */
export const SONIC_FILES = ['joint_pos.csv', 'body_pos.csv', 'body_quat.csv'] as const;
const METADATA_FILE = 'metadata.txt';
const MAX_METADATA_BYTES = 1 << 20;
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_FPS = 1000;
/** Frame rate at which the deployment plays these folders, Hz. The files do not state a rate. */
export const SONIC_FPS = 50;

/** Detects the reference motions of a SONIC deployment: a folder with the tables of one clip, or a folder of such
 *  folders.
 *  @param real the folder with all links resolved; files outside of it are skipped
 *  @returns null for any other folder  @throws bad_input for clips of another robot */
export async function findSonic(
  folder: string,
  real: string,
  robot: LayoutRobot,
  read: ReadOptions,
): Promise<SonicLayout | null> {
  const leftOut: string[] = [];
  const clips: { name: string; folder: string; bytes: number }[] = [];
  const folders = (await isClip(folder)) ? [folder] : await clipFolders(folder);
  for (const clip of folders) {
    const name = path.basename(clip);
    const problem = nameProblem('clip', name) ?? (await linkProblem(clip, real));
    if (problem !== null) leftOut.push(`${quoteName(name)} ${problem}`);
    else clips.push({ name, folder: clip, bytes: (await stat(path.join(clip, SONIC_FILES[0]))).size });
  }
  if (folders.length === 0) return null;
  const [first] = clips;
  if (!first) throw badInput(`source: no clip of the SONIC deploy folder ${folder} can be read: ${leftOut.join('; ')}`);
  const columns = await columnsOf(path.join(first.folder, SONIC_FILES[0]));
  if (columns !== robot.jointNames.length)
    throw badInput(
      `source: ${first.name}/${SONIC_FILES[0]} has ${columns} columns, this robot has ${robot.jointNames.length} joints: the clips are of another robot`,
    );
  const stated = read.fps ?? (await readSonicMetadata(first.folder)).fps;
  const assumed = stated === null ? [`${SONIC_FPS} frames per second, the rate of SONIC deployments`] : [];
  const reading: SonicReading = {
    metres: LENGTH_UNITS[read.units ?? 'm'],
    quaternion: read.quaternion ?? 'wxyz',
    jointOrder: read.joint_order ?? null,
    fps: read.fps ?? null,
  };
  return { kind: 'sonic', title: 'SONIC deploy folder', fps: stated ?? SONIC_FPS, reading, clips, assumed, leftOut };
}

async function clipFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const inner = entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map((entry) => path.join(folder, entry.name))
    .sort();
  const found: string[] = [];
  for (const candidate of inner) if (await isClip(candidate)) found.push(candidate);
  return found;
}

async function isClip(folder: string): Promise<boolean> {
  for (const file of SONIC_FILES) {
    const stats = await stat(path.join(folder, file)).catch(() => null); // null if the file is missing or unreadable
    if (!stats?.isFile()) return false;
  }
  return true;
}

async function linkProblem(folder: string, real: string): Promise<string | null> {
  for (const file of SONIC_FILES)
    if (!isInside(real, await realpath(path.join(folder, file)))) return 'is a link out of the source';
  return null;
}

/** Counts the columns in the first line of a table. */
async function columnsOf(file: string): Promise<number> {
  const handle = await open(file, READ_FLAGS);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
    const line = buffer.toString('utf8', 0, bytesRead).trimStart().split('\n', 1)[0]!;
    return line.trim() === '' ? 0 : line.split(',').length;
  } finally {
    await handle.close();
  }
}

/** The properties that a clip's `metadata.txt` states. A missing property is null. */
export interface SonicMetadata {
  /** index of the first body in `body_pos.csv`; index 0 is the root */
  readonly firstBody: number | null;
  readonly frames: number | null;
  readonly fps: number | null;
  /** names of the columns in `joint_pos.csv` */
  readonly jointNames: readonly string[] | null;
}

/** Reads `metadata.txt` of a clip. All properties are null if the file does not exist.
 *  @throws bad_input for an invalid frame rate, or a file over 1 MiB */
export async function readSonicMetadata(folder: string): Promise<SonicMetadata> {
  let text = '';
  try {
    text = (await readSmallFile(path.join(folder, METADATA_FILE), MAX_METADATA_BYTES, METADATA_FILE)).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const numberAfter = (pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? null : Number(found);
  };
  const fps = numberAfter(/^[ \t]*(?:fps|frame[ _]rate)[ \t]*[:=][ \t]*(\d{1,6}(?:\.\d{1,9})?)/im);
  if (fps !== null && !(fps >= 1 && fps <= MAX_FPS))
    throw badInput(`${METADATA_FILE}: the frame rate is ${fps}, it must be from 1 to ${MAX_FPS}`);
  const names = /^[ \t]*joint[ _]names[ \t]*[:=]?\s*\[?([^\]\n]{1,20000})/im.exec(text)?.[1];
  return {
    firstBody: numberAfter(/^[ \t]*body part indexes[ \t]*[:=]?\s*\[?\s*(\d{1,6})/im),
    frames: numberAfter(/^[ \t]*total timesteps[ \t]*[:=][ \t]*(\d{1,9})/im),
    fps,
    jointNames: names?.split(/[\s,'"]+/).filter((name) => name !== '') ?? null,
  };
}
