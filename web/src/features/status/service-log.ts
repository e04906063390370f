import { signal } from '@preact/signals';
import type { LogLine } from '../../../../src/protocol/schemas/log.ts';
import type { call } from '../../net/api.ts';
import { addLines, type LogEntry } from './log-lines.ts';

/** Lines that the page keeps. */
const KEPT = 10_000;
/** Lines that are fetched after connecting: all that the service keeps. */
const FETCHED = 1000;

/** The parts of the page that it uses. */
export interface ServiceLogDeps {
  readonly call: typeof call;
}

/** The log lines of the service, oldest first, and the count of errors that nobody has seen. */
export class ServiceLog {
  readonly #deps: ServiceLogDeps;

  /** What the service logged, oldest first, from before the page opened too. */
  readonly logEntries = signal<readonly LogEntry[]>([]);
  /** Errors since the log was last seen. */
  readonly unseenErrors = signal(0);
  #ids = 0;
  readonly #nextId = () => ++this.#ids;

  /** A line that was logged just now. */
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
