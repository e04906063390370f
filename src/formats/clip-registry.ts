import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../core/errors.ts';
import {
  CLIP_ENDINGS,
  type ClipEnding,
  clipEndingOf,
  HUMAN_ENDINGS,
  type HumanEnding,
  humanEndingOf,
  humanFileText,
} from '../protocol/clip-endings.ts';
import type { ReadOptions } from '../protocol/schemas/reading.ts';
import {
  type ClipFileFacts,
  type ClipFormat,
  formatOf,
  type NamedClip,
  type ReadClip,
  withOptions,
} from './clip-format.ts';
import { GMR_PICKLE } from './clips/gmr-pickle.ts';
import { BVH_TEXT, POSELIB_NPY, SMPL_NPZ, SMPL_PICKLE } from './clips/human-motion.ts';
import { JOINTS_CSV, SEED_CSV } from './clips/joints-csv.ts';
import { MIMICKIT_PICKLE } from './clips/mimickit-pickle.ts';
import { MOTION_LIB_PICKLE } from './clips/motion-lib-pickle.ts';
import { PHUMA_NPY } from './clips/phuma-npy.ts';
import { MOTION_FILE, PROTO_MOTION } from './clips/proto-motion.ts';
import { HOLOSOMA_NPZ, QPOS_NPZ } from './clips/qpos-npz.ts';
import { MOTION_NPZ } from './motion-npz.ts';
import { type NpzClipFormat, openNpzClip } from './npz-clip.ts';
import { readPickledObject } from './pickle/pickle-container.ts';
import { withPickleFile } from './pickle/pickle-file.ts';
import type { PickleValue } from './pickle/pickle-values.ts';
import { readTorch, type TorchFile } from './torch/read-torch.ts';
import { WholeFile } from './whole-file.ts';

/** Formats by ending. The first format that recognises a file reads it. The last format of each list reads all other
 *  files. */
const CSV_FORMATS: readonly ClipFormat<WholeFile>[] = [BVH_TEXT, SEED_CSV, JOINTS_CSV];
const PICKLE_FORMATS: readonly ClipFormat<PickleValue>[] = [
  MOTION_LIB_PICKLE,
  MIMICKIT_PICKLE,
  PHUMA_NPY,
  SMPL_PICKLE,
  POSELIB_NPY,
  GMR_PICKLE,
];
const TORCH_FORMATS: readonly ClipFormat<TorchFile>[] = [PROTO_MOTION];
const NPZ_FORMATS: readonly NpzClipFormat[] = [SMPL_NPZ, QPOS_NPZ, HOLOSOMA_NPZ, MOTION_NPZ];
/** Formats of `.npz` files that must be converted before training. */
const NPZ_SOURCES: readonly NpzClipFormat[] = [QPOS_NPZ, HOLOSOMA_NPZ];

/** Returns true if the file contains several clips, which must be split before they can be played. */
export function isBundle(facts: ClipFileFacts): boolean {
  return (facts.segments ?? 0) > 0;
}

/** A type of clip files: all files with one ending, in any of the formats with this ending. */
export interface ClipFileType {
  /** the file name ending without its dot */
  readonly id: string;
  readonly ending: ClipEnding | HumanEnding;
  /** true for source clips, false for converted clips */
  readonly raw: boolean;
  /** true for files of human skeletons: they cannot be read, but are listed with advice on what to do */
  readonly refused?: boolean;
  /** Returns false if a new file cannot be complete yet, judged by its last `TAIL_BYTES` bytes (or fewer). */
  mayBeWhole(tail: Uint8Array): boolean;
  /** Reads only the facts. Blocks the thread for pickles. @throws bad_input naming the file and the remedy */
  facts(file: string): Promise<ClipFileFacts>;
  /** Reads the clip. Blocks the thread for raw files, because they are read as a whole.
   *  @param onContent receives the bytes of a raw file; their memory is reused afterwards
   *  @throws bad_input naming the file and the remedy */
  read(file: string, options?: ReadOptions, onContent?: (content: Uint8Array) => void): Promise<ReadClip>;
  /** Reads the clips of a bundle of raw clips; returns none if the file's format has no bundles.
   *  @throws bad_input naming the file or the clip */
  parts?(file: string): Promise<Iterable<NamedClip>>;
}

