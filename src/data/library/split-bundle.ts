import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { writeAtomicSync } from '../../core/files/atomic-file.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { type ClipFileType, clipFileTypeOf, isBundle } from '../../formats/clip-registry.ts';
import { readBundle } from '../../formats/clips/bundle.ts';
import { formatGmrPickle } from '../../formats/clips/gmr-pickle-write.ts';
import { formatMotionNpz } from '../../formats/motion-npz-write.ts';

/** The result of splitting a bundle. */
export interface SplitBundle {
  readonly clips: readonly string[];
  /** ending of the written files, one per clip: `.npz` for converted clips, `.pkl` for raw clips */
  readonly ending: '.npz' | '.pkl';
  /** the skipped clips, with the reasons */
  readonly leftOut: readonly string[];
}

/** Returns true if a file is a bundle of many clips. Returns false for a file that cannot be read; the listing shows
 *  the error of such a file. */
export async function isBundleFile(file: string): Promise<boolean> {
  try {
    const type = clipFileTypeOf(file);
    return type !== null && isBundle(await type.facts(file));
  } catch (error) {
    if (error instanceof StudioError) return false;
    throw error;
  }
}

/** Writes each clip of a bundle to a separate file in the existing `folder`: `<clip>.npz` for converted clips,
 *  `<clip>.pkl` in the format of GMR for raw clips. Clips with an invalid or taken name are skipped and never
 *  renamed.
 *  @throws bad_input naming the bundle; disk_full */
export async function splitBundle(bundle: string, folder: string, taken: readonly string[]): Promise<SplitBundle> {
  const name = path.basename(bundle);
  const type = clipFileTypeOf(bundle);
  if (!type) throw badInput(`${name}: is not a clip`);
  const ending = type.raw ? '.pkl' : '.npz';
  const known = new Set(taken);
  const clips: string[] = [];
  const leftOut: string[] = [];
  try {
    for await (const part of partsOf(type, bundle)) {
      const problem = known.has(part.name) ? 'already exists' : nameProblem('clip', part.name);
      if (problem !== null) {
        leftOut.push(`${quoteName(part.name)} ${problem}`);
        continue;
      }
      known.add(part.name);
      clips.push(part.name);
      writeAtomicSync(path.join(folder, `${part.name}${ending}`), part.content());
    }
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'bad_input' || error.message.startsWith(`${name}: `))
      throw error;
    throw new StudioError('bad_input', `${name}: ${error.message}`, { cause: error });
  }
  return { clips, ending, leftOut };
}

interface Part {
  readonly name: string;
  content(): readonly Uint8Array[];
}

/** Reads the clips of a bundle. Keeps only one converted clip in memory at a time. */
async function* partsOf(type: ClipFileType, bundle: string): AsyncGenerator<Part> {
  if (type.parts) {
    for (const { name, clip } of await type.parts(bundle)) yield { name, content: () => formatGmrPickle(clip) };
    return;
  }
  for await (const { clip, motion } of readBundle(bundle)) {
    // The bundle does not record how its clips were made. Record in the file which bundle the clip comes from.
    const origin = JSON.stringify({ bundle: path.basename(bundle), start: clip.start });
    yield { name: clip.name, content: () => formatMotionNpz(motion, origin) };
  }
}
