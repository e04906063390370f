import { constants, type Dirent } from 'node:fs';
import { copyFile, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import { quoteName } from '../../core/files/names.ts';
import { isInside } from '../../core/files/path-guard.ts';
import { sourceError } from '../../core/files/source-error.ts';
import { modelPathProblem } from './model-path.ts';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from './upload-files.ts';

/** Number of files copied in parallel, because each copy waits for the disk to sync. */
const AT_ONCE = 4;

export interface CopiedFolder {
  readonly files: number;
  readonly bytes: number;
}

interface Copy {
  readonly from: string;
  /** relative to the source */
  readonly to: string;
  readonly bytes: number;
}

/** Copies the files of a folder of this machine, without hidden files. Links are followed within the folder.
 *  @param into an empty folder  @param forbidden the robots folder of the workspace; neither it nor a parent is copied
 *  @throws bad_input for a path that is not a folder, links that lead out of it, invalid names; too_large;
 *  AbortError */
export async function copyFolder(
  source: string,
  into: string,
  forbidden: string,
  signal: AbortSignal,
): Promise<CopiedFolder> {
  const root = await realSource(source);
  const own = await realpath(forbidden);
  if (isInside(root, own))
    throw badInput(`source: ${root} contains the robots of this workspace. Choose the folder of the model.`);
  const plan = await survey(root, signal);
  if (plan.files.length === 0) throw badInput(`source: ${root} contains no files`);
  for (const folder of plan.folders) await makeFolders(path.join(into, folder), folder.split(path.sep).length);
  let next = 0;
  const work = async () => {
    for (let copy = plan.files[next++]; copy; copy = plan.files[next++]) {
      signal.throwIfAborted();
      await copyOne(copy, path.join(into, copy.to));
    }
  };
  const stop = (error: unknown) => {
    next = plan.files.length;
    throw error;
  };
  // Wait for all copies to end before the caller removes the folder.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => work().catch(stop)));
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return { files: plan.files.length, bytes: plan.bytes };
}

async function realSource(source: string): Promise<string> {
  if (!path.isAbsolute(source))
    throw badInput(`source: ${quoteName(source)} must be an absolute path on the machine that runs the service`);
  try {
    const real = await realpath(source);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw sourceError(error, source);
  }
  throw badInput(`source: ${source} is a file, not a folder. Choose the folder that contains it and its meshes.`);
}

/** Lists the files to copy. Copying starts only after all files are checked. */
async function survey(root: string, signal: AbortSignal) {
  const files: Copy[] = [];
  const folders: string[] = [];
  let bytes = 0;
  /** @param above real paths of the parent folders; a link to one of them would be a loop */
  const walk = async (folder: string, below: string, above: readonly string[]): Promise<void> => {
    for (const entry of await entriesOf(folder)) {
      signal.throwIfAborted();
      if (entry.name.startsWith('.')) continue;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      const problem = modelPathProblem(name);
      if (problem !== null) throw badInput(`source: ${quoteName(name)} ${problem}. Rename or remove it`);
      const real = entry.isSymbolicLink()
        ? await realLink(root, path.join(folder, entry.name), name)
        : path.join(folder, entry.name);
      const stats = await stat(real).catch((error: unknown) => {
        throw sourceError(error, name);
      });
      if (stats.isDirectory()) {
        if (above.includes(real)) throw badInput(`source: ${name} is a link to a folder that contains it`);
        folders.push(name);
        if (folders.length > MAX_UPLOAD_FILES) throw tooMuch(root);
        await walk(real, name, [...above, real]);
      } else if (stats.isFile()) {
        files.push({ from: real, to: name, bytes: stats.size });
        bytes += stats.size;
        if (files.length > MAX_UPLOAD_FILES || bytes > MAX_UPLOAD_BYTES) throw tooMuch(root);
      } else throw badInput(`source: ${name} is neither a file nor a folder`);
    }
  };
  await walk(root, '', [root]);
  return { files, folders, bytes };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw sourceError(error, folder);
  }
}

async function realLink(root: string, link: string, name: string): Promise<string> {
  const real = await realpath(link).catch((error: unknown) => {
    throw sourceError(error, name);
  });
  if (isInside(root, real)) return real;
  throw badInput(`source: ${name} is a link that leads out of the folder. Replace it by a copy of the file.`);
}

async function copyOne({ from, to }: Copy, target: string): Promise<void> {
  try {
    await copyFile(from, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? error : sourceError(error, to);
  }
  const file = await open(target, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function tooMuch(root: string): StudioError {
  return new StudioError(
    'too_large',
    `source: ${root} has more than ${MAX_UPLOAD_FILES} files or more than 1 GiB. Choose the folder of one robot's model`,
  );
}
