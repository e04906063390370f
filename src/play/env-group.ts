import type { PlayCommand } from './plan.ts';
import type { PlayShard } from './play-shard.ts';

/** The threads of a session, seen as one group: they advance in lock step, one advance at a time. */
export interface EnvGroup {
  /** Takes control steps in all environments, then draws them into picture 0 or 1. Settles when all threads have
   *  finished. */
  advance(steps: number, picture: number): Promise<void>;
  /** Applies a change before the next advance. */
  apply(command: PlayCommand): void;
  /** Releases the threads. */
  close(): void;
}

/** A group whose shards run in this thread. */
export class LocalGroup implements EnvGroup {
  readonly #shards: readonly PlayShard[];

  constructor(shards: readonly PlayShard[]) {
    this.#shards = shards;
  }

  async advance(steps: number, picture: number): Promise<void> {
    for (const shard of this.#shards) shard.advance(steps, picture);
  }

  apply(command: PlayCommand): void {
    for (const shard of this.#shards) shard.apply(command);
  }

  close(): void {
    for (const shard of this.#shards) shard.delete();
  }
}