export const TAIL_BYTES = 22;
const NEWLINE = 0x0a;
const PICKLE_STOP = 0x2e;
const ZIP_END = [0x50, 0x4b, 0x05, 0x06] as const;

/** Creates the type for `.csv`. @param formats tried in order on the content of the file */
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
        content.bytes(); // read everything first, so that reading the head does not access the file again
        return withOptions(await formatOf(formats, content).read(content), options);
      }),
  };
}

/** Creates the type for `.pkl` or `.npy`. Both endings allow all pickle formats, which are distinguished by the keys
 *  of the pickled dict. */
function pickleFiles(ending: '.pkl' | '.npy'): ClipFileType {
  const read = (file: string, onContent?: (content: Uint8Array) => void) =>
    readPickledObject(new WholeFile(file, onContent).bytes());
  return {
    id: ending.slice(1),
    ending,
    raw: true,
    // A compressed pickle may end with any byte. It is considered complete if it has not changed for a second.
    mayBeWhole: (tail) => tail.at(-1) === PICKLE_STOP,
    facts: (file) =>
      named(file, async () =>
        withPickleFile(file, (source) => {
          const pickle = readPickledObject(source);
          return formatOf(PICKLE_FORMATS, pickle).facts(pickle);
        }),
      ),
    read: (file, options = {}, onContent) =>
      named(file, async () => {
        const pickle = read(file, onContent);
        return withOptions(await formatOf(PICKLE_FORMATS, pickle).read(pickle), options);
      }),
    parts: (file) =>
      named(file, async () => {
        const pickle = read(file);
        return formatOf(PICKLE_FORMATS, pickle).parts?.(pickle) ?? [];
      }),
  };
}

/** Creates the type for `.motion`. @param formats distinguished by the keys of the saved dict */
function torchFiles(formats: readonly ClipFormat<TorchFile>[] = TORCH_FORMATS): ClipFileType {
  return {
    id: 'motion',
    ending: '.motion',
    raw: true,
    mayBeWhole: endsLikeZip,
    facts: (file) =>
      named(file, async () => {
        const saved = await readTorch(file, MOTION_FILE);
        return formatOf(formats, saved).facts(saved);
      }),
    read: (file, options = {}, onContent) =>
      named(file, async () => {
        if (onContent) new WholeFile(file, onContent).bytes();
        const saved = await readTorch(file, MOTION_FILE);
        return withOptions(await formatOf(formats, saved).read(saved), options);
      }),
  };
}

