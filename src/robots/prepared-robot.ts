import { lstatSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { makeFoldersSync } from '../core/files/make-folders.ts';
import { readRegularFileSync } from '../core/files/read-regular-file.ts';
import type { ViewerGeometry } from '../sim/geometry.ts';
import { loadMujoco } from '../sim/mujoco.ts';
import type { RobotFacts } from './robot-facts.ts';
import { buildRobotModel, type RobotModel } from './robot-model.ts';
import { type RobotSource, readSource } from './robot-source.ts';
import { PHYSICS_FILES } from './uneven-ground.ts';

/** A compiled robot in the cache. */
export interface PreparedRobot {
  readonly facts: RobotFacts;
  /** hash of the robot's content; the name of its folder in the cache */
  readonly key: string;
  /** folder that contains model.json, model.bin, physics.mjb, terrain.mjb and the textures */
  readonly folder: string;
}

export const PREPARED_FILES = {
  facts: 'facts.json',
  model: 'model.json',
  bin: 'model.bin',
  physics: PHYSICS_FILES.flat,
  terrain: PHYSICS_FILES.uneven,
};

/** Returns the file name of a texture. @param index of the texture in `textureNames` */
export function textureFile(index: number): string {
  return `texture-${index}.png`;
}

/** Size limit of facts.json, bytes. A robot with thousands of bodies needs a few MB. */
const MAX_FACTS_BYTES = 1 << 26;

/** Content of facts.json: the facts, and the sizes of the other files, which show that those files are complete. */
interface CacheEntry {
  readonly facts: RobotFacts;
  readonly sizes: Readonly<Record<string, number>>;
}

/** Returns the compiled robot. It comes from the cache if the same content was compiled before.
 *
 *  Compiling meshes blocks for seconds, so call it in a separate thread.
 *  @param cache folder of compiled robots, one sub-folder each
 *  @throws StudioError bad_input when spec or model are not valid */
export async function prepareRobot(source: RobotSource, cache: string): Promise<PreparedRobot> {
  const { spec, files, key } = await readSource(source);
  const kept = readKept(cache, key);
  if (kept) return kept;
  const mj = await loadMujoco();
  return keepPrepared(cache, key, buildRobotModel(mj, files, spec));
}

/** Returns the compiled robot if it is in the cache; otherwise null, without compiling. Blocks while it reads files.
 *  @throws StudioError bad_input when the spec is not valid */
export async function findPrepared(source: RobotSource, cache: string): Promise<PreparedRobot | null> {
  return readKept(cache, (await readSource(source)).key);
}

function readKept(cache: string, key: string): PreparedRobot | null {
  const folder = path.join(cache, key);
  const entry = readEntry(folder);
  return entry && { facts: entry.facts, key, folder };
}

/** Writes a compiled robot into the cache. @param key hash of the robot's content */
export function keepPrepared(
  cache: string,
  key: string,
  { facts, geometry, physics, terrain }: RobotModel,
): PreparedRobot {
  const folder = path.join(cache, key);
  writeEntry(folder, facts, geometry, { physics, terrain });
  return { facts, key, folder };
}

function readEntry(folder: string): CacheEntry | null {
  try {
    const entry = JSON.parse(
      readRegularFileSync(path.join(folder, PREPARED_FILES.facts), MAX_FACTS_BYTES).toString(),
    ) as CacheEntry;
    const whole = Object.entries(entry.sizes).every(([name, size]) => {
      const stats = statSync(path.join(folder, name));
      return stats.isFile() && stats.size === size;
    });
    if (!whole) return null;
    const now = new Date();
    utimesSync(folder, now, now); // record the use, because a clean-up removes the least recently used robots
    return entry;
  } catch {
    return null; // a missing or unreadable entry will be compiled again
  }
}

function writeEntry(
  folder: string,
  facts: RobotFacts,
  geometry: ViewerGeometry,
  { physics, terrain }: Pick<RobotModel, 'physics' | 'terrain'>,
): void {
  const temp = `${folder}.${process.pid}.${Date.now()}.tmp`;
  makeFoldersSync(temp, 4);
  const content: Record<string, Uint8Array> = {
    [PREPARED_FILES.model]: Buffer.from(JSON.stringify(geometry.description)),
    [PREPARED_FILES.bin]: geometry.binary,
    [PREPARED_FILES.physics]: physics,
    [PREPARED_FILES.terrain]: terrain,
    ...Object.fromEntries(geometry.textures.map((png, k) => [textureFile(k), png])),
  };
  const sizes: Record<string, number> = {};
  for (const [name, bytes] of Object.entries(content)) {
    writeFileSync(path.join(temp, name), bytes);
    sizes[name] = bytes.byteLength;
  }
  writeFileSync(path.join(temp, PREPARED_FILES.facts), JSON.stringify({ facts, sizes } satisfies CacheEntry));
  rmSync(folder, { recursive: true, force: true });
  renameSync(temp, folder);
}

/** Returns whether a compiled robot is still in the cache. Users may empty the cache at any time. */
export async function isKept({ folder }: PreparedRobot): Promise<boolean> {
  return access(path.join(folder, PREPARED_FILES.facts)).then(
    () => true,
    () => false,
  );
}

/** Removes unfinished files of killed compilations. Removes the least recently used robots beyond `keepBytes`. */
export function sweepPrepared(cache: string, keepBytes = 1 << 30): void {
  makeFoldersSync(cache, 3);
  const entries = readdirSync(cache).map((name) => ({ name, stats: lstatSync(path.join(cache, name)) }));
  let kept = 0;
  for (const { name, stats } of entries.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)) {
    const folder = path.join(cache, name);
    if (stats.isDirectory() && !name.endsWith('.tmp')) {
      for (const file of readdirSync(folder)) kept += lstatSync(path.join(folder, file)).size;
      if (kept <= keepBytes) continue;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
