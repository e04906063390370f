import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf, StudioError } from '../core/errors.ts';
import { makeFolders } from '../core/files/make-folders.ts';
import { LockedError, type PidLock, takeLock } from '../core/files/pid-lock.ts';
import type { Logger } from '../core/logger.ts';

/** Interval of checking the folder, ms, so that its loss is logged even without requests. */
const CHECK_MS = 1000;
const GONE =
  "the workspace's folder is gone (moved, deleted or unmounted) and is not created again. Put it back in its place. If it was restored from a copy, restart the service.";

/** Holds a workspace for this process: keeps its lock, and detects when the folder is gone or replaced by another
 *  one. */
export class WorkspaceHold {
  readonly #root: string;
  readonly #file: string;
  readonly #logger: Logger;
  readonly #identity: Stats;
  readonly #timer: NodeJS.Timeout;
  #lock: PidLock;
  #renewing = false;
  #released = false;
  /** set when another process has taken the lock */
  #taken: StudioError | null = null;
  #wasGone = false;
  /** the last logged reason why the lock was not renewed; renewal is tried again every second */
  #renewProblem: string | null = null;

  private constructor(root: string, file: string, lock: PidLock, logger: Logger) {
    this.#root = root;
    this.#file = file;
    this.#lock = lock;
    this.#logger = logger;
    this.#identity = statSync(root);
    this.#timer = setInterval(() => this.problem(), CHECK_MS).unref();
  }

  /** @param root folder of the workspace; exists  @param own its folder `.studio`; exists
   *  @throws LockedError if another process holds the lock */
  static async take(root: string, own: string, logger: Logger): Promise<WorkspaceHold> {
    const file = path.join(own, 'lock');
    return new WorkspaceHold(root, file, await takeLock(file), logger);
  }

  /** Returns why nothing can be written now; null if the folder exists and this process holds its lock. Takes a few
   *  µs. */
  problem(): StudioError | null {
    const isThere = this.#isThere();
    if (isThere === this.#wasGone) this.#logChange(isThere);
    if (!isThere) return new StudioError('unavailable', GONE);
    // Renew the lock here, because all of .studio may be deleted at any time.
    if (!this.#lock.isHeld()) this.#renew();
    return this.#taken;
  }

  release(): void {
    this.#released = true;
    clearInterval(this.#timer);
    this.#lock.release();
  }

  #isThere(): boolean {
    try {
      const now = statSync(this.#root);
      return now.ino === this.#identity.ino && now.dev === this.#identity.dev;
    } catch {
      return false; // The folder or its disk is missing.
    }
  }

  #logChange(isThere: boolean): void {
    this.#wasGone = !isThere;
    if (isThere) this.#logger.info(`The workspace ${this.#root} is back`);
    else this.#logger.warn(`The workspace ${this.#root} cannot be used: ${GONE}`);
  }

  #renew(): void {
    if (this.#renewing || this.#released) return;
    this.#renewing = true;
    makeFolders(path.dirname(this.#file), 1)
      .then(() => takeLock(this.#file))
      .then(
        (lock) => {
          this.#lock.release();
          this.#lock = lock;
          this.#taken = null;
          this.#renewProblem = null;
          if (this.#released) lock.release();
        },
        (error: unknown) => {
          if (error instanceof LockedError)
            this.#taken = new StudioError('unavailable', `the workspace is ${error.message}: stop that service`);
          else this.#logRenewal(error);
        },
      )
      .finally(() => {
        this.#renewing = false;
      });
  }

  #logRenewal(error: unknown): void {
    const message = messageOf(error);
    // Compare the error code: messages contain the name of a temporary file, which differs each time.
    const problem = (error as NodeJS.ErrnoException).code ?? message;
    if (this.#renewProblem === problem) return;
    this.#renewProblem = problem;
    this.#logger.warn({ err: error }, `the workspace's lock was not renewed: ${message}`);
  }
}
