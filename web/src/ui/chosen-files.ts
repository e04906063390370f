/** A file that the user chose or dropped. */
export interface ChosenFile<F> {
  readonly file: F;
  /** path with its folders, separated by `/` */
  readonly path: string;
}

/** The parts of the browser's file system entries that are needed to read them recursively. */
export interface DroppedEntry {
  readonly isFile: boolean;
  readonly fullPath: string;
  readonly file?: (done: (file: File) => void, failed: (error: Error) => void) => void;
  readonly createReader?: () => {
    readEntries(done: (entries: readonly DroppedEntry[]) => void, failed: (error: Error) => void): void;
  };
}

/** Returns all files of dropped files and folders, with their paths.
 *  @throws DOMException of the browser for an unreadable file or folder */
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
      // a reader returns at most 100 entries per call, and an empty list at the end
      const some = await new Promise<readonly DroppedEntry[]>((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) break;
      found.push(...(await filesOfEntries(some)));
    }
  }
  return found;
}
