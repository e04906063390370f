/** A file that a person chose or dropped. */
export interface ChosenFile<F> {
  readonly file: F;
  /** with its folders, `/` between them */
  readonly path: string;
}

/** What of the browser's file system entries is needed to walk them. */
export interface DroppedEntry {
  readonly isFile: boolean;
  readonly fullPath: string;
  readonly file?: (done: (file: File) => void, failed: (error: Error) => void) => void;
  readonly createReader?: () => {
    readEntries(done: (entries: readonly DroppedEntry[]) => void, failed: (error: Error) => void): void;
  };
}

/** Every file of dropped files and folders, with their folders. @throws what the browser says of an unreadable one */
export async function filesOfEntries(entries: readonly DroppedEntry[]): Promise<ChosenFile<File>[]> {
  const found: ChosenFile<File>[] = [];
  for (const entry of entries) {
    if (entry.isFile) {
      const file = await new Promise<File>((done, failed) => entry.file?.(done, failed));
      found.push({ file, path: entry.fullPath.replace(/^\//, '') });
      continue;
    }
    const reader = entry.createReader?.();
    if (reader === undefined) continue;
    for (;;) {
      // a reader gives at most 100 entries a time and nothing when it is done
      const some = await new Promise<readonly DroppedEntry[]>((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) break;
      found.push(...(await filesOfEntries(some)));
    }
  }
  return found;
}
