export interface LineLimitOptions {
  /** lines of a window that are written one by one; the summary of the window before counts as one of them */
  readonly burst: number;
  /** length of a window, ms */
  readonly windowMs: number;
  /** Writes one line for the lines that were held back. @param seconds length of the window they fell into */
  readonly summarise: (held: number, seconds: number) => void;
}

/** Keeps a kind of line from flooding the log: lets `burst` lines a window through and counts the rest, which one line
 *  sums up when the window ends. However many events come, the log gets at most `burst` lines a window. */
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

  /** Counts one line. @param text lines of the same text are written once a window
   *  @returns whether to write it now; false: it is part of the next summary */
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

  /** Ends the window: what was held back is summed up now. */
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
      // The summary is a line of the window that begins with it.
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
