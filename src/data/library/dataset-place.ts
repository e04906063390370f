import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { exists } from '../../core/files/exists.ts';
import { checkName, quoteName } from '../../core/files/names.ts';
import { isInside } from '../../core/files/path-guard.ts';
import { CLIP_FILE_TYPES, type ClipFileType, clipFileTypeOf } from '../../formats/clip-registry.ts';
import { humanEndingOf, humanFileText } from '../../protocol/clip-endings.ts';

/** The folders of a dataset into which files are written. `raw` and `npz` may not exist yet. */
export interface DatasetPlace {
  readonly name: string;
  readonly folder: string;
  /** the folder that the dataset links to, or null; the service never writes into a linked folder */
  readonly linked: string | null;
  /** folder of the raw clips: the dataset's folder or its `raw/`; for a linked dataset, the linked folder or its
   *  `raw/` */
  readonly raw: string;
  readonly npz: string;
}

/** The destination of an uploaded clip. */
export interface ClipPlace {
  readonly folder: string;
  readonly file: string;
  readonly clip: string;
  readonly format: ClipFileType;
}

const ENDINGS = CLIP_FILE_TYPES.map(({ ending }) => ending).join(', ');

/** Derives clip name and format from a file name. @throws bad_input naming `file` */
function clipOfFile(file: string): { clip: string; format: ClipFileType } {
  const format = clipFileTypeOf(file);
  const human = humanEndingOf(file);
  if (human) throw badInput(`file: ${quoteName(file)}: ${humanFileText(human)}`);
  if (!format || path.basename(file) !== file)
    throw badInput(`file: ${quoteName(file)} is not a clip: its name must end with one of ${ENDINGS}`);
  return { clip: checkName('clip', file.slice(0, -format.ending.length), 'file'), format };
}

/** Returns the destination of an uploaded clip. @throws bad_input for a linked dataset, or an invalid name */
export function clipPlace(dataset: DatasetPlace, file: string): ClipPlace {
  const { clip, format } = clipOfFile(file);
  if (dataset.linked !== null)
    throw badInput(
      `dataset: "${dataset.name}" is linked to ${dataset.linked}, and linked folders are never changed. Copy the file there yourself.`,
    );
  return { folder: format.raw ? dataset.raw : dataset.npz, file, clip, format };
}

/** Checks that files written to `folder` stay inside the dataset: neither `folder` nor the dataset's folder may be a
 *  link that leads out of it. @param folder may not exist yet  @throws bad_input */
export async function checkOwn({ name, folder: own }: DatasetPlace, folder: string): Promise<void> {
  const stats = await lstat(own);
  if (stats.isSymbolicLink())
    throw badInput(`dataset: the folder of "${name}" is a link to another folder, which the service does not change`);
  const real = await realpathOrNull(folder);
  if (real !== null && !isInside(await realpath(own), real))
    throw badInput(
      `dataset: "${path.basename(folder)}" of "${name}" is a link to a place outside the dataset, which the service does not change. Replace the link by a copy.`,
    );
}

/** Returns the path of another raw file of the same clip; null if there is none. A clip may have only one raw file. */
export async function twinOf({ folder, file, clip, format }: ClipPlace): Promise<string | null> {
  if (!format.raw) return null;
  for (const { ending, raw } of CLIP_FILE_TYPES) {
    if (!raw) continue;
    for (const other of [`${clip}${ending}`, `${clip}${ending.toUpperCase()}`])
      if (other !== file && (await exists(path.join(folder, other)))) return other;
  }
  return null;
}

async function realpathOrNull(folder: string): Promise<string | null> {
  try {
    return await realpath(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
