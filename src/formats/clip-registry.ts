import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../core/errors.ts';
import { CLIP_ENDINGS, type ClipEnding, clipEndingOf } from '../protocol/clip-endings.ts';
import {
  type ClipFileFacts,
  type ClipFormat,
  formatOf,
  type ReadClip,
  type ReadOptions,
  withOptions,
} from './clip-format.ts';
import { GMR_PICKLE } from './clips/gmr-pickle.ts';
import { JOINTS_CSV } from './clips/joints-csv.ts';
import { QPOS_NPZ } from './clips/qpos-npz.ts';
import { MOTION_NPZ } from './motion-npz.ts';
import { type NpzClipFormat, openNpzClip } from './npz-clip.ts';
import { withPickleFile } from './pickle/pickle-file.ts';
import type { PickleValue } from './pickle/pickle-values.ts';
import { readPickle } from './pickle/read-pickle.ts';
import { WholeFile } from './whole-file.ts';

/** Formats by ending. Of each list the first that recognises a file reads it, the last one any other file. */
const CSV_FORMATS: readonly ClipFormat<WholeFile>[] = [JOINTS_CSV];
const PICKLE_FORMATS: readonly ClipFormat<PickleValue>[] = [GMR_PICKLE];
const NPZ_FORMATS: readonly NpzClipFormat[] = [QPOS_NPZ, MOTION_NPZ];

/** Whether a file holds many clips, one after the other, to be taken apart before anything plays them. */
export function isBundle(facts: ClipFileFacts): boolean {
  return (facts.segments ?? 0) > 0;
}

/** Files of one ending, and how their clips are read, whichever format of the ending they have. */
export interface ClipFileType {
  /** the ending without its dot */
  readonly id: string;
  readonly ending: ClipEnding;
  /** a source that conversion reads, not its result */
  readonly raw: boolean;
  /** Returns false for a new file that cannot be complete, judged by its last `TAIL_BYTES` or fewer. */
  mayBeWhole(tail: Uint8Array): boolean;
  /** Blocks the thread for pickles. @throws bad_input naming the file and what to do */
  facts(file: string): Promise<ClipFileFacts>;
  /** Blocks the thread for raw files, which are read whole.
   *  @param onContent gets the bytes of a raw file; their memory is reused once it has returned
   *  @throws bad_input naming the file and what to do */
  read(file: string, options?: ReadOptions, onContent?: (content: Uint8Array) => void): Promise<ReadClip>;
}

export const TAIL_BYTES = 22;
const NEWLINE = 0x0a;
const PICKLE_STOP = 0x2e;
const ZIP_END = [0x50, 0x4b, 0x05, 0x06] as const;

/** `.csv`. @param formats told apart by their first bytes */
export function csvFiles(formats: readonly ClipFormat<WholeFile>[] = CSV_FORMATS): ClipFileType {
  return {
    id: 'csv',
    ending: '.csv',
    raw: true,
    mayBeWhole: (tail) => tail.at(-1) === NEWLINE,
    facts: (file) =>
      named(file, async () => {
        const content = new WholeFile(file);
        return formatOf(formats, content).facts(content);
      }),
    read: (file, options = {}, onContent) =>
      named(file, async () => {
        const content = new WholeFile(file, onContent);
        return withOptions(await formatOf(formats, content).read(content), options);
      }),
  };
}

/** `.pkl`. @param formats told apart by the keys of the pickled dict */
function pickleFiles(formats: readonly ClipFormat<PickleValue>[] = PICKLE_FORMATS): ClipFileType {
  return {
    id: 'pkl',
    ending: '.pkl',
    raw: true,
    mayBeWhole: (tail) => tail.at(-1) === PICKLE_STOP,
    facts: (file) =>
      named(file, async () =>
        withPickleFile(file, (parts) => {
          const pickle = readPickle(parts);
          return formatOf(formats, pickle).facts(pickle);
        }),
      ),
    read: (file, options = {}, onContent) =>
      named(file, async () => {
        const pickle = readPickle(new WholeFile(file, onContent).bytes());
        return withOptions(await formatOf(formats, pickle).read(pickle), options);
      }),
  };
}

/** `.npz`. @param formats told apart by names and shapes of arrays */
function npzFiles(formats: readonly NpzClipFormat[] = NPZ_FORMATS): ClipFileType {
  return {
    id: 'npz',
    ending: '.npz',
    raw: false,
    mayBeWhole: (tail) => ZIP_END.every((byte, index) => tail[tail.length - TAIL_BYTES + index] === byte),
    facts: (file) =>
      named(file, async () => {
        const npz = await openNpzClip(file, formats);
        return formatOf(formats, npz).facts(npz);
      }),
    read: (file, options = {}) =>
      named(file, async () => {
        const npz = await openNpzClip(file, formats);
        return withOptions(await formatOf(formats, npz).read(npz), options);
      }),
  };
}

const BY_ENDING: Readonly<Record<ClipEnding, ClipFileType>> = {
  '.csv': csvFiles(),
  '.pkl': pickleFiles(),
  '.npz': npzFiles(),
};

/** Every type of file that clips come in. */
export const CLIP_FILE_TYPES: readonly ClipFileType[] = CLIP_ENDINGS.map((ending) => BY_ENDING[ending]);

/** The type of a file by its ending, upper or lower case; null for any other file. */
export function clipFileTypeOf(fileName: string): ClipFileType | null {
  const ending = clipEndingOf(path.basename(fileName));
  return ending && BY_ENDING[ending];
}

/** @param id the ending without its dot  @throws bad_input for a type that does not exist */
export function clipFileType(id: string): ClipFileType {
  const type = CLIP_FILE_TYPES.find((known) => known.id === id);
  if (!type)
    throw badInput(`"${id}" is not a clip format; known are ${CLIP_FILE_TYPES.map(({ id }) => id).join(', ')}`);
  return type;
}

/** Puts the file's name before what is wrong with it, and says what the system found in words. */
async function named<T>(file: string, read: () => Promise<T>): Promise<T> {
  const name = path.basename(file);
  try {
    return await read();
  } catch (error) {
    if (error instanceof StudioError) throw new StudioError(error.code, `${name}: ${error.message}`, { cause: error });
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const text = code === 'ENOENT' && (await isLink(file)) ? SYSTEM_TEXT['ELOOP'] : SYSTEM_TEXT[code];
    throw text === undefined ? error : new StudioError('bad_input', `${name}: ${text}`, { cause: error });
  }
}

async function isLink(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => null); // gone by now
  return stats?.isSymbolicLink() === true;
}

const SYSTEM_TEXT: Readonly<Record<string, string>> = {
  ENOENT: 'the file is not there any more',
  EACCES: 'the service is not allowed to read the file',
  EPERM: 'the service is not allowed to read the file',
  EISDIR: 'is a folder, not a file',
  ELOOP: 'the file is a link that leads nowhere',
};
