import type { LogLevel } from '../../../../src/protocol/events.ts';
import type { LogLine } from '../../../../src/protocol/schemas/log.ts';

/** A log line as the page stores it. */
export type LogEntry = LogLine & {
  /** increasing number, in the order of the list */
  readonly id: number;
  /** local day of the line's time, as shown in a divider */
  readonly day: string;
};

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
/** Formats the local day of an instant, as shown in a divider. */
export function dayOf(instant: Date): string {
  return DAY.format(instant);
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** Adds lines to a list, oldest first, and drops the oldest lines beyond `most`. Lines that a fetch repeats are kept
 *  once. A restarted service counts its lines from the beginning, so lines are identified by time and number.
 *  @param nextId returns increasing ids */
export function addLines(
  entries: readonly LogEntry[],
  lines: readonly LogLine[],
  nextId: () => number,
  most: number,
): readonly LogEntry[] {
  const last = entries.at(-1);
  const isLater = last === undefined || lines.every((line) => comesBefore(last, line));
  const made = (line: LogLine): LogEntry => ({ ...line, id: nextId(), day: dayOf(new Date(line.time)) });
  if (isLater) return [...entries, ...lines.map(made)].slice(-most);
  const known = new Set(entries.map(keyOf));
  const missing = lines.filter((line) => !known.has(keyOf(line)));
  if (missing.length === 0) return entries;
  // Number all lines again, because lines from before the page was opened are inserted and ids must follow the order of
  // the list.
  const all: LogLine[] = [...entries, ...missing];
  return all
    .sort((a, b) => (comesBefore(a, b) ? -1 : 1))
    .slice(-most)
    .map(made);
}

function comesBefore(a: LogLine, b: LogLine): boolean {
  return a.time < b.time || (a.time === b.time && a.seq < b.seq);
}

function keyOf({ time, seq }: LogLine): string {
  return `${time} ${seq}`;
}

/** Returns the entries of at least `level` whose source or message contains `text`. */
export function filterLog(entries: readonly LogEntry[], level: LogLevel, text: string): readonly LogEntry[] {
  const least = LEVELS.indexOf(level);
  const needle = text.trim().toLowerCase();
  return entries.filter(
    (entry) =>
      LEVELS.indexOf(entry.level) >= least &&
      (needle === '' || entry.message.toLowerCase().includes(needle) || entry.source.toLowerCase().includes(needle)),
  );
}

/** Returns for each level the number of entries of this level or a more severe one. */
export function countLevels(entries: readonly LogEntry[]): { readonly warn: number; readonly error: number } {
  let warn = 0;
  let error = 0;
  for (const { level } of entries) {
    if (level === 'error') error += 1;
    if (level === 'error' || level === 'warn') warn += 1;
  }
  return { warn, error };
}

/** Splits the list into blocks of entries whose ids are in the same hundred, so that unchanged blocks need no
 *  rendering. */
export function blocksOf(entries: readonly LogEntry[]): readonly (readonly LogEntry[])[] {
  const blocks: LogEntry[][] = [];
  let current = -1;
  for (const entry of entries) {
    const block = Math.floor(entry.id / 100);
    if (block !== current) blocks.push([]);
    current = block;
    blocks.at(-1)!.push(entry);
  }
  return blocks;
}
