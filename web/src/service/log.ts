import { signal } from '@preact/signals';
import type { EventPayloads, LogLevel } from '../../../src/protocol/events.ts';

export type LogEntry = EventPayloads['log'] & { readonly id: number };

const KEPT = 500;
const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** What the service logged since the page opened, oldest first. */
export const logEntries = signal<readonly LogEntry[]>([]);
/** Errors since the log was last seen. */
export const unseenErrors = signal(0);
let nextId = 1;

export function takeLog(entry: EventPayloads['log']): void {
  logEntries.value = [...logEntries.peek(), { ...entry, id: nextId++ }].slice(-KEPT);
  if (entry.level === 'error') unseenErrors.value = unseenErrors.peek() + 1;
}

/** Entries of at least `level` that hold `text` in source or message. */
export function filterLog(entries: readonly LogEntry[], level: LogLevel, text: string): readonly LogEntry[] {
  const least = LEVELS.indexOf(level);
  const needle = text.trim().toLowerCase();
  return entries.filter(
    (entry) =>
      LEVELS.indexOf(entry.level) >= least &&
      (needle === '' || entry.message.toLowerCase().includes(needle) || entry.source.toLowerCase().includes(needle)),
  );
}
