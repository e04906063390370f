import { realpath, stat } from 'node:fs/promises';
import type { ReadOptions } from '../../../protocol/schemas/reading.ts';
import type { DatasetLayout, LayoutRobot } from './dataset-layout.ts';
import { refuseHumanMotion } from './human-motion.ts';
import { findLeRobot } from './lerobot-dataset.ts';
import { findSonic } from './sonic-folder.ts';
import { findTwist2 } from './twist2-yaml.ts';

/** Detects a dataset layout from its content. Has no side effects, so it can run on any thread.
 *  @param source absolute path of an existing folder or file
 *  @param forbidden folder that must not contain the clips: the workspace's own data
 *  @param read options that override what the files state or their layout implies
 *  @returns null for a folder of plain clip files  @throws bad_input for a layout that cannot be imported for this
 *  robot */
export async function findLayout(
  source: string,
  robot: LayoutRobot,
  forbidden: string,
  read: ReadOptions,
): Promise<DatasetLayout | null> {
  const real = await realpath(source);
  const isFolder = (await stat(real)).isDirectory();
  if (isFolder) {
    const found = (await findLeRobot(source, real, robot, read)) ?? (await findSonic(source, real, robot, read));
    if (found) return found;
  }
  const listed = await findTwist2(source, forbidden, read);
  if (!listed && isFolder) await refuseHumanMotion(source);
  return listed;
}
