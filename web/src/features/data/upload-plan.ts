/** A file that a person chose or dropped. */
export interface ChosenFile<F> {
  readonly file: F;
  /** with its folders, `/` between them */
  readonly path: string;
}

export interface UploadPlan<F> {
  readonly accepted: readonly { readonly file: F; readonly name: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** the one folder that holds everything; null for loose files or several folders */
  readonly folder: string | null;
  readonly bytes: number;
}

const ENDINGS = ['csv', 'pkl', 'npz'];
/** Folders of a dataset: its files are meant to be in it, not in a dataset of this name. */
const INNER = new Set(['raw', 'npz']);

/** Sorts out which of the files are clips. Files of other kinds are expected beside them, so they are counted, not fatal. */
export function planUpload<F extends { readonly size: number }>(files: readonly ChosenFile<F>[]): UploadPlan<F> {
  const accepted: { file: F; name: string }[] = [];
  const refused: { path: string; reason: string }[] = [];
  const taken = new Set<string>();
  for (const { file, path } of files) {
    const name = path.split('/').at(-1) ?? path;
    const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
    const reason = name.startsWith('.')
      ? 'hidden file'
      : ending === undefined || !ENDINGS.includes(ending)
        ? 'not a clip (.csv, .pkl or .npz)'
        : file.size === 0
          ? 'empty file'
          : taken.has(name)
            ? 'another file of this name is among them'
            : null;
    if (reason === null) {
      taken.add(name);
      accepted.push({ file, name });
    } else refused.push({ path, reason });
  }
  accepted.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return {
    accepted,
    refused,
    folder: commonFolder(files),
    bytes: accepted.reduce((sum, { file }) => sum + file.size, 0),
  };
}

function commonFolder(files: readonly { readonly path: string }[]): string | null {
  const first = files[0]?.path.split('/')[0];
  if (first === undefined || INNER.has(first)) return null;
  return files.every(({ path }) => path.startsWith(`${first}/`)) ? first : null;
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
