import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../../core/errors.ts';
import { nameProblem, quoteName } from '../../../core/files/names.ts';
import { isInside, relativePathProblem } from '../../../core/files/path-guard.ts';
import { readUtf8, YamlText } from '../../../core/yaml-file.ts';
import { clipFileTypeOf } from '../../../formats/clip-registry.ts';
import type { ReadOptions } from '../../../protocol/schemas/reading.ts';
import { DATASET_FILE } from '../../dataset-file.ts';
import { NPZ_FOLDER } from '../../listing/dataset-snapshot.ts';
import type { ClipCopy, Twist2Layout } from './dataset-layout.ts';

const YAML = /\.ya?ml$/i;
/** Maximum size of a list file. A list of 40,000 clips has about 4 MB. */
const MAX_BYTES = 8 << 20;
/** Maximum number of files of a folder that are examined. */
const MAX_FILES = 20;
const MAX_WEIGHT = 1e6;
const LOOKS_AT_ONCE = 64;

/** One entry of the list. */
interface Motion {
  /** path relative to the list's root */
  readonly file: string;
  readonly weight: number;
}

/** Detects a dataset yaml (`root_path`, `motions: [{file, weight}]`). `source` is the file itself, or a folder with
 *  one such file.
 *  @param source absolute path  @param forbidden folder that must not contain the clips: the workspace's own data
 *  @returns null for a folder without such a file
 *  @throws bad_input for a damaged list, for files outside the list's root, or if none of the files exists */
export async function findTwist2(source: string, forbidden: string, read: ReadOptions): Promise<Twist2Layout | null> {
  if ((await stat(source)).isFile()) {
    if (!YAML.test(source)) return null;
    const text = await readList(source);
    if (!isList(text.value))
      throw badInput(
        `source: ${path.basename(source)} lists no motions. A TWIST2 dataset yaml has a list "motions" whose entries have a "file".`,
      );
    return { ...(await layoutOf(source, text, forbidden)), read };
  }
  const names = (await readdir(source)).filter((name) => YAML.test(name) && name !== DATASET_FILE).sort();
  const lists: { file: string; text: YamlText }[] = [];
  for (const name of names.slice(0, MAX_FILES)) {
    const file = path.join(source, name);
    if (!(await lstat(file)).isFile()) continue;
    const text = await readList(file).catch(() => null); // a YAML file of another kind
    if (text && isList(text.value)) lists.push({ file, text });
  }
  if (lists.length > 1)
    throw badInput(
      `source: ${source} contains several lists of motions (${lists.map(({ file }) => path.basename(file)).join(', ')}). Use one of them as the source.`,
    );
  const [list] = lists;
  return list ? { ...(await layoutOf(list.file, list.text, forbidden)), read } : null;
}

async function readList(file: string): Promise<YamlText> {
  const name = path.basename(file);
  return new YamlText(await readUtf8(file, MAX_BYTES, name), name, undefined, MAX_BYTES);
}

function isList(value: unknown): value is { root_path?: unknown; motions: unknown[] } {
  const motions = (value as { motions?: unknown } | null)?.motions;
  return (
    Array.isArray(motions) && motions.length > 0 && typeof (motions[0] as { file?: unknown } | null)?.file === 'string'
  );
}

async function layoutOf(file: string, text: YamlText, forbidden: string): Promise<Omit<Twist2Layout, 'read'>> {
  const assumed: string[] = [];
  const leftOut: string[] = [];
  const motions = motionsOf(text);
  const root = await rootOf(file, text, forbidden, assumed);
  const { copies, weights } = await copiesOf(motions, root, leftOut);
  if (copies.length === 0)
    throw badInput(
      `source: none of the ${motions.length} files of ${path.basename(file)} can be read from ${root}: ${leftOut.slice(0, 3).join('; ')}`,
    );
  return { kind: 'twist2', title: 'TWIST2 dataset yaml', copies, weights, assumed, leftOut };
}

