import type { ClipRows } from '../../motion/clip-rows.ts';

/** Rows of a clip that are read when someone first asks for them, once for all who do. */
export class LazyRows {
  readonly #read: () => Promise<ClipRows | null>;
  #rows: Promise<ClipRows | null> | null = null;

  /** @param read null where there are none */
  constructor(read: () => Promise<ClipRows | null>) {
    this.#read = read;
  }

  /** What could not be read is tried again by the next who asks: files are repaired. */
  get(): Promise<ClipRows | null> {
    this.#rows ??= this.#read().catch((error: unknown) => {
      this.#rows = null;
      throw error;
    });
    return this.#rows;
  }
}
