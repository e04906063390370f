import { computed, type Signal, signal } from '@preact/signals';

interface Versions<T> {
  readonly past: readonly T[];
  readonly now: T;
  /** undone values; the first is the next to redo */
  readonly next: readonly T[];
}

/** A value with undo and redo. */
export class EditHistory<T> {
  readonly #versions: Signal<Versions<T>>;
  readonly now = computed(() => this.#versions.value.now);
  readonly canUndo = computed(() => this.#versions.value.past.length > 0);
  readonly canRedo = computed(() => this.#versions.value.next.length > 0);

  constructor(first: T) {
    this.#versions = signal<Versions<T>>({ past: [], now: first, next: [] });
  }

  /** Sets a new value; `undo` restores the previous one. */
  push(value: T): void {
    const { past, now } = this.#versions.peek();
    this.#versions.value = { past: [...past, now], now: value, next: [] };
  }

  undo(): void {
    const { past, now, next } = this.#versions.peek();
    const [before] = past.slice(-1);
    if (before !== undefined) this.#versions.value = { past: past.slice(0, -1), now: before, next: [now, ...next] };
  }

  redo(): void {
    const { past, now, next } = this.#versions.peek();
    const [after, ...rest] = next;
    if (after !== undefined) this.#versions.value = { past: [...past, now], now: after, next: rest };
  }
}
