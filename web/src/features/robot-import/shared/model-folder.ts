import { clipEndingOf } from '../../../../../src/protocol/clip-endings.ts';
import type { ChosenFile } from '../../../ui/chosen-files.ts';

/** Model files that were chosen and are not uploaded yet. */
export interface ModelFolder<F> {
  /** paths relative to the chosen folder, with `/` as separator */
  readonly files: readonly ChosenFile<F>[];
  /** suggested id of the new robot, from the folder's name */
  readonly id: string;
  readonly bytes: number;
  /** number of hidden files, which are not uploaded */
  readonly left: number;
}

const MODEL = /\.(xml|mjcf|urdf)$/i;
const MAX_ID = 64;

/** Whether dropped files belong to a robot: they include a model file and no clip. */
export function holdsModel(files: readonly { readonly path: string }[]): boolean {
  return files.some(({ path }) => MODEL.test(path)) && !files.some(({ path }) => clipEndingOf(path) !== null);
}

/** Turns `name` into a valid, free id; `robot` if no valid character remains. @param taken ids of other robots */
export function idNear(name: string, taken: ReadonlySet<string>): string {
  const word = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_ID - 4)
    .replace(/[._-]+$/, '');
  const base = word === '' || word === 'import' ? 'robot' : word;
  let id = base;
  for (let k = 2; taken.has(id); k++) id = `${base}-${k}`;
  return id;
}

/** Plans the upload of chosen files: removes hidden files, and strips a common top folder from the paths. */
export function planFolder<F extends { readonly size: number }>(
  files: readonly ChosenFile<F>[],
  taken: ReadonlySet<string>,
): ModelFolder<F> {
  const seen = files.filter(({ path }) => path.split('/').every((part) => !part.startsWith('.')));
  const top = seen[0]?.path.split('/')[0] ?? '';
  const common = top !== '' && seen.every(({ path }) => path.startsWith(`${top}/`));
  const inside = common ? seen.map(({ file, path }) => ({ file, path: path.slice(top.length + 1) })) : seen;
  const main =
    inside
      .find(({ path }) => MODEL.test(path))
      ?.path.split('/')
      .at(-1) ?? '';
  return {
    files: inside,
    id: idNear(common ? top : main.replace(MODEL, ''), taken),
    bytes: inside.reduce((sum, { file }) => sum + file.size, 0),
    left: files.length - seen.length,
  };
}

/** Files that the service does not have, or has with another size. */
export function missingFiles<F extends { readonly size: number }>(
  files: readonly ChosenFile<F>[],
  there: readonly { readonly path: string; readonly bytes: number }[],
): readonly ChosenFile<F>[] {
  const sizes = new Map(there.map(({ path, bytes }) => [path, bytes]));
  return files.filter(({ file, path }) => sizes.get(path) !== file.size);
}
