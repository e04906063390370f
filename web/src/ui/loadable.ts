import { type Signal, signal } from '@preact/signals';
import { messageOf } from './message-of.ts';

/** A fetched value. The last good value stays during a new fetch and after a failed one. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly loading: boolean;
  readonly error: string | null;
}

/** A value fetched from the service that can be refreshed. */
export class Loadable<T> {
  readonly state: Signal<Loaded<T>> = signal({ value: null, loading: false, error: null });
  readonly #fetch: () => Promise<T>;
  #running: Promise<void> | null = null;
  #again = false;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  get value(): T | null {
    return this.state.value.value;
  }

  /** Fetches the value again. Calls during a fetch share one further fetch, so the result is not older than any of the
   *  calls. */
  refresh(): Promise<void> {
    if (this.#running !== null) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  set(value: T): void {
    this.state.value = { value, loading: false, error: null };
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      this.state.value = { ...this.state.peek(), loading: true };
      try {
        this.set(await this.#fetch());
      } catch (error) {
        this.state.value = { value: this.state.peek().value, loading: false, error: messageOf(error) };
      }
    } while (this.#again);
  }
}
