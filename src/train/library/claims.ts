import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';

/** Divides work among processes that share a folder, also on several machines. A claim is a file whose modification
 *  time its process updates at intervals. A claim that is no longer updated is free again. Each process measures this
 *  time with its own clock, because the clocks of machines differ. If two processes take over the same claim, both do
 *  the same work. */
export class Claims {
  readonly #folder: string;
  readonly #lostAfterS: number;
  readonly #own = new Set<string>();
  /** last observed change of each claim of another process, and the time at which it was first seen */
  readonly #seen = new Map<string, { readonly mtimeMs: number; readonly atMs: number }>();
  readonly #timer: NodeJS.Timeout;

  /** @param lostAfterS time without a touch after which a claim is free */
  constructor(folder: string, lostAfterS: number) {
    this.#folder = folder;
    this.#lostAfterS = lostAfterS;
    this.#timer = setInterval(() => this.#touch(), (lostAfterS * 1e3) / 6);
    this.#timer.unref();
  }

  /** Claims a piece of work. @returns false if another process has claimed it */
  take(name: string): boolean {
    if (!this.isFree(name)) return false;
    const file = this.#file(name);
    rmSync(file, { force: true });
    try {
      closeSync(openSync(file, 'wx'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
    this.#own.add(name);
    return true;
  }

  /** Returns whether the claim can be taken because its process has ended. A claim is treated as valid until it has
   *  been observed for long enough. */
  isFree(name: string): boolean {
    const mtimeMs = statSync(this.#file(name), { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return true;
    const nowMs = performance.now();
    const seen = this.#seen.get(name);
    if (seen?.mtimeMs !== mtimeMs) this.#seen.set(name, { mtimeMs, atMs: nowMs });
    return seen?.mtimeMs === mtimeMs && nowMs - seen.atMs > this.#lostAfterS * 1e3;
  }

  /** Ends the claims of this process. */
  close(): void {
    clearInterval(this.#timer);
    for (const name of this.#own) rmSync(this.#file(name), { force: true });
  }

  #touch(): void {
    const now = new Date();
    for (const name of this.#own) {
      try {
        utimesSync(this.#file(name), now, now);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // another process took over the claim in the meantime
      }
    }
  }

  #file(name: string): string {
    return path.join(this.#folder, `${name}.claim`);
  }
}
