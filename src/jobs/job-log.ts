import { type FileHandle, open } from 'node:fs/promises';
import { fileError } from '../core/files/atomic-file.ts';

const MAX_LINE = 8192;
/** Limit of the text that waits for the disk, UTF-16 units. Further lines are dropped and counted. */
const MAX_WAITING = 1 << 20;

/** The log of a job that this process runs. Appends lines to a file without waiting for the disk. */
export class JobLog {
  readonly #file: string;
  readonly #onError: (error: unknown) => void;
  #handle: FileHandle | null = null;
  #waiting = '';
  #leftOut = 0;
  #writing: Promise<void> | null = null;
  #broken = false;

  /** @param onError called once if the log cannot be written; logging then ends, the job continues */
  constructor(file: string, onError: (error: unknown) => void) {
    this.#file = file;
    this.#onError = onError;
  }

  /** Appends a line. A text with line breaks becomes several lines. */
  line(text: string): void {
    if (this.#broken) return;
    if (this.#waiting.length > MAX_WAITING) {
      this.#leftOut += 1;
      return;
    }
    const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
    this.#waiting += `${cut}\n`;
    this.#writing ??= this.#write();
  }

  /** Settles when all previous lines are in the file. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    const handle = this.#handle;
    this.#handle = null;
    this.#broken = true;
    await handle?.close();
  }

  /** Never rejects. */
  async #write(): Promise<void> {
    try {
      this.#handle ??= await open(this.#file, 'a');
      while (this.#waiting !== '' || this.#leftOut > 0) {
        const left = this.#leftOut > 0 ? `… ${this.#leftOut} lines skipped, because the disk was too slow\n` : '';
        const bytes = Buffer.from(this.#waiting + left);
        this.#waiting = '';
        this.#leftOut = 0;
        for (let done = 0; done < bytes.length; ) done += (await this.#handle.write(bytes, done)).bytesWritten;
      }
    } catch (error) {
      this.#broken = true;
      this.#waiting = '';
      this.#onError(fileError(error));
    } finally {
      this.#writing = null;
    }
  }
}
