import { stat } from 'node:fs/promises';
import type { LibraryFile } from '../../motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';

/** Keeps the most recently read motion library in memory until the garbage collector needs the space (weak
 *  reference). */
export class KeptLibrary {
  #kept: { readonly key: string; readonly library: WeakRef<MotionLibrary> } | null = null;

  /** @param robot identifies the robot  @param read called if a different library is kept, or its files have changed */
  async get(files: readonly LibraryFile[], robot: string, read: () => Promise<MotionLibrary>): Promise<MotionLibrary> {
    const states = await Promise.all(files.map(({ path }) => stat(path)));
    const key = JSON.stringify([robot, files, states.map(({ size, mtimeMs }) => [size, mtimeMs])]);
    const known = this.#kept?.key === key ? this.#kept.library.deref() : undefined;
    const library = known ?? (await read());
    this.#kept = { key, library: new WeakRef(library) };
    return library;
  }
}
