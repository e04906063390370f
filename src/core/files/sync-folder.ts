import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Makes renames in a folder durable where its disk supports that. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!cannotSync(error)) throw error;
  } finally {
    await handle.close();
  }
}

/** Synchronous {@link syncFolder}. */
export function syncFolderSync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!cannotSync(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Some disks, such as shared folders of virtual machines, sync files but not folders. */
function cannotSync(error: unknown): boolean {
  return ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? '');
}
