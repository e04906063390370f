import { messageOf, StudioError } from '../../core/errors.ts';
import { spanText } from '../../core/log/format-numbers.ts';
import { LineLimit } from '../../core/log/line-limit.ts';
import type { Logger, LogSource } from '../../core/logger.ts';
import type { TaskEnd } from '../busy-tasks.ts';

/** Maximum number of lines per minute for one kind of task: a script may load a clip per second. */
const LINES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

const SOURCES: Readonly<Record<string, LogSource>> = { select: 'robots', play: 'play' };

/** Logs one line for each slow action that ends: its result and duration, or why it failed. */
export class TaskStory {
  readonly #logger: Logger;
  readonly #limits = new Map<string, LineLimit>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  readonly ended = (end: TaskEnd): void => {
    const { kind, label, state, outcome, error } = end;
    const log = this.#logger.child(SOURCES[kind] ?? 'data');
    const took = spanText(end.seconds);
    if (state === 'superseded') log.debug(`${label}: superseded after ${took}`);
    else if (state === 'done' && outcome === null) log.debug(`${label}: done in ${took}`);
    else if (!this.#limit(kind, log).admit()) log.debug(`${label}: ${state} after ${took}`);
    else if (state === 'done') log.info(`${outcome}, in ${took}`);
    else if (!(error instanceof StudioError))
      log.error({ err: error }, `${label} failed because of a bug: ${messageOf(error)}`);
    else if (error.code === 'disk_full') log.error(`${label} failed: ${error.message}`);
    else log.warn(`${label} failed: ${error.message}`);
  };

  /** Logs a summary of the suppressed lines. */
  close(): void {
    for (const limit of this.#limits.values()) limit.flush();
  }

  #limit(kind: string, log: Logger): LineLimit {
    let limit = this.#limits.get(kind);
    if (!limit) {
      limit = new LineLimit({
        burst: LINES_PER_MINUTE,
        windowMs: MINUTE_MS,
        summarise: (held, seconds) => log.info(`and ${held} more tasks "${kind}" ended in the last ${seconds} s`),
      });
      this.#limits.set(kind, limit);
    }
    return limit;
  }
}
