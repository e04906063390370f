import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import { writeAtomicSync } from '../../core/files/atomic-file.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { clipFileType, isBundle } from '../../formats/clip-registry.ts';
import { readBundle } from '../../formats/clips/bundle.ts';
import { formatMotionNpz } from '../../formats/motion-npz-write.ts';

/** The result of splitting a bundle. */
export interface SplitBundle {
  readonly clips: readonly string[];
  /** clips that were left out, with the reason */
  readonly leftOut: readonly string[];
}

/** Whether an `.npz` file is a bundle of many clips. False for a file that cannot be read; its listing shows the
 *  error. */
export async function isBundleFile(file: string): Promise<boolean> {
  try {
    return isBundle(await clipFileType('npz').facts(file));
  } catch (error) {
    if (error instanceof StudioError) return false;
    throw error;
  }
}

/** Writes each clip of a bundle as `<clip>.npz` into the existing `folder`, with one clip in memory at a time. Clips
 *  with an invalid or taken name are left out, never renamed.
 *  @throws bad_input naming the bundle; disk_full */
export async function splitBundle(bundle: string, folder: string, taken: readonly string[]): Promise<SplitBundle> {
  const name = path.basename(bundle);
  const known = new Set(taken);
  const clips: string[] = [];
  const leftOut: string[] = [];
  try {
    for await (const { clip, motion } of readBundle(bundle)) {
      const problem = known.has(clip.name) ? 'is there already' : nameProblem('clip', clip.name);
      if (problem !== null) {
        leftOut.push(`${quoteName(clip.name)} ${problem}`);
        continue;
      }
      known.add(clip.name);
      clips.push(clip.name);
      // It is not known how a bundle's clips were made; the file records where they come from.
      const origin = JSON.stringify({ bundle: name, start: clip.start });
      writeAtomicSync(path.join(folder, `${clip.name}.npz`), formatMotionNpz(motion, origin));
    }
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'bad_input') throw error;
    throw new StudioError('bad_input', `${name}: ${error.message}`, { cause: error });
  }
  return { clips, leftOut };
}
