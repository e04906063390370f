import { type FileHandle, open, opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ClipFormat, clipFormatOf, TAIL_BYTES } from '../../formats/clip-registry.ts';

/** Files looked at together: enough to keep the system's threads busy, few enough to leave the main thread free. */
const CHUNK = 64;
/** A file that was written to within this time may still be growing. */
const YOUNG_MS = 1000;

/** One file with a clip. */
export interface ClipFile {
  readonly path: string;
  /** with its ending */
  readonly file: string;
  /** without its ending */
  readonly stem: string;
  readonly format: ClipFormat;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** The clip files of a folder, in no order. */
export interface ClipFiles {
  readonly files: readonly ClipFile[];
  /** files that were left out, or shown as they were before, because they are still being written */
  readonly unfinished: number;
}

const NO_FILES: ClipFiles = { files: [], unfinished: 0 };

/** Lists the clip files of `folder`, not of its sub-folders; hidden files are none. A folder that does not exist is
 *  empty. Files that are being written are left out, or given as `known` has them, for a second at most.
 *  @param wanted formats that count  @param known what was listed before, by path; null: every file is complete
 *  @throws what the system says for a folder that cannot be listed */
export async function listClipFiles(
  folder: string,
  wanted: (format: ClipFormat) => boolean,
  known: ReadonlyMap<string, ClipFile> | null,
): Promise<ClipFiles> {
  const candidates: { name: string; format: ClipFormat }[] = [];
  try {
    for await (const { name } of await opendir(folder, { bufferSize: CHUNK })) {
      const format = name.startsWith('.') ? null : clipFormatOf(name);
      if (format && wanted(format)) candidates.push({ name, format });
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return NO_FILES;
    throw error;
  }
  const files: ClipFile[] = [];
  let unfinished = 0;
  for (let start = 0; start < candidates.length; start += CHUNK) {
    const chunk = candidates.slice(start, start + CHUNK);
    const looks = await Promise.all(chunk.map(({ name, format }) => look(path.join(folder, name), format, known)));
    for (const found of looks) {
      if (found === null) continue;
      if (found.unfinished) unfinished += 1;
      if (found.file) files.push(found.file);
    }
  }
  return { files, unfinished };
}

/** Null for what is no file, or gone meanwhile. */
async function look(
  file: string,
  format: ClipFormat,
  known: ReadonlyMap<string, ClipFile> | null,
): Promise<{ file: ClipFile | null; unfinished: boolean } | null> {
  let stats: Awaited<ReturnType<typeof stat>>;
  try {
    stats = await stat(file);
  } catch {
    return null;
  }
  if (!stats.isFile()) return null;
  const { base, name } = path.parse(file);
  const found = { path: file, file: base, stem: name, format, bytes: stats.size, mtimeMs: stats.mtimeMs };
  const age = Date.now() - stats.mtimeMs;
  // Writing moves both times together; a rename or copied times at the end of a copy move the second one alone.
  const written = stats.ctimeMs === stats.mtimeMs && age >= 0 && age < YOUNG_MS;
  if (known && written && !(await mayBeWhole(file, format, stats.size)))
    return { file: known.get(file) ?? null, unfinished: true };
  return { file: found, unfinished: false };
}

async function mayBeWhole(file: string, format: ClipFormat, size: number): Promise<boolean> {
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch {
    return true; // Whoever reads it will say what is wrong.
  }
  try {
    const { bytesRead } = await handle.read(tail, 0, tail.length, size - tail.length);
    return format.mayBeWhole(tail.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
