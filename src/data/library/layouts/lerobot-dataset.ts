import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, messageOf, StudioError } from '../../../core/errors.ts';
import { readSmallFile } from '../../../core/files/bounded-file.ts';
import { isInside } from '../../../core/files/path-guard.ts';
import type { ReadOptions } from '../../../protocol/schemas/reading.ts';
import type { LayoutRobot, LeRobotLayout } from './dataset-layout.ts';
import { findMotion } from './lerobot-features.ts';

const INFO_FILE = 'meta/info.json';
const MAX_INFO_BYTES = 16 << 20;
const MAX_FPS = 1000;
/** Matches versions that store episodes as rows of `data/<chunk>/<file>.parquet`: from 2.0 one episode per file,
 *  from 3.0 many. */
const KNOWN = /^v?(?:2|3)\.\d+$/;

/** Detects a LeRobot dataset by `meta/info.json`.
 *  @param real the folder with all links resolved; files outside of it are skipped
 *  @returns null for a folder without this file
 *  @throws bad_input for an unknown version, a damaged file, or a dataset of another robot */
export async function findLeRobot(
  folder: string,
  real: string,
  robot: LayoutRobot,
  read: ReadOptions,
): Promise<LeRobotLayout | null> {
  const info = await readInfo(folder);
  if (info === null) return null;
  const { codebase_version: version, features, robot_type: type } = info;
  const fps = read.fps ?? info['fps'];
  if (typeof version !== 'string' || typeof features !== 'object' || features === null) return null;
  if (!KNOWN.test(version))
    throw badInput(
      `source: LeRobot datasets of version ${version.slice(0, 20)} are not supported. Convert it to v3.0 with the scripts of lerobot.`,
    );
  if (typeof fps !== 'number' || !(fps >= 1 && fps <= MAX_FPS))
    throw badInput(`source: ${INFO_FILE}: fps must be a number from 1 to ${MAX_FPS}`);
  const assumed: string[] = [];
  const robotType = typeof type === 'string' && type !== '' ? type : null;
  const reading = findMotion(features as Record<string, unknown>, robot, { robotType, read }, assumed);
  const leftOut: string[] = [];
  const files = await dataFiles(folder, real, leftOut);
  if (files.length === 0)
    throw badInput(
      leftOut.length > 0
        ? `source: the files of ${folder}/data are links out of it, as in a cache of Hugging Face. Copy the folder with its links resolved (cp -rL).`
        : `source: the LeRobot dataset ${folder} has no file data/<chunk>/<file>.parquet`,
    );
  const title = `LeRobot ${version.startsWith('v') ? version : `v${version}`} dataset`;
  return { kind: 'lerobot', title, fps, reading, files, assumed, leftOut };
}

async function readInfo(folder: string): Promise<Record<string, unknown> | null> {
  try {
    const text = (await readSmallFile(path.join(folder, INFO_FILE), MAX_INFO_BYTES, INFO_FILE)).toString('utf8');
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (error instanceof StudioError) throw badInput(`source: ${error.message}`);
    throw badInput(`source: ${INFO_FILE} cannot be read: ${messageOf(error)}`);
  }
}

/** Lists the Parquet files in `data/<chunk>/`, in order. */
async function dataFiles(folder: string, real: string, leftOut: string[]): Promise<LeRobotLayout['files']> {
  const files: { path: string; bytes: number }[] = [];
  for (const chunk of await namesIn(path.join(folder, 'data')))
    for (const name of await namesIn(path.join(folder, 'data', chunk))) {
      if (!name.endsWith('.parquet') || name.startsWith('.')) continue;
      const file = path.join(folder, 'data', chunk, name);
      const target = await realpath(file).catch(() => null); // null for a broken link
      if (target === null || !isInside(real, target)) leftOut.push(path.join('data', chunk, name));
      else files.push({ path: file, bytes: (await stat(file)).size });
    }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
