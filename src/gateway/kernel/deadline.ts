/** Calls `expire` once, `seconds` after `start`, unless it is stopped earlier. */
export class Deadline {
  readonly #ms: number;
  readonly #expire: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(seconds: number, expire: () => void) {
    this.#ms = seconds * 1e3;
    this.#expire = expire;
  }

  start(): void {
    this.#timer ??= setTimeout(this.#expire, this.#ms);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
