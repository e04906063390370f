import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../core/errors.ts';
import { CLIP_ENDINGS, type ClipEnding, clipEndingOf } from '../protocol/clip-endings.ts';
import type { ReadOptions } from '../protocol/schemas/reading.ts';
import { type ClipFileFacts, type ClipFormat, formatOf, type ReadClip, withOptions } from './clip-format.ts';
import { GMR_PICKLE } from './clips/gmr-pickle.ts';
import { JOINTS_CSV } from './clips/joints-csv.ts';
import { QPOS_NPZ } from './clips/qpos-npz.ts';
import { MOTION_NPZ } from './motion-npz.ts';
import { type NpzClipFormat, openNpzClip } from './npz-clip.ts';
import { withPickleFile } from './pickle/pickle-file.ts';
import type { PickleValue } from './pickle/pickle-values.ts';
import { readPickle } from './pickle/read-pickle.ts';
import { WholeFile } from './whole-file.ts';

/** Formats by ending. The first format that recognises a file reads it; the last one of a list reads all other
 *  files. */
const CSV_FORMATS: readonly ClipFormat<WholeFile>[] = [JOINTS_CSV];
const PICKLE_FORMATS: readonly ClipFormat<PickleValue>[] = [GMR_PICKLE];
const NPZ_FORMATS: readonly NpzClipFormat[] = [QPOS_NPZ, MOTION_NPZ];

/** Returns true if the file holds several clips in sequence, which must be split before they can be played. */
export function isBundle(facts: ClipFileFacts): boolean {
  return (facts.segments ?? 0) > 0;
}

/** A clip file type: all files of one ending, whichever format of that ending they have. */
export interface ClipFileType {
  /** the ending without its dot */
  readonly id: string;
  readonly ending: ClipEnding;
  /** true for a source of conversion, false for a converted clip */
  readonly raw: boolean;
  /** Returns false if a new file cannot be complete yet, judged by its last `TAIL_BYTES` bytes (or fewer). */
  mayBeWhole(tail: Uint8Array): boolean;
  /** Reads only the facts. Blocks the thread for pickles. @throws bad_input naming the file and the remedy */
  facts(file: string): Promise<ClipFileFacts>;
  /** Reads the clip. Blocks the thread for raw files, because they are read whole.
   *  @param onContent receives the bytes of a raw file; their memory is reused after it returns
   *  @throws bad_input naming the file and the remedy */
  read(file: string, options?: ReadOptions, onContent?: (content: Uint8Array) => void): Promise<ReadClip>;
}

export const TAIL_BYTES = 22;
const NEWLINE = 0x0a;
const PICKLE_STOP = 0x2e;
const ZIP_END = [0x50, 0x4b, 0x05, 0x06] as const;

/** Creates the type for `.csv`. @param formats are distinguished by the content of the file */
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

/** Creates the type for `.pkl`. @param formats are distinguished by the keys of the pickled dict */
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

/** Creates the type for `.npz`. @param formats are distinguished by the names and shapes of the arrays */
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

/** All clip file types. */
export const CLIP_FILE_TYPES: readonly ClipFileType[] = CLIP_ENDINGS.map((ending) => BY_ENDING[ending]);

/** Returns the type for the ending of a file name, in upper or lower case; null for any other ending. */
export function clipFileTypeOf(fileName: string): ClipFileType | null {
  const ending = clipEndingOf(path.basename(fileName));
  return ending && BY_ENDING[ending];
}

/** Returns the type with this id. @param id the ending without its dot  @throws bad_input for an unknown type */
export function clipFileType(id: string): ClipFileType {
  const type = CLIP_FILE_TYPES.find((known) => known.id === id);
  if (!type)
    throw badInput(`"${id}" is not a clip format; known are ${CLIP_FILE_TYPES.map(({ id }) => id).join(', ')}`);
  return type;
}

/** Prefixes errors with the name of the file, and translates codes of system errors into text. */
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
  const stats = await lstat(file).catch(() => null); // the file has been removed meanwhile
  return stats?.isSymbolicLink() === true;
}

const SYSTEM_TEXT: Readonly<Record<string, string>> = {
  ENOENT: 'the file is not there any more',
  EACCES: 'the service is not allowed to read the file',
  EPERM: 'the service is not allowed to read the file',
  EISDIR: 'is a folder, not a file',
  ELOOP: 'the file is a link that leads nowhere',
};
