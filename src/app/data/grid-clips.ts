import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { loadGrid } from '../../protocol/routes/preview.ts';
import type { LoadedClip } from '../../scene/clip-preview.ts';
import type { ClipFile, ClipLibrary } from './clip-library.ts';

/** Maximum and default number of clips of a grid. */
const MOST = 64;
/** Number of clips read at the same time. The other threads of the pool stay free for other work. */
const AT_ONCE = 4;
/** Maximum number of clips named in a message. */
const NAMED = 3;

/** A requested clip that cannot be shown. */
interface LeftOut {
  readonly clip: string;
  readonly reason: string;
}

interface FoundClip {
  readonly name: string;
  readonly file: ClipFile;
}

/** Clips of a grid with their files: in the order of the request, or in the order of the listing if the request names
 *  no clips. */
export interface FoundClips {
  readonly found: readonly FoundClip[];
  readonly leftOut: readonly LeftOut[];
}

/** Finds the clips of a grid: the named ones, or the first that match.
 *  @throws bad_input for an unknown name, or if no clip matches */
export async function findGridClips(library: ClipLibrary, body: BodyOf<typeof loadGrid>): Promise<FoundClips> {
  const { dataset, clips: named, q = '', count = MOST } = body;
  if (named) {
    if (named.length === 0)
      throw badInput('clips: name at least one clip, or omit the field to show the first clips of the dataset');
    if (q !== '') throw badInput('q: give either "clips" or "q"');
    const names = [...new Set(named)].slice(0, count);
    const found = await Promise.all(
      names.map(async (name) => ({ name, file: await library.resolve(dataset, name, 'auto').catch(inField) })),
    );
    return { found, leftOut: [] };
  }
  const { clips } = await library.clips({ dataset, q, page: 1, size: count });
  if (clips.length === 0)
    throw badInput(
      q === ''
        ? `dataset: "${dataset}" has no clips yet; upload or import some`
        : `q: no clip of dataset "${dataset}" matches ${JSON.stringify(q)}`,
    );
  const found: FoundClip[] = [];
  const leftOut: LeftOut[] = [];
  for (const { name } of clips) {
    try {
      found.push({ name, file: await library.resolve(dataset, name, 'auto') });
    } catch (error) {
      leftOut.push({ clip: name, reason: reasonOf(error) });
    }
  }
  return { found, leftOut };
}

/** Reads the clips of a grid and skips those that cannot be read.
 *  @param onRead called after each clip  @throws bad_input if none can be read */
export async function readGridClips(
  { found, leftOut }: FoundClips,
  read: (file: ClipFile) => Promise<ClipRows>,
  signal: AbortSignal,
  onRead: (done: number) => void,
): Promise<{ readonly clips: readonly LoadedClip[]; readonly note: string | null }> {
  const clips: (LoadedClip | null)[] = found.map(() => null);
  const failed = [...leftOut];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < found.length && !signal.aborted) {
      const index = next;
      next += 1;
      const { name, file } = found[index]!;
      try {
        clips[index] = { name, ...(await read(file)) };
      } catch (error) {
        failed.push({ clip: name, reason: reasonOf(error) });
      }
      done += 1;
      onRead(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const readable = clips.filter((clip) => clip !== null);
  const note = noteOf(failed);
  if (readable.length === 0 && !signal.aborted) throw badInput(`no clip of the grid can be read: ${note}`);
  return { clips: readable, note: note && `not shown in the grid: ${note}` };
}

/** Throws the error again, with the field name `clips` in place of `clip`. */
function inField(error: unknown): never {
  if (!(error instanceof StudioError)) throw error;
  throw new StudioError(error.code, error.message.replace(/^clip: /, 'clips: '), { cause: error });
}

/** Returns the message of an error for the user. @throws the error itself if it is not a StudioError, because then it
 *  is a bug */
function reasonOf(error: unknown): string {
  if (!(error instanceof StudioError)) throw error;
  return messageOf(error);
}

function noteOf(leftOut: readonly LeftOut[]): string | null {
  if (leftOut.length === 0) return null;
  const shown = leftOut.slice(0, NAMED).map(({ clip, reason }) => `${clip} (${reason})`);
  const more = leftOut.length - shown.length;
  return more > 0 ? `${shown.join('; ')}; and ${more} more` : shown.join('; ');
}
