import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { isRemoved } from '../../core/files/removed.ts';
import { readEvents } from '../../formats/event-file/read-events.ts';
import { countsSeconds } from './tag-group.ts';

/** Number of bytes read so far from each event file of a run, by file name. */
export type ReadPositions = Readonly<Record<string, number>>;

/** Points of one tag, in the order of the files. */
export interface TagPoints {
  readonly tag: string;
  readonly steps: Float64Array;
  readonly values: Float32Array;
}

export interface NewScalars {
  /** the end of what was read */
  readonly positions: ReadPositions;
  readonly tags: readonly TagPoints[];
  /** whether the read ended at its limit. If so, read again from `positions`. */
  readonly more: boolean;
  /** one message per damaged file; the rest of that file is not read */
  readonly damage: readonly string[];
}

const PIECE_BYTES = 4 << 20;
/** Maximum number of curves per run. A training writes some tens. */
export const MAX_TAGS = 4096;
/** Number of values after which a read ends, 3 MiB. They are added to the curves on the main thread, which may take a
 *  few milliseconds. */
const MAX_VALUES = 1 << 18;
/** Maximum size of a record, bytes. A larger record does not contain scalars. */
const MAX_PIECE_BYTES = 64 << 20;

/** Lists the event files of a run, oldest first. Their names contain their time of creation. A resumed training writes
 *  a new file. Hidden files are incomplete copies: rsync renames them when they are complete. */
async function eventFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isRemoved(error)) return [];
    throw error;
  });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.includes('tfevents') && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Reads scalars that were appended to the event files of a run folder after `positions`. Ends early, after the piece
 *  of 4 MiB (or the larger record) that reaches `maxValues`, so memory is limited. Returns an empty result if the
 *  folder was removed.
 *  @param maxValues at least 1
 *  @throws NodeJS.ErrnoException for a folder that cannot be read */
export async function readNewScalars(
  folder: string,
  positions: ReadPositions,
  maxValues = MAX_VALUES,
): Promise<NewScalars> {
  const next: Record<string, number> = {};
  const damage: string[] = [];
  const points = new Map<string, GrowingPoints>();
  let total = 0;
  let beyond = 0;
  const visit = (tag: string, step: number, value: number) => {
    let known = points.get(tag);
    if (!known) {
      if (countsSeconds(tag)) return;
      if (points.size === MAX_TAGS) {
        beyond += 1;
        return;
      }
      known = new GrowingPoints();
      points.set(tag, known);
    }
    total += 1;
    known.add(step, value);
  };
  const isFull = () => total >= maxValues;
  for (const name of await eventFiles(folder)) {
    const from = Object.hasOwn(positions, name) ? positions[name]! : 0;
    if (isFull()) {
      next[name] = from;
      continue;
    }
    const read = await readFrom(path.join(folder, name), from, visit, isFull);
    next[name] = read.position;
    if (read.damage !== null) damage.push(`${name}: ${read.damage}`);
  }
  if (beyond > 0) damage.push(`more than ${MAX_TAGS} curves: ${beyond} values were ignored`);
  const tags = [...points].map(([tag, growing]) => ({ tag, ...growing.points }));
  return { positions: next, tags, more: isFull(), damage };
}

/** The growing list of points of one curve, in memory outside the JS heap. */
class GrowingPoints {
  #steps = new Float64Array(64);
  #values = new Float32Array(64);
  #length = 0;

  add(step: number, value: number): void {
    if (this.#length === this.#steps.length) {
      const [steps, values] = [this.#steps, this.#values];
      this.#steps = new Float64Array(2 * steps.length);
      this.#values = new Float32Array(2 * steps.length);
      this.#steps.set(steps);
      this.#values.set(values);
    }
    this.#steps[this.#length] = step;
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** Returns copies, trimmed to their length. */
  get points(): { steps: Float64Array; values: Float32Array } {
    return { steps: this.#steps.slice(0, this.#length), values: this.#values.slice(0, this.#length) };
  }
}

/** Reads a file from the byte `from` on, until its end or until `isFull`, which is called after each piece. */
async function readFrom(
  file: string,
  from: number,
  visit: (tag: string, step: number, value: number) => void,
  isFull: () => boolean,
): Promise<{ position: number; damage: string | null }> {
  const handle = await open(file, READ_FLAGS);
  try {
    const { size } = await handle.stat();
    let position = from;
    let pieceBytes = PIECE_BYTES;
    while (position < size && !isFull()) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - position));
      const { bytesRead } = await handle.read(piece, 0, piece.length, position);
      const { consumed, damage } = readEvents(piece.subarray(0, bytesRead), visit);
      position += consumed;
      if (damage !== null) return { position, damage };
      if (consumed > 0) pieceBytes = PIECE_BYTES;
      else if (bytesRead < pieceBytes || pieceBytes >= MAX_PIECE_BYTES) break;
      else pieceBytes *= 4;
    }
    return { position, damage: null };
  } finally {
    await handle.close();
  }
}
