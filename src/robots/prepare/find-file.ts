import type { RobotFiles } from './model-files.ts';

/** Finds uploaded files by the references of a model. */
export interface FileIndex {
  /** Finds the uploaded file that a reference of a model names; null if no file matches.
   *
   *  Tries the exact path first, relative to each of `folders` in turn. Then it takes the file whose path shares the
   *  most trailing parts with the reference, at least the file name, ignoring case. References may be relative,
   *  absolute, `package://`, `model://` or `file://`, with `\` or `/`; they cannot reach files outside the upload.
   *  Among equal matches the one with more parts in the same case wins, then the shortest path, then the first in
   *  alphabetical order. */
  find(reference: string, folders?: readonly string[]): string | null;
}

/** @param files keys are paths relative to the robot's folder */
export function fileIndex(files: RobotFiles): FileIndex {
  const byFolded = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of [...files.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const folded = path.toLowerCase();
    if (!byFolded.has(folded)) byFolded.set(folded, path);
    const name = folded.slice(folded.lastIndexOf('/') + 1);
    const same = byName.get(name);
    if (same) same.push(path);
    else byName.set(name, [path]);
  }
  const exact = (path: string | null) =>
    path === null ? null : files.has(path) ? path : (byFolded.get(path.toLowerCase()) ?? null);
  return {
    find(reference, folders = ['']) {
      const { path, anchored } = plainPath(reference);
      if (!anchored) {
        for (const folder of folders) {
          const found = exact(joinPath(folder, path));
          if (found !== null) return found;
        }
      }
      const parts = path.split('/').filter(isPart);
      const folded = parts.map((part) => part.toLowerCase());
      let best: string | null = null;
      let most: readonly [number, number] = [0, 0];
      for (const candidate of byName.get(folded.at(-1) ?? '') ?? []) {
        const shared = [
          sharedTail(folded, candidate.toLowerCase().split('/')),
          sharedTail(parts, candidate.split('/')),
        ] as const;
        if (shared[0] > most[0] || (shared[0] === most[0] && shared[1] > most[1])) [best, most] = [candidate, shared];
      }
      return best;
    },
  };
}

/** Returns whether a file may belong to another package than the one that a reference names: the file is in a folder
 *  of another name, and the model is not in that folder. A package may have another folder name, or none.
 *  @param path the file that {@link FileIndex.find} found  @param folders folders of the model */
export function isOfOtherPackage(reference: string, path: string, folders: readonly string[]): boolean {
  if (!/^(package:|model:|\$\(find )/i.test(reference)) return false;
  const parts = plainPath(reference).path.split('/').filter(isPart);
  const folded = path.toLowerCase().split('/');
  if (folded.includes(parts[0]?.toLowerCase() ?? '')) return false;
  const shared = sharedTail(
    parts.map((part) => part.toLowerCase()),
    folded,
  );
  const place = path.split('/').slice(0, -shared).join('/');
  return place !== '' && !folders.some((folder) => `${folder}/`.startsWith(`${place}/`));
}

const isPart = (part: string) => part !== '' && part !== '.' && part !== '..';

/** Removes the scheme and decodes escapes of a reference. `anchored`: whether the reference is not relative to the
 *  model's folder. */
function plainPath(reference: string): { path: string; anchored: boolean } {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\/?/i.exec(reference);
  let path = scheme ? reference.slice(scheme[0].length) : reference;
  if (scheme) {
    try {
      path = decodeURIComponent(path);
    } catch {
      // a "%" that is not an escape is part of the name
    }
  }
  path = path.replaceAll('\\', '/').replace(/^\$\(find ([^)]*)\)/, '$1');
  return { path, anchored: scheme !== null || path.startsWith('/') || /^[a-z]:/i.test(path) };
}

/** Resolves `relative` from `folder`, without "." and ".."; null if it leads out of the robot's folder. */
export function joinPath(folder: string, relative: string): string | null {
  const parts: string[] = [];
  for (const part of `${folder}/${relative}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

function sharedTail(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a.at(-1 - shared) === b.at(-1 - shared)) shared++;
  return shared;
}

/** Returns the folder of a path; '' for a file at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the name of a file without folder and extension. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}
