import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '../../core/files/read-regular-file.ts';

/** Progress of a training or evaluation, from its console output. */
export interface TrainingProgress {
  /** iterations or episodes done since the start of this log */
  readonly step: number;
  readonly steps: number;
}

const PIECE_BYTES = 1 << 20;
/** A log up to this size, bytes, is read completely at the first read. */
const WHOLE_BYTES = 8 << 20;
/** The first iteration is searched up to this position of a larger log, bytes. */
const SEARCHED_BYTES = 256 << 20;
/** Longer lines are not lines of a trainer and are skipped. */
const MAX_LINE = 16_384;
// biome-ignore lint/suspicious/noControlCharactersInRegex: consoles are coloured by escape sequences
const COLOURS = /\u001b\[[0-9;]*m/g;

const FOLDER = /Logging experiment in directory: (.+?)\s*$/;
const DIFF = /Storing git diff for '.*' in: (.+)\/git\/[^/]+\.diff\s*$/;
/** Maximum number of folders kept. A trainer prints one, and a few diffs in the same folder. */
const MAX_FOLDERS = 8;

/** Follows the console log of rsl_rl, or of this service's trainer, which prints the same lines: ` Learning iteration
 *  12/300 `, `Mean reward: 1.23`, `[INFO] Logging experiment in directory: …`. Also follows the log of an evaluation:
 *  `[INFO] Evaluated 12/300 episodes`. Each call reads only the new text.
 *
 *  Isaac Lab prints only the folder of the experiment. Its run is known once rsl_rl prints `Storing git diff for '…'
 *  in: <run>/git/….diff`.
 *
 *  A resumed training continues the iteration numbers of its run, so progress counts from the first iteration of this
 *  log. */
export class TrainingLog {
  readonly #file: string;
  #position = 0;
  #rest = '';
  #first: number | null = null;
  #iteration: number | null = null;
  #total = 0;
  readonly #folders = new Set<string>();
  #meanReward: number | null = null;
  #meanEpisodeLength: number | null = null;
  #grewAtMs: number;

  constructor(file: string, nowMs = Date.now()) {
    this.#file = file;
    this.#grewAtMs = nowMs;
  }

  /** Time of the last output, ms since 1970. */
  get grewAtMs(): number {
    return this.#grewAtMs;
  }

  /** Reads the new text. @returns null before the first iteration */
  async read(nowMs = Date.now()): Promise<TrainingProgress | null> {
    const handle = await openRegularFile(this.#file).catch(() => null);
    if (handle) {
      try {
        const { size, mtimeMs } = await handle.stat();
        if (size !== this.#position) this.#grewAtMs = Math.min(nowMs, mtimeMs);
        if (size < this.#position) this.#skipTo(0); // The log was emptied, for example by a tool that rotates logs.
        if (this.#position === 0 && size > WHOLE_BYTES) {
          // For a large log, the first read covers only the part up to the first iteration, and the end, which contains
          // the current iteration.
          const end = size - PIECE_BYTES;
          const last = Math.min(end, SEARCHED_BYTES);
          for (let to = 0; this.#first === null && to < last; ) {
            to = Math.min(last, to + PIECE_BYTES);
            await this.#readTo(handle, to);
          }
          this.#skipTo(end);
        }
        await this.#readTo(handle, size);
      } finally {
        await handle.close();
      }
    }
    if (this.#iteration === null || this.#first === null) return null;
    return {
      step: this.#iteration - this.#first,
      steps: Math.max(1, this.#total - this.#first),
    };
  }

  /** The latest values; null for a value that was not printed yet. */
  get figures(): { readonly meanReward: number | null; readonly meanEpisodeLength: number | null } {
    return { meanReward: this.#meanReward, meanEpisodeLength: this.#meanEpisodeLength };
  }

  /** Folders that may be the run's, in the order in which the trainer printed them. */
  get folders(): Iterable<string> {
    return this.#folders;
  }

  /** Continues to read at another position, without the line that was read in part. */
  #skipTo(position: number): void {
    if (position === this.#position) return;
    this.#position = position;
    this.#rest = '';
  }

  async #readTo(handle: FileHandle, end: number): Promise<void> {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(1, end - this.#position)));
    while (this.#position < end) {
      const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, end - this.#position), this.#position);
      if (bytesRead === 0) break;
      this.#position += bytesRead;
      this.#take(piece.toString('latin1', 0, bytesRead));
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) if (line.length <= MAX_LINE) this.#line(line.replace(COLOURS, ''));
  }

  #line(line: string): void {
    const iteration = /Learning iteration (\d+)\/(\d+)/.exec(line);
    if (iteration) {
      // Trainers print this line after the iteration.
      this.#first ??= Number(iteration[1]);
      this.#iteration = Number(iteration[1]) + 1;
      this.#total = Number(iteration[2]);
      return;
    }
    const episodes = /^\[INFO\] Evaluated (\d+)\/(\d+) episodes$/.exec(line);
    if (episodes) {
      this.#first = 0;
      this.#iteration = Number(episodes[1]);
      this.#total = Number(episodes[2]);
      return;
    }
    const folder = FOLDER.exec(line) ?? DIFF.exec(line);
    if (folder && this.#folders.size < MAX_FOLDERS)
      this.#folders.add(Buffer.from(folder[1]!, 'latin1').toString('utf8'));
    const figure = /^\s*Mean (reward|episode length): (\S+)/.exec(line);
    if (figure?.[1] === 'reward') this.#meanReward = toNumber(figure[2]!);
    else if (figure) this.#meanEpisodeLength = toNumber(figure[2]!);
  }
}

/** Converts a number as Python prints it, including `nan` and `inf`. */
function toNumber(text: string): number {
  if (/^-?nan$/i.test(text)) return Number.NaN;
  return /^-?inf/i.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);
}
