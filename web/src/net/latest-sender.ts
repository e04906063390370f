/** Sends the newest value of each key, at most one request per key at a time. During a drag, values that the service
 *  cannot keep up with are skipped; the last value is always sent. */
export class LatestSender<K, V, R> {
  readonly #send: (key: K, value: V) => Promise<R>;
  readonly #done: (key: K, reply: R) => void;
  readonly #failed: (key: K, error: unknown) => void;
  readonly #waiting = new Map<K, V>();
  readonly #busy = new Set<K>();

  /** @param done called with a reply only if no newer value of its key is waiting */
  constructor(
    send: (key: K, value: V) => Promise<R>,
    done: (key: K, reply: R) => void,
    failed: (key: K, error: unknown) => void,
  ) {
    this.#send = send;
    this.#done = done;
    this.#failed = failed;
  }

  /** Returns whether a value of `key` is being sent or waits to be sent. Without `key`, returns this for any key. */
  pending(key?: K): boolean {
    if (key === undefined) return this.#busy.size > 0;
    return this.#busy.has(key);
  }

  push(key: K, value: V): void {
    this.#waiting.set(key, value);
    if (!this.#busy.has(key)) void this.#drain(key);
  }

  async #drain(key: K): Promise<void> {
    this.#busy.add(key);
    while (this.#waiting.has(key)) {
      const value = this.#waiting.get(key) as V;
      this.#waiting.delete(key);
      try {
        const reply = await this.#send(key, value);
        if (!this.#waiting.has(key)) {
          this.#busy.delete(key);
          this.#done(key, reply);
        }
      } catch (error) {
        if (!this.#waiting.has(key)) {
          this.#busy.delete(key);
          this.#failed(key, error);
        }
      }
    }
    this.#busy.delete(key);
  }
}
