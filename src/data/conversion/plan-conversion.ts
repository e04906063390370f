import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { orMeant } from '../../core/nearest.ts';
import { type ClipEntry, isConverted } from '../listing/clip-entries.ts';
import { MIRROR_ENDING, mirroredFrom } from './mirror-name.ts';

/** Which clips of a dataset are to be converted, and into what. */
export interface ConversionRequest {
  readonly which: 'missing' | 'all' | 'selected';
  /** for `selected` */
  readonly clips: readonly string[];
  /** whether each clip's mirror image is made too */
  readonly mirror: boolean;
  /** whether repairs are requested: then a converted clip without a source is converted again from itself */
  readonly repairs: boolean;
}

/** A file that a conversion makes. */
export interface ConversionOutput {
  readonly path: string;
  readonly mirrored: boolean;
  /** It was not asked for: it is only made where the file that is there was made the same way. */
  readonly refresh: boolean;
}

/** One clip to convert. */
export interface ClipConversion {
  readonly clip: string;
  readonly source: { readonly path: string; readonly format: string; readonly raw: boolean };
  /** what is made of it */
  readonly outputs: readonly ConversionOutput[];
  /** what the log says of it beside its result */
  readonly notes: readonly string[];
}

export interface ConversionPlan {
  readonly conversions: readonly ClipConversion[];
  /** clips that cannot be converted, and why */
  readonly refused: readonly { readonly clip: string; readonly error: string }[];
}

/** Names compared for "did you mean". */
const MAX_HINTS = 2000;
/** Where the untouched file of a converted clip without a source is kept, once it is repaired. */
export const ORIGINALS = 'original';

/** Plans a conversion by what is on disk.
 *  @param npzFolder where converted clips of the dataset go
 *  @throws bad_input for a request that names no clip, or one that the dataset does not have */
export function planConversion(
  entries: readonly ClipEntry[],
  npzFolder: string,
  request: ConversionRequest,
): ConversionPlan {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const conversions: ClipConversion[] = [];
  const refused: { clip: string; error: string }[] = [];
  for (const entry of chosen(entries, byName, request)) {
    const clip = entry.name;
    if (entry.error !== null) {
      refused.push({ clip, error: entry.error });
      continue;
    }
    const source = sourceOf(entry, request.repairs);
    if (!source) {
      const error = 'it has no raw file to convert; without one, only repairs can be applied';
      refused.push({ clip, error });
      continue;
    }
    const notes: string[] = [];
    const outputs: ConversionOutput[] = [];
    const wanted = request.which !== 'missing' || !isConverted(entry);
    const image = byName.get(clip + MIRROR_ENDING);
    if (wanted) outputs.push({ path: path.join(npzFolder, `${clip}.npz`), mirrored: false, refresh: false });
    // An image that is there is kept up to date with its clip.
    if (request.mirror || (image?.npz && !image.raw && entry.raw)) {
      const problem = mirrorProblem(clip, byName);
      if (problem === null) {
        if (wanted || !image || !isConverted(image))
          outputs.push({
            path: path.join(npzFolder, `${clip}${MIRROR_ENDING}.npz`),
            mirrored: true,
            refresh: !request.mirror,
          });
      } else notes.push(problem);
    }
    if (outputs.length > 0) conversions.push({ clip, source, outputs, notes });
  }
  return { conversions, refused };
}

function chosen(
  entries: readonly ClipEntry[],
  byName: ReadonlyMap<string, ClipEntry>,
  { which, clips }: ConversionRequest,
): readonly ClipEntry[] {
  if (which !== 'selected') {
    if (clips.length > 0) throw badInput('clips: names clips, so "which" must be "selected"');
    return entries.filter((entry) => entry.raw !== null);
  }
  if (clips.length === 0) throw badInput('clips: must name the clips to convert when "which" is "selected"');
  return [...new Set(clips)].map((name) => {
    const entry = byName.get(name);
    if (entry) return entry;
    const names = entries.slice(0, MAX_HINTS).map((other) => other.name);
    const hint = orMeant(name, names);
    throw badInput(`clips: the dataset has no clip ${quoteName(name)}${hint}`);
  });
}

function sourceOf(entry: ClipEntry, repairs: boolean): ClipConversion['source'] | null {
  if (entry.raw) return { path: entry.raw.path, format: entry.raw.format.id, raw: true };
  if (entry.npz && repairs) return { path: entry.npz.path, format: entry.npz.format.id, raw: false };
  return null;
}

/** Why no mirror image is made of a clip. */
function mirrorProblem(clip: string, byName: ReadonlyMap<string, ClipEntry>): string | null {
  if (byName.get(clip + MIRROR_ENDING)?.raw) return `not mirrored: there is a raw ${clip}${MIRROR_ENDING}`;
  const name = mirroredFrom(clip);
  const base = name === null ? undefined : byName.get(name);
  return base?.raw ? `not mirrored: it is the mirror image of ${base.name}` : null;
}