/** Creates the type for `.npz`. @param formats distinguished by the names and shapes of the arrays */
function npzFiles(formats: readonly NpzClipFormat[] = NPZ_FORMATS): ClipFileType {
  return {
    id: 'npz',
    ending: '.npz',
    raw: false,
    mayBeWhole: endsLikeZip,
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

/** Returns true if the bytes end like a zip file without a comment. */
function endsLikeZip(tail: Uint8Array): boolean {
  return ZIP_END.every((byte, index) => tail[tail.length - TAIL_BYTES + index] === byte);
}

/** The type of `.npz` files among source clips. They are read like any `.npz` and converted like other source clips. */
const NPZ_SOURCE: ClipFileType = {
  ...npzFiles(),
  id: 'npz-source',
  raw: true,
  read: (file, options = {}, onContent) =>
    named(file, async () => {
      const content = new WholeFile(file, onContent).bytes().slice();
      const npz = await openNpzClip(content, NPZ_FORMATS);
      return withOptions(await formatOf(NPZ_FORMATS, npz).read(npz), options);
    }),
};

/** Returns true if an `.npz` file has a format that must be converted, and so belongs to the source clips. Returns
 *  false for a file that cannot be read; the listing shows the error of such a file. */
export async function isNpzSource(file: string): Promise<boolean> {
  try {
    return await named(file, async () => {
      const npz = await openNpzClip(file, NPZ_SOURCES);
      return NPZ_SOURCES.some((format) => format.sniff(npz));
    });
  } catch (error) {
    if (error instanceof StudioError) return false;
    throw error;
  }
}

const BY_ENDING: Readonly<Record<ClipEnding, ClipFileType>> = {
  '.csv': csvFiles(),
  '.pkl': pickleFiles('.pkl'),
  '.npy': pickleFiles('.npy'),
  '.motion': torchFiles(),
  '.npz': npzFiles(),
};

/** All types of clip files. */
export const CLIP_FILE_TYPES: readonly ClipFileType[] = CLIP_ENDINGS.map((ending) => BY_ENDING[ending]);

const HUMAN_TYPES: ReadonlyMap<string, ClipFileType> = new Map(
  HUMAN_ENDINGS.map((ending) => [ending, humanFiles(ending)]),
);

/** Creates the type for files of human skeletons with this ending. */
function humanFiles(ending: HumanEnding): ClipFileType {
  const refuse = (file: string) =>
    named(file, async (): Promise<never> => {
      throw badInput(humanFileText(ending));
    });
  return { id: ending.slice(1), ending, raw: true, refused: true, mayBeWhole: () => true, facts: refuse, read: refuse };
}

/** Returns the type for the ending of a file name, in upper or lower case; null for an unknown ending. */
export function clipFileTypeOf(fileName: string): ClipFileType | null {
  const name = path.basename(fileName);
  const ending = clipEndingOf(name);
  if (ending) return BY_ENDING[ending];
  const human = humanEndingOf(name);
  return human && HUMAN_TYPES.get(human)!;
}

/** Returns the type of a file among source clips. There, `.npz` is also a source type. Returns null for an unknown
 *  ending. */
export function sourceTypeOf(fileName: string): ClipFileType | null {
  const type = clipFileTypeOf(fileName);
  return type && (type.raw ? type : NPZ_SOURCE);
}

/** Returns the type with this id. @param id the ending without its dot  @throws bad_input for an unknown type */
export function clipFileType(id: string): ClipFileType {
  const type = [...CLIP_FILE_TYPES, NPZ_SOURCE].find((known) => known.id === id) ?? HUMAN_TYPES.get(`.${id}`);
  if (!type)
    throw badInput(`"${id}" is not a clip format. Known formats: ${CLIP_FILE_TYPES.map(({ id }) => id).join(', ')}`);
  return type;
}

/** Adds the file name to errors, and translates codes of system errors into text. */
async function named<T>(file: string, read: () => Promise<T>): Promise<T> {
  const name = path.basename(file);
  try {
    return await read();
  } catch (error) {
    if (error instanceof StudioError) {
      const text = (await isLfsPointer(file)) ? LFS_TEXT : error.message;
      throw new StudioError(error.code, `${name}: ${text}`, { cause: error });
    }
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const text = code === 'ENOENT' && (await isLink(file)) ? SYSTEM_TEXT['ELOOP'] : SYSTEM_TEXT[code];
    throw text === undefined ? error : new StudioError('bad_input', `${name}: ${text}`, { cause: error });
  }
}

const LFS_TEXT =
  'the file is a pointer of git-lfs, not the motion itself: fetch it with "git lfs pull", then upload it again';
const LFS_HEAD = 'version https://git-lfs.github.com/spec/';
/** A pointer has about 130 bytes. */
const LFS_MOST_BYTES = 1024;

/** Returns true if a file is a git-lfs pointer, which contains only the address of the real file. */
async function isLfsPointer(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => null);
  if (!stats?.isFile() || stats.size > LFS_MOST_BYTES) return false;
  const text = await readFile(file, 'latin1').catch(() => '');
  return text.startsWith(LFS_HEAD);
}

async function isLink(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => null); // null if the file has been removed in the meantime
  return stats?.isSymbolicLink() === true;
}

const SYSTEM_TEXT: Readonly<Record<string, string>> = {
  ENOENT: 'the file no longer exists',
  EACCES: 'the service is not allowed to read the file',
  EPERM: 'the service is not allowed to read the file',
  EISDIR: 'is a folder, not a file',
  ELOOP: 'the file is a link to a missing target',
};
