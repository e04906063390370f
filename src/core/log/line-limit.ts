export interface LineLimitOptions {
  /** maximum number of lines written per window, including the summary of the previous window */
  readonly burst: number;
  /** length of a window, ms */
  readonly windowMs: number;
  /** Writes one line that summarises the suppressed lines. @param held number of these lines @param seconds length of
   *  their window */
  readonly summarise: (held: number, seconds: number) => void;
}

/** Keeps one kind of log line from flooding the log. Passes up to `burst` lines per window and counts the others. One
 *  line summarises the others at the end of the window; it counts as the first line of the next window. */
export class LineLimit {
  readonly #options: LineLimitOptions;
  /** texts written in this window, at most `burst` */
  readonly #texts = new Set<string>();
  #written = 0;
  #held = 0;
  #began = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LineLimitOptions) {
    this.#options = options;
  }

  /** Counts one line. @param text of the line; lines with the same text are written once per window
   *  @returns true to write the line now; false if it becomes part of the next summary */
  admit(text?: string): boolean {
    if (this.#timer === null) this.#open(0);
    const isNews = text === undefined || !this.#texts.has(text);
    if (!isNews || this.#written >= this.#options.burst) {
      this.#held += 1;
      return false;
    }
    this.#written += 1;
    if (text !== undefined) this.#texts.add(text);
    return true;
  }

  /** Ends the window now and summarises the suppressed lines. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#summarise();
  }

  #open(written: number): void {
    this.#texts.clear();
    this.#written = written;
    this.#held = 0;
    this.#began = performance.now();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // The summary counts as the first line of the next window.
      if (this.#summarise()) this.#open(1);
    }, this.#options.windowMs);
    this.#timer.unref();
  }

  #summarise(): boolean {
    const held = this.#held;
    this.#held = 0;
    if (held === 0) return false;
    this.#options.summarise(held, Math.max(1, Math.round((performance.now() - this.#began) / 1e3)));
    return true;
  }
}
