import { signal } from '@preact/signals';
import type { LogLine } from '../../../../src/protocol/schemas/log.ts';
import type { call } from '../../net/api.ts';
import { addLines, type LogEntry } from './log-lines.ts';

/** Maximum number of lines that the page keeps. */
const KEPT = 10_000;
/** Number of lines fetched after connecting: all that the service keeps. */
const FETCHED = 1000;

/** Dependencies of ServiceLog. */
export interface ServiceLogDeps {
  readonly call: typeof call;
}

/** The log of the service, and the number of errors that the user has not seen. */
export class ServiceLog {
  readonly #deps: ServiceLogDeps;

  /** Log lines, oldest first, including lines from before the page opened. */
  readonly logEntries = signal<readonly LogEntry[]>([]);
  /** Number of errors since the log was last viewed. */
  readonly unseenErrors = signal(0);
  #ids = 0;
  readonly #nextId = () => ++this.#ids;

  /** Adds a new line. */
  readonly takeLog = (line: LogLine): void => {
    this.logEntries.value = addLines(this.logEntries.peek(), [line], this.#nextId, KEPT);
    if (line.level === 'error') this.unseenErrors.value = this.unseenErrors.peek() + 1;
  };

  /** Fetches the lines that the page missed. */
  readonly refreshLog = async (): Promise<void> => {
    const { lines } = await this.#deps.call('GET /api/log', { query: { tail: FETCHED } });
    this.logEntries.value = addLines(this.logEntries.peek(), lines, this.#nextId, KEPT);
  };

  constructor(deps: ServiceLogDeps) {
    this.#deps = deps;
  }
}