/** Reads the entries of the list. The weights of a file that is listed twice are added. */
function motionsOf(text: YamlText): Motion[] {
  const found = new Map<string, number>();
  for (const [k, entry] of (text.value as { motions: unknown[] }).motions.entries()) {
    const { file, weight = 1 } = (entry ?? {}) as { file?: unknown; weight?: unknown };
    const at = ['motions', String(k)];
    if (typeof file !== 'string') throw text.problemAt([...at, 'file'], 'must be the path of a clip');
    const plain = path.posix.normalize(file);
    const problem = relativePathProblem(plain);
    if (problem !== null) throw text.problemAt([...at, 'file'], `${quoteName(file)} ${problem}`);
    if (typeof weight !== 'number' || !(weight >= 0 && weight <= MAX_WEIGHT))
      throw text.problemAt([...at, 'weight'], `must be a number from 0 to ${MAX_WEIGHT}`);
    found.set(plain, (found.get(plain) ?? 0) + weight);
  }
  return Array.from(found, ([file, weight]) => ({ file, weight }));
}

/** Returns the root folder of the list's file paths. `root_path` is either an absolute folder, which must be allowed
 *  as an import source, or a path below the list. If the absolute folder does not exist on this machine, the list's
 *  own folder is used. */
async function rootOf(file: string, text: YamlText, forbidden: string, assumed: string[]): Promise<string> {
  const own = path.dirname(file);
  const { root_path: root = '.' } = text.value as { root_path?: unknown };
  const refuse = (problem: string) => text.problemAt(['root_path'], problem);
  if (typeof root !== 'string' || root.includes('\0')) throw refuse('must be the path of a folder');
  const place = path.resolve(own, root);
  const real = await realFolder(place);
  if (!path.isAbsolute(root)) {
    if (real !== null && isInside(await realpath(own), real)) return real;
    throw refuse(
      `${quoteName(root)} ${real === null ? 'does not exist below the list' : 'leads out of the folder of the list'}. Use an absolute path.`,
    );
  }
  if (real === null) {
    assumed.push(
      `files are taken from the folder of the list, because its root_path ${quoteName(root)} does not exist here`,
    );
    return realpath(own);
  }
  if (isInside(await realpath(forbidden), real))
    throw refuse('is inside the datasets of this workspace, whose clips are already listed. Choose another folder.');
  return real;
}

async function realFolder(folder: string): Promise<string | null> {
  const real = await realpath(folder).catch(() => null); // null if the folder is missing or unreadable
  return real !== null && (await stat(real)).isDirectory() ? real : null;
}

async function copiesOf(
  motions: readonly Motion[],
  root: string,
  leftOut: string[],
): Promise<Pick<Twist2Layout, 'copies' | 'weights'>> {
  const copies: ClipCopy[] = [];
  const weights: Record<string, number> = {};
  const taken = new Set<string>();
  const stems = new Map<string, number>();
  for (const { file } of motions) stems.set(stemOf(file), (stems.get(stemOf(file)) ?? 0) + 1);
  for (let start = 0; start < motions.length; start += LOOKS_AT_ONCE) {
    const part = motions.slice(start, start + LOOKS_AT_ONCE);
    const looks = await Promise.all(part.map(({ file }) => look(root, file)));
    for (const [k, { file, weight }] of part.entries()) {
      const found = looks[k]!;
      // If files in several folders have the same name, their clip names include the folders.
      const clip = stems.get(stemOf(file))! > 1 ? stemOf(file.replaceAll('/', '_')) : stemOf(file);
      const problem =
        typeof found === 'string'
          ? found
          : (nameProblem('clip', clip) ?? (taken.has(clip) ? 'has a name that is taken' : null));
      if (problem !== null || typeof found === 'string') {
        leftOut.push(`${quoteName(file)} ${problem}`);
        continue;
      }
      taken.add(clip);
      const name = `${clip}${path.extname(file)}`;
      copies.push({ ...found, to: clipFileTypeOf(file)!.raw ? name : path.join(NPZ_FOLDER, name) });
      if (weight !== 1) weights[clip] = weight;
    }
  }
  return { copies, weights };
}

/** Finds a file of the list. @returns the file, or the reason for skipping it, worded to follow the name of the file */
async function look(root: string, file: string): Promise<Omit<ClipCopy, 'to'> | string> {
  const type = clipFileTypeOf(file);
  if (!type || type.refused) return 'is not a clip file of a robot';
  const real = await realpath(path.join(root, file)).catch(() => null); // null if the file is missing or a broken link
  if (real === null) return 'does not exist';
  if (!isInside(root, real)) return 'is a link out of the source';
  const stats = await stat(real);
  return stats.isFile() ? { from: real, bytes: stats.size, mtimeMs: stats.mtimeMs } : 'is not a file';
}

function stemOf(file: string): string {
  return path.posix.basename(file, path.posix.extname(file));
}
