import type { PlayCommand, PlayEvent, PlayShape } from './plan.ts';

/** The environments of one thread of a session. */
export interface EnvShard {
  /** properties of the session: one entry for all environments, or one for each policy of a comparison */
  readonly shapes: readonly PlayShape[];
  /** Takes control steps, then draws all environments. @param picture index of the buffer to draw into, 0 or 1 */
  advance(steps: number, picture: number): void;
  /** Applies a change to the environments of this thread. */
  apply(command: PlayCommand): void;
  /** Returns the events of recorded environments since the last call. */
  takeEvents(): PlayEvent[];
  delete(): void;
}

/** The threads of a session, seen as one group: they advance in lock step, one advance at a time. */
export interface EnvGroup {
  /** Takes control steps in all environments, then draws them into picture buffer 0 or 1. Settles when all threads have
   *  finished. */
  advance(steps: number, picture: number): Promise<void>;
  /** Applies a change to the environments before the next advance. */
  apply(command: PlayCommand): void;
  /** Ends the use of the threads. */
  close(): void;
}

/** A group whose shards run in this thread. */
export class LocalGroup implements EnvGroup {
  readonly #shards: readonly EnvShard[];

  constructor(shards: readonly EnvShard[]) {
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
