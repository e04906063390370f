import { constants } from 'node:fs';
import { copyFile, link, open } from 'node:fs/promises';

/** Error codes for which a hard link cannot be created, although the file can be copied. FAT, exFAT and shared folders
 *  of virtual machines answer EPERM. */
const CODES = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** Returns true if an error of link(2) does not exclude that the file can be copied: its disk has no hard links, or the
 *  target is on another disk. */
export function lacksLinks(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** Gives a file a second path, which takes no space on disks with hard links.
 *  @throws EEXIST if the path is taken; others as the system reports them */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    await copyWhole(from, to);
  }
}

/** Copies a file to a free path and syncs it, because its original may be removed or replaced right after. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const handle = await open(to, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
