import { randomUUID } from 'node:crypto';

/** Position in a {@link ChangeLog}. */
export interface ChangeCursor {
  /** differs for another log, and after the log has forgotten removed values */
  readonly epoch: string;
  readonly version: number;
}

/** Maximum number of removed values to remember. If there are more, the log begins a new epoch. */
const MOST_REMOVED = 10_000;

/** Values by key, in the order of their last change. A reader can request the changes since its last visit. */
export class ChangeLog<T> {
  /** null: the value was removed */
  readonly #entries = new Map<string, { readonly version: number; readonly value: T | null }>();
  #epoch = randomUUID();
  #version = 0;
  #removed = 0;

  /** The position after the last change. */
  get cursor(): ChangeCursor {
    return { epoch: this.#epoch, version: this.#version };
  }

  get(key: string): T | null {
    return this.#entries.get(key)?.value ?? null;
  }

  /** Sets or removes a value. @param value null removes it */
  set(key: string, value: T | null): void {
    const before = this.#entries.get(key);
    if (value === null && before?.value == null) return;
    if (before?.value === null) this.#removed -= 1;
    this.#version += 1;
    this.#entries.delete(key);
    this.#entries.set(key, { version: this.#version, value });
    if (value !== null) return;
    this.#removed += 1;
    if (this.#removed <= MOST_REMOVED) return;
    this.#epoch = randomUUID();
    this.#removed = 0;
    for (const [gone, entry] of this.#entries) if (entry.value === null) this.#entries.delete(gone);
  }

  /** Iterates over the present values, in the order of their last change. */
  *values(): Generator<T> {
    for (const { value } of this.#entries.values()) if (value !== null) yield value;
  }

  /** Returns the changes after a position, the earliest first; null for removed values.
   *  @param since null, or a position of another epoch: all values
   *  @param most maximum number of changes
   *  @returns `anew`: the changes are the whole content, so the reader drops all other values */
  since(since: ChangeCursor | null, most = Number.POSITIVE_INFINITY): Changes<T> {
    const anew = since?.epoch !== this.#epoch;
    const from = anew ? 0 : since.version;
    const changes: (readonly [string, T | null])[] = [];
    let version = from;
    if (from < this.#version)
      for (const [key, entry] of this.#entries) {
        if (entry.version <= from || (anew && entry.value === null)) continue;
        if (changes.length >= most) return { cursor: { epoch: this.#epoch, version }, anew, changes, more: true };
        changes.push([key, entry.value]);
        version = entry.version;
      }
    return { cursor: this.cursor, anew, changes, more: false };
  }
}

export interface Changes<T> {
  /** the position after these changes */
  readonly cursor: ChangeCursor;
  readonly anew: boolean;
  readonly changes: readonly (readonly [key: string, value: T | null])[];
  /** true: there are further changes */
  readonly more: boolean;
}
