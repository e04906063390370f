import { signal } from '@preact/signals';
import type { LogLine } from '../../../../src/protocol/schemas/log.ts';
import { call } from '../../net/api.ts';
import { addLines, type LogEntry } from './log-lines.ts';

/** Lines that the page keeps. */
const KEPT = 10_000;
/** Lines that are fetched after connecting: all that the service keeps. */
const FETCHED = 1000;

/** What the service logged, oldest first, from before the page opened too. */
export const logEntries = signal<readonly LogEntry[]>([]);
/** Errors since the log was last seen. */
export const unseenErrors = signal(0);
let ids = 0;
const nextId = () => ++ids;

/** A line that was logged just now. */
export function takeLog(line: LogLine): void {
  logEntries.value = addLines(logEntries.peek(), [line], nextId, KEPT);
  if (line.level === 'error') unseenErrors.value = unseenErrors.peek() + 1;
}

/** Fetches the lines that the page missed. */
export async function refreshLog(): Promise<void> {
  const { lines } = await call('GET /api/log', { query: { tail: FETCHED } });
  logEntries.value = addLines(logEntries.peek(), lines, nextId, KEPT);
}
