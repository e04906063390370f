import { opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { isInside } from '../../core/files/path-guard.ts';
import { sourceError } from '../../core/files/source-error.ts';
import { clipFileTypeOf, sourceTypeOf } from '../../formats/clip-registry.ts';
import { humanEndingOf, humanFileText } from '../../protocol/clip-endings.ts';
import { NPZ_FOLDER, RAW_FOLDER } from '../listing/dataset-snapshot.ts';

const SHOWN_NAMES = 5;
const NAMES_AT_ONCE = 512;

/** The content of a folder to import clips from, judged by file names. */
export interface ImportSource {
  readonly folder: string;
  /** the folder with all links resolved */
  readonly real: string;
  /** files with source clips, relative to the folder: the files in `raw/` if it contains any, otherwise the files next
   *  to `raw/` */
  readonly raw: readonly string[];
  /** `.npz` files: first those in `npz/`, then those in the folder itself, which may be source clips (`isNpzSource`) */
  readonly npz: readonly string[];
}

/** Lists the files of a folder to import.
 *  @param forbidden folder that must not contain the source: the workspace's own data
 *  @throws bad_input for a source that is not a folder, cannot be read or has no clips; the message lists what the
 *  folder contains */
export async function surveySource(source: string, forbidden: string): Promise<ImportSource> {
  const folder = await checkSource(source, forbidden);
  const real = await realFolder(folder);
  const here = await namesIn(folder);
  const inRaw = (await namesIn(path.join(folder, RAW_FOLDER))).filter((name) => sourceTypeOf(name) !== null);
  const inNpz = (await namesIn(path.join(folder, NPZ_FOLDER))).filter(isNpz);
  const found: ImportSource = {
    folder,
    real,
    raw: inRaw.length > 0 ? inRaw.map((name) => path.join(RAW_FOLDER, name)) : here.filter(isRaw),
    npz: [...inNpz.map((name) => path.join(NPZ_FOLDER, name)), ...here.filter(isNpz)],
  };
  if (found.raw.length + found.npz.length === 0)
    throw badInput(`source: ${folder} contains no clips: ${whatIsIn(here)}`);
  return found;
}

/** Returns the normalised path of a source: a folder, or a file with a list of clips.
 *  @throws bad_input for a path that is not absolute, does not exist, or lies in `forbidden` */
export async function checkSource(source: string, forbidden: string): Promise<string> {
  if (!path.isAbsolute(source))
    throw badInput(`source: ${quoteName(source)} must be an absolute path on the machine of the service`);
  const place = path.resolve(source);
  const real = await realpath(place).catch((error: unknown) => {
    throw sourceError(error, place);
  });
  if (isInside(await realpath(forbidden), real))
    throw badInput(
      `source: ${quoteName(source)} is inside the datasets of this workspace, whose clips are already listed. Choose another folder.`,
    );
  return place;
}

async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw sourceError(error, folder);
  }
  throw badInput(`source: ${folder} is a file, not a folder`);
}

/** Returns the names in a folder, without hidden files; empty if the folder does not exist. Names of sub-folders end
 *  with "/". */
async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    // Read the folder in parts: a folder of a hundred thousand clips must not block the thread.
    for await (const entry of await opendir(folder, { bufferSize: NAMES_AT_ONCE })) {
      if (!entry.name.startsWith('.')) names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw sourceError(error, folder);
  }
  return names.sort();
}

function isRaw(name: string): boolean {
  const type = clipFileTypeOf(name);
  return type?.raw === true && type.refused !== true;
}

function isNpz(name: string): boolean {
  return clipFileTypeOf(name)?.id === 'npz';
}

function whatIsIn(names: readonly string[]): string {
  if (names.length === 0) return 'it is empty';
  const human = names.find((name) => humanEndingOf(name) !== null);
  if (human !== undefined) return `${human}: ${humanFileText(humanEndingOf(human)!)}`;
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  const rest = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  return `it contains ${shown}${rest}. Sub-folders are not searched. Give the path of the folder that contains the clips.`;
}
