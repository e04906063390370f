import { bytesText, countText, namesText } from '../../core/log/format-numbers.ts';
import { LineLimit } from '../../core/log/line-limit.ts';
import type { Logger } from '../../core/logger.ts';

/** Maximum number of log lines per minute for uploads, and the same for deletions. Clips are added and deleted by the
 *  thousand. */
const LINES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

interface Received {
  readonly bytes: number;
  /** number of clips in the file */
  readonly clips: number;
  readonly leftOut: readonly string[];
}

/** Logs a line for each clip that is uploaded or deleted. Above the limit, lines are replaced by a summary. */
export class ClipStory {
  readonly #logger: Logger;
  readonly #uploads: LineLimit;
  readonly #deletions: LineLimit;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#uploads = this.#limit('uploaded');
    this.#deletions = this.#limit('deleted');
  }

  uploaded(dataset: string, file: string, { bytes, clips, leftOut }: Received): void {
    const left = leftOut.length === 0 ? '' : `; skipped: ${namesText(leftOut)}`;
    const made = clips === 1 ? '' : `, ${countText(clips, 'clip')}`;
    const text = `${file} uploaded into ${dataset}: ${bytesText(bytes)}${made}${left}`;
    if (!this.#uploads.admit()) this.#logger.debug(text);
    else if (left === '') this.#logger.info(text);
    else this.#logger.warn(text);
  }

  deleted(dataset: string, clip: string): void {
    const text = `Clip ${clip} of ${dataset} deleted`;
    if (this.#deletions.admit()) this.#logger.info(text);
    else this.#logger.debug(text);
  }

  /** Logs a summary of the suppressed lines. */
  close(): void {
    this.#uploads.flush();
    this.#deletions.flush();
  }

  #limit(what: string): LineLimit {
    return new LineLimit({
      burst: LINES_PER_MINUTE,
      windowMs: MINUTE_MS,
      summarise: (held, seconds) =>
        this.#logger.info(`and ${countText(held, 'more clip', 'more clips')} ${what} in the last ${seconds} s`),
    });
  }
}
