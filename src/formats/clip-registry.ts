import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../core/errors.ts';
import { READ_FLAGS, refuseUnreadable } from '../core/files/bounded-file.ts';
import { gmrPickleFacts, parseGmrPickle } from './clips/gmr-pickle.ts';
import { csvFacts } from './csv/csv-facts.ts';
import { parseClipCsv } from './csv.ts';
import { npzClipFacts, readNpzClip } from './motion-npz.ts';
import { withPickleFile } from './pickle/pickle-file.ts';
import type { RawClip } from './raw-clip.ts';

export type ClipFormatId = 'csv' | 'pkl' | 'npz';

/** What a clip's file says of itself without being read whole. */
export interface ClipFileFacts {
  readonly frames: number;
  /** 7 + number of joints */
  readonly columns: number;
  /** null where the file does not say */
  readonly fps: number | null;
  /** clips in a bundle of many (`readBundle`); absent or 0 where the file is one clip */
  readonly segments?: number;
  /** where it is seen without reading numbers: that some of them are not finite, and where the first is */
  readonly notFinite?: string | null;
}

/** Whether a file holds many clips, one after the other, to be taken apart before anything plays them. */
export function isBundle(facts: ClipFileFacts): boolean {
  return (facts.segments ?? 0) > 0;
}

/** A kind of file that holds one motion clip, known by its ending. */
export interface ClipFormat {
  readonly id: ClipFormatId;
  /** lower case, with the dot */
  readonly ending: string;
  /** a source that conversion reads, not its result */
  readonly raw: boolean;
  /** Whether a file that is new may be complete, judged by its last `TAIL_BYTES` or fewer. */
  mayBeWhole(tail: Uint8Array): boolean;
  /** @throws bad_input naming the file and what to do */
  facts(file: string): Promise<ClipFileFacts>;
  /** Blocks the thread for raw files, which are read whole.
   *  @param onContent hears the bytes of a raw file; they are others once it has returned
   *  @throws bad_input naming the file and what to do */
  read(file: string, onContent?: (content: Uint8Array) => void): Promise<RawClip>;
}

export const TAIL_BYTES = 22;
/** Two hours at 500 frames a second are about 1.2 GB of CSV; a clip is minutes. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** Larger files get memory of their own. */
const KEPT_BYTES = 16 * 1024 * 1024;
const LEAST_KEPT_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
const PICKLE_STOP = 0x2e;
const ZIP_END = [0x50, 0x4b, 0x05, 0x06] as const;

const csv: ClipFormat = {
  id: 'csv',
  ending: '.csv',
  raw: true,
  mayBeWhole: (tail) => tail.at(-1) === NEWLINE,
  facts: (file) =>
    named(file, async () => {
      const { frames, columns, notFinite } = await csvFacts(file);
      const where = `${path.basename(file)}: line ${notFinite} holds nan or inf, not a finite number; repair or remove it`;
      return { frames, columns, fps: null, notFinite: notFinite === undefined ? null : where };
    }),
  read: (file, onContent) => named(file, async () => parseClipCsv(readWhole(file, onContent))),
};

const pkl: ClipFormat = {
  id: 'pkl',
  ending: '.pkl',
  raw: true,
  mayBeWhole: (tail) => tail.at(-1) === PICKLE_STOP,
  facts: (file) =>
    named(file, async () => {
      const { frames, columns, fps } = withPickleFile(file, gmrPickleFacts);
      return { frames, columns, fps };
    }),
  read: (file, onContent) => named(file, async () => parseGmrPickle(readWhole(file, onContent))),
};

const npz: ClipFormat = {
  id: 'npz',
  ending: '.npz',
  raw: false,
  mayBeWhole: (tail) => ZIP_END.every((byte, index) => tail[tail.length - TAIL_BYTES + index] === byte),
  facts: (file) => named(file, () => npzClipFacts(file)),
  read: (file) => named(file, () => readNpzClip(file)),
};

/** Every format that clips come in. */
export const CLIP_FORMATS: readonly ClipFormat[] = [csv, pkl, npz];

/** The format of a file by its ending, upper or lower case; null for what is no clip. */
export function clipFormatOf(fileName: string): ClipFormat | null {
  const ending = path.extname(fileName).toLowerCase();
  return CLIP_FORMATS.find((format) => format.ending === ending) ?? null;
}

/** @throws bad_input for a format that does not exist */
export function clipFormat(id: string): ClipFormat {
  const format = CLIP_FORMATS.find((known) => known.id === id);
  if (!format) throw badInput(`"${id}" is no clip format; known are ${CLIP_FORMATS.map(({ id }) => id).join(', ')}`);
  return format;
}

/** Of one file after the other: fresh memory costs as much as reading into it. */
let kept: Uint8Array = new Uint8Array(0);

/** All bytes of a file, up to the next file's. */
function readWhole(file: string, onContent?: (content: Uint8Array) => void): Uint8Array {
  const descriptor = openSync(file, READ_FLAGS);
  try {
    const stats = fstatSync(descriptor);
    refuseUnreadable(stats);
    const { size } = stats;
    if (size > MAX_BYTES) throw badInput('the file is larger than 1 GiB; cut the clip into shorter ones');
    const memory = memoryOf(size);
    let bytes = 0;
    while (bytes < size) {
      const read = readSync(descriptor, memory, bytes, size - bytes, null);
      if (read === 0) break;
      bytes += read;
    }
    const content = memory.subarray(0, bytes);
    onContent?.(content);
    return content;
  } finally {
    closeSync(descriptor);
  }
}

function memoryOf(bytes: number): Uint8Array {
  if (bytes > KEPT_BYTES) return new Uint8Array(bytes);
  if (bytes > kept.length) kept = new Uint8Array(Math.max(LEAST_KEPT_BYTES, bytes));
  return kept;
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
