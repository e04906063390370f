import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { moveIntoPlace, writeAtomic } from '../../core/files/atomic-file.ts';
import { exists } from '../../core/files/exists.ts';
import { formatYaml } from '../../core/yaml-file.ts';
import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { SPEC_FILE } from '../../robots/robot-spec-file.ts';
import { DRAFT_FILE } from './draft-file.ts';

/** Prefix of a robot's folder while it is being replaced; removed once the new robot is in place. */
const REPLACED = '.replaced-';

/** Takes over the folder of a replaced robot. @param robot its previous path @param former its current path @returns
 *  the token that restores it */
export type KeepFormer = (robot: string, former: string) => Promise<string>;

/** Writes robot.yaml into an upload's folder and renames it to the robot's folder. A robot with this id is replaced; it
 *  is kept until the new one is in place, and survives a crash (see {@link recoverRobots}).
 *  @param robots `<workspace>/robots`, on the same disk as the upload  @param keep takes the folder of the former robot
 *  @returns what `keep` returned; null if no robot was replaced  @throws disk_full */
export async function installRobot(
  upload: string,
  robots: string,
  spec: RobotSpec,
  keep: KeepFormer,
): Promise<string | null> {
  const target = path.join(robots, spec.id);
  const old = path.join(robots, REPLACED + spec.id);
  await writeAtomic(path.join(upload, SPEC_FILE), formatYaml(spec));
  if (await exists(old)) await keep(target, old);
  const replaces = await exists(target);
  if (replaces) await rename(target, old);
  try {
    await moveIntoPlace(upload, target);
  } catch (error) {
    if (replaces) await rename(old, target);
    throw error;
  }
  let undo: string | null = null;
  try {
    if (replaces) undo = await keep(target, old);
  } catch (error) {
    await rename(target, upload);
    await rename(old, target);
    throw error;
  }
  await rm(path.join(target, DRAFT_FILE), { force: true });
  return undo;
}

/** Completes replacements that a killed process left: restores the former robot if the new one is not in place. */
export async function recoverRobots(robots: string, keep: KeepFormer): Promise<void> {
  for (const name of await readdir(robots)) {
    if (!name.startsWith(REPLACED)) continue;
    const old = path.join(robots, name);
    const target = path.join(robots, name.slice(REPLACED.length));
    if (await exists(target)) await keep(target, old);
    else await rename(old, target);
  }
}
