import { countText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import type { RobotEntry } from '../../robots/robot-registry.ts';
import { BUILTIN } from '../../robots/robot-source.ts';

interface Known {
  /** key of the compiled robot; null before it is compiled */
  readonly key: string | null;
  readonly error: string | null;
  /** whether the robot was in the workspace when the service started */
  readonly old: boolean;
}

/** Logs a line when a robot is saved or deleted by a request, and when its files appear, disappear, change or fail to
 *  load. */
export class RobotStory {
  readonly #logger: Logger;
  readonly #find: (id: string) => RobotEntry | null;
  readonly #known = new Map<string, Known>();
  /** robots that a running request saves or deletes; the request logs its own line */
  readonly #requested = new Set<string>();
  #started = false;

  /** @param find returns the entry of a robot, null for a deleted robot */
  constructor(logger: Logger, find: (id: string) => RobotEntry | null) {
    this.#logger = logger;
    this.#find = find;
  }

  /** Marks the end of the first listing: robots that appear later are new. */
  started(): void {
    this.#started = true;
  }

  /** Logs that a robot was added, removed or compiled. */
  changed(id: string): void {
    const entry = this.#find(id);
    const before = this.#known.get(id);
    const quiet = this.#requested.has(id);
    if (!entry) {
      this.#known.delete(id);
      if (before && !quiet) this.#logger.info(`Robot ${id} was removed from the workspace`);
      return;
    }
    const key = entry.prepared?.key ?? null;
    const { error } = entry;
    const old = before?.old ?? !this.#started;
    this.#known.set(id, { key, error, old });
    if (quiet) return;
    if (error !== null && error !== before?.error) this.#logger.warn(`Robot ${id} does not load: ${error}`);
    if (error !== null || key === null || key === before?.key) return;
    const joints = countText(entry.prepared!.facts.joints.length, 'joint');
    if (before?.error) this.#logger.info(`Robot ${id} loads again: ${joints}`);
    else if (before?.key) this.#logger.info(`Robot ${id} changed on disk and was compiled again: ${joints}`);
    else if (!old && id !== BUILTIN.id) this.#logger.info(`Robot ${id} appeared in the workspace: ${joints}`);
    else this.#logger.debug(`Robot ${id} is ready: ${joints}`);
  }

  /** Runs a request that saves or deletes a robot, and logs its result. */
  async request<T>(id: string, done: 'saved' | 'deleted', work: () => Promise<T>): Promise<T> {
    const replaces = done === 'saved' && this.#find(id) !== null && id !== BUILTIN.id;
    this.#requested.add(id);
    try {
      const result = await work();
      const joints = this.#find(id)?.prepared?.facts.joints.length;
      const what =
        joints === undefined
          ? ''
          : `: ${countText(joints, 'joint')}${replaces ? ', replaces the previous version' : ''}`;
      this.#logger.info(`Robot ${id} ${done}${what}`);
      return result;
    } finally {
      this.#requested.delete(id);
    }
  }
}
