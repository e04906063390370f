import type { MotionLibrary } from '../../motion/library/motion-library.ts';

/** A part of one clip, on which one expert is trained. */
export interface Chunk {
  /** name of the clip and the time of the chunk in it */
  readonly name: string;
  readonly clip: number;
  /** first frame in the clip, and number of frames */
  readonly first: number;
  readonly frames: number;
}

/** Divides the clips into chunks of about `chunkS` seconds. Neighbouring chunks overlap by about `overlapS` seconds. A
 *  clip that is only slightly longer than a chunk is not divided. */
export function chunksOf(library: MotionLibrary, chunkS: number, overlapS: number): Chunk[] {
  const { fps } = library;
  const overlap = Math.round(overlapS * fps);
  const stride = Math.max(1, Math.round(chunkS * fps) - overlap);
  return library.clips.flatMap(({ name, frames }, clip) => {
    const count = Math.max(1, Math.round((frames - overlap) / stride));
    const length = Math.min(frames, Math.ceil((frames + (count - 1) * overlap) / count));
    return Array.from({ length: count }, (_, k) => {
      const first = count === 1 ? 0 : Math.round((k * (frames - length)) / (count - 1));
      const time = (frame: number) => (frame / fps).toFixed(1);
      return { name: `${name} ${time(first)}–${time(first + length)} s`, clip, first, frames: length };
    });
  });
}

/** Returns a library that contains only one chunk. It shares the arrays of the original library. */
export function chunkLibrary(library: MotionLibrary, { name, clip, first, frames }: Chunk): MotionLibrary {
  return { ...library, clips: [{ name, first: library.clips[clip]!.first + first, frames }] };
}

/** Assigns each row of the library to the chunk whose expert controls the robot there. The expert changes in the middle
 *  of an overlap, which both experts have learned. @param chunks in the order of {@link chunksOf} @returns (frames)
 *  index of the chunk */
export function expertRows(library: MotionLibrary, chunks: readonly Chunk[]): Int16Array {
  const rows = new Int16Array(library.frames);
  for (const [k, { clip, first, frames }] of chunks.entries()) {
    const before = chunks[k - 1];
    const shared = before?.clip === clip ? before.first + before.frames - first : 0;
    const start = library.clips[clip]!.first + first;
    rows.fill(k, start + Math.ceil(shared / 2), start + frames);
  }
  return rows;
}
