import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { orMeant } from '../../core/nearest.ts';
import { type ClipEntry, isConverted } from '../listing/clip-entries.ts';
import { MIRROR_ENDING, mirroredFrom, mirrorNameProblem } from './mirror-name.ts';

/** The clips of a dataset to convert, and the requested results. */
export interface ConversionRequest {
  readonly which: 'missing' | 'all' | 'selected';
  /** names of the clips, for `which: selected` */
  readonly clips: readonly string[];
  /** whether to make the mirror image of each clip as well */
  readonly mirror: boolean;
  /** whether repairs are requested; a converted clip without a source is then converted again from its own npz */
  readonly repairs: boolean;
}

/** A file that a conversion makes. */
export interface ConversionOutput {
  readonly path: string;
  readonly mirrored: boolean;
  /** True for a mirror image that was not requested: it is made only if the existing file is a mirror image too. */
  readonly refresh: boolean;
}

/** One clip to convert. */
export interface ClipConversion {
  readonly clip: string;
  readonly source: { readonly path: string; readonly format: string; readonly raw: boolean; readonly bytes: number };
  /** files to make */
  readonly outputs: readonly ConversionOutput[];
  /** notes for the log, in addition to the result */
  readonly notes: readonly string[];
}

/** What is known of the converted clips without a raw file. */
export interface OtherRates {
  /** names of those whose frame rate is not the requested one */
  readonly clips: ReadonlySet<string>;
  /** why files cannot be read, by clip */
  readonly unreadable: ReadonlyMap<string, string>;
}

export interface ConversionPlan {
  readonly conversions: readonly ClipConversion[];
  /** clips that cannot be converted, with the reason */
  readonly refused: readonly { readonly clip: string; readonly error: string }[];
}

const NO_SOURCE =
  'it has no raw file, so it is converted only for another output_fps or for a repair. A mirror image is converted with its clip.';
/** Maximum number of names compared for "did you mean". */
const MAX_HINTS = 2000;
/** When a converted clip without a source is converted, its original is kept in this folder. */
export const ORIGINALS = 'original';

/** Plans a conversion from the files on disk. A converted clip without a raw file is converted from its own npz, if it
 *  will be repaired or has another frame rate; its original is kept.
 *  @param npzFolder folder for the converted clips of the dataset
 *  @param own the rates of the clips without a raw file
 *  @throws bad_input for a request that names no clip, or names a clip that the dataset does not have */
export function planConversion(
  entries: readonly ClipEntry[],
  npzFolder: string,
  request: ConversionRequest,
  own: OtherRates,
): ConversionPlan {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const conversions: ClipConversion[] = [];
  const refused: { clip: string; error: string }[] = [];
  for (const entry of chosen(entries, byName, request, own)) {
    const clip = entry.name;
    if (entry.error !== null) {
      refused.push({ clip, error: entry.error });
      continue;
    }
    const source = sourceOf(entry, request.repairs || own.clips.has(clip));
    if (!source) {
      refused.push({ clip, error: own.unreadable.get(clip) ?? NO_SOURCE });
      continue;
    }
    const notes: string[] = [];
    const outputs: ConversionOutput[] = [];
    const wanted = request.which !== 'missing' || !isConverted(entry);
    const image = byName.get(clip + MIRROR_ENDING);
    if (wanted) outputs.push({ path: path.join(npzFolder, `${clip}.npz`), mirrored: false, refresh: false });
    // An existing mirror image is kept up to date with its clip.
    if (request.mirror || (image?.npz && !image.raw)) {
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
  // A mirror image that is made anew is not converted from its own rows as well.
  const images = new Set(
    conversions.flatMap(({ outputs }) => outputs.flatMap((made) => (made.mirrored && !made.refresh ? made.path : []))),
  );
  const once = conversions.filter(({ source, outputs }) => source.raw || !images.has(outputs[0]!.path));
  return { conversions: once, refused };
}

function chosen(
  entries: readonly ClipEntry[],
  byName: ReadonlyMap<string, ClipEntry>,
  { which, clips }: ConversionRequest,
  own: OtherRates,
): readonly ClipEntry[] {
  if (which !== 'selected') {
    if (clips.length > 0) throw badInput('clips: names clips, so "which" must be "selected"');
    return entries.filter((entry) => entry.raw !== null || own.clips.has(entry.name));
  }
  if (clips.length === 0)
    throw badInput('clips: must name the clips to convert when "which" is "selected", or give "q"');
  return [...new Set(clips)].map((name) => {
    const entry = byName.get(name);
    if (entry) return entry;
    const names = entries.slice(0, MAX_HINTS).map((other) => other.name);
    const hint = orMeant(name, names);
    throw badInput(`clips: the dataset has no clip ${quoteName(name)}${hint}`);
  });
}

/** @param own whether a clip without a raw file is converted from its npz */
function sourceOf(entry: ClipEntry, own: boolean): ClipConversion['source'] | null {
  if (entry.raw) return { path: entry.raw.path, format: entry.raw.format.id, raw: true, bytes: entry.raw.bytes };
  if (entry.npz && own)
    return { path: entry.npz.path, format: entry.npz.format.id, raw: false, bytes: entry.npz.bytes };
  return null;
}

/** Returns why a clip cannot be mirrored; null if it can. */
function mirrorProblem(clip: string, byName: ReadonlyMap<string, ClipEntry>): string | null {
  const problem = mirrorNameProblem(clip);
  if (problem !== null) return `not mirrored, because the name ${clip}${MIRROR_ENDING} ${problem}`;
  if (byName.get(clip + MIRROR_ENDING)?.raw) return `not mirrored, because a raw clip ${clip}${MIRROR_ENDING} exists`;
  const name = mirroredFrom(clip);
  const base = name === null ? undefined : byName.get(name);
  return base ? `not mirrored, because it is the mirror image of ${base.name}` : null;
}
