import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../errors.ts';
import { quoteName } from './names.ts';

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

/** Returns why `relative` is not a plain path below a folder (such as `a/b.stl`), or null. Checks the text alone. */
export function relativePathProblem(relative: string): string | null {
  if (relative === '') return 'must not be empty';
  if (Buffer.byteLength(relative) > MAX_PATH_BYTES) return `must be at most ${MAX_PATH_BYTES} bytes long`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  if (/[\u0000-\u001f\u007f]/.test(relative)) return 'must not contain control characters';
  if (relative.includes('\\')) return 'must use "/" between folders';
  if (relative.startsWith('/') || /^[A-Za-z]:/.test(relative)) return 'must not be absolute';
  for (const segment of relative.split('/')) {
    if (segment === '') return 'must not contain empty segments';
    if (segment === '.' || segment === '..') return `must not contain "${segment}"`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      return `each segment must be at most ${MAX_SEGMENT_BYTES} bytes long`;
    if (/[. ]$/.test(segment)) return 'must not contain a segment that ends with a dot or a space';
  }
  return null;
}

/** Returns the absolute path of `relative` below `root`, which must exist. The target itself need not exist. Links on
 *  the way, and the target itself if it is a link, must stay inside `root`.
 *  @param field of the path in messages  @throws bad_input */
export async function resolveInside(root: string, relative: string, field = 'path'): Promise<string> {
  const problem = relativePathProblem(relative);
  if (problem !== null) throw badInput(`${field}: ${quoteName(relative)} ${problem}`);
  const realRoot = await realpath(root);
  const target = path.join(root, relative);
  const real = await realpathOfExisting(target);
  if (!isInside(realRoot, real)) throw badInput(`${field}: ${quoteName(relative)} leads out of its folder`);
  return target;
}

/** Returns true if `inner` is `outer` or below it. Both paths are absolute. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Resolves the links of the longest existing part of `target`. A link to a missing target is treated as leading
 *  outside. */
async function realpathOfExisting(target: string): Promise<string> {
  const missing: string[] = [];
  for (let existing = target; ; existing = path.dirname(existing)) {
    try {
      return path.join(await realpath(existing), ...missing.reverse());
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOTDIR') throw badInput(`path: ${quoteName(path.basename(existing))} lies below a file`);
      if (code !== 'ENOENT') throw error;
      if (await isDanglingLink(existing)) return path.parse(existing).root;
      missing.push(path.basename(existing));
    }
  }
}

async function isDanglingLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
