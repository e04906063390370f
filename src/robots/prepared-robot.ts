import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFoldersSync } from '../core/files/make-folders.ts';
import { readRegularFileSync } from '../core/files/read-regular-file.ts';
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

/** Folder of the robots that the build has compiled: the built-in one. It is missing if the service runs from the
 *  sources. */
const SHIPPED = fileURLToPath(new URL('../builtin/robots/', import.meta.url));

/** Size limit of facts.json, bytes. A robot with thousands of bodies needs a few MB. */
const MAX_FACTS_BYTES = 1 << 26;

/** Content of facts.json: the facts, and the sizes of the other files, which show that those files are complete. */
interface CacheEntry {
  readonly facts: RobotFacts;
  readonly sizes: Readonly<Record<string, number>>;
}

/** Returns the compiled robot. It comes from the cache if the same content was compiled before, or from the build.
 *
 *  Compiling meshes blocks for seconds, so call it in a separate thread.
 *  @param cache folder of compiled robots, one sub-folder each
 *  @throws StudioError bad_input when spec or model are not valid */
export async function prepareRobot(source: RobotSource, cache: string): Promise<PreparedRobot> {
  const { spec, files, key } = await readSource(source);
  const found = readKept(cache, key) ?? copyShipped(SHIPPED, cache, key);
  if (found) return found;
  const mj = await loadMujoco();
  return keepPrepared(cache, key, buildRobotModel(mj, files, spec));
}

/** Returns the compiled robot if it is in the cache or in the build; otherwise null, without compiling. Blocks while it
 *  reads files.
 *  @param shipped folder of the robots that the build has compiled
 *  @throws StudioError bad_input when the spec is not valid */
export async function findPrepared(
  source: RobotSource,
  cache: string,
  shipped: string = SHIPPED,
): Promise<PreparedRobot | null> {
  const { key } = await readSource(source);
  return readKept(cache, key) ?? copyShipped(shipped, cache, key);
}

function readKept(cache: string, key: string): PreparedRobot | null {
  const folder = path.join(cache, key);
  const entry = readEntry(folder);
  if (entry === null) return null;
  try {
    const now = new Date();
    utimesSync(folder, now, now); // record the use, because a clean-up removes the least recently used robots
  } catch {
    return null; // the clean-up has just removed it
  }
  return { facts: entry.facts, key, folder };
}

/** Copies a compiled robot of the build into the cache, so that the first start in a workspace need not compile it.
 *  Jobs use the copy: it stays when the build is replaced.
 *  @returns null if the build does not contain the robot completely */
function copyShipped(shipped: string, cache: string, key: string): PreparedRobot | null {
  const from = path.join(shipped, key);
  const entry = readEntry(from);
  if (entry === null) return null;
  const folder = path.join(cache, key);
  const names = Object.keys(entry.sizes);
  writeEntry(folder, entry.facts, new Map(names.map((name) => [name, readFileSync(path.join(from, name))])));
  return { facts: entry.facts, key, folder };
}

/** Writes a compiled robot into the cache. @param key hash of the robot's content */
export function keepPrepared(
  cache: string,
  key: string,
  { facts, geometry, physics, terrain }: RobotModel,
): PreparedRobot {
  const folder = path.join(cache, key);
  const content: [name: string, bytes: Uint8Array][] = [
    [PREPARED_FILES.model, Buffer.from(JSON.stringify(geometry.description))],
    [PREPARED_FILES.bin, geometry.binary],
    [PREPARED_FILES.physics, physics],
    [PREPARED_FILES.terrain, terrain],
    ...geometry.textures.map((png, k): [string, Uint8Array] => [textureFile(k), png]),
  ];
  writeEntry(folder, facts, new Map(content));
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
    return whole ? entry : null;
  } catch {
    return null; // a missing or unreadable entry will be compiled again
  }
}

/** @param content the files other than facts.json, by name */
function writeEntry(folder: string, facts: RobotFacts, content: ReadonlyMap<string, Uint8Array>): void {
  const temp = `${folder}.${process.pid}.${Date.now()}.tmp`;
  makeFoldersSync(temp, 4);
  const sizes: Record<string, number> = {};
  for (const [name, bytes] of content) {
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
