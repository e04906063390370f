import { stat } from 'node:fs/promises';
import type { LibraryFile } from '../../motion/library/load-motion-library.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';

/** The motion library that was read last, for the next session of it while its memory is not needed for anything else. */
export class KeptLibrary {
  #kept: { readonly key: string; readonly library: WeakRef<MotionLibrary> } | null = null;

  /** @param robot names the robot that the library fits @param read where it is another one, or has changed */
  async get(files: readonly LibraryFile[], robot: string, read: () => Promise<MotionLibrary>): Promise<MotionLibrary> {
    const states = await Promise.all(files.map(({ path }) => stat(path)));
    const key = JSON.stringify([robot, files, states.map(({ size, mtimeMs }) => [size, mtimeMs])]);
    const known = this.#kept?.key === key ? this.#kept.library.deref() : undefined;
    const library = known ?? (await read());
    this.#kept = { key, library: new WeakRef(library) };
    return library;
  }
}
