import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { LogLine } from '../protocol/schemas/log.ts';
import { formatLogLine } from './log/log-line.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The part of the service that writes a line. */
export type LogSource = LogLine['source'];

/** Writes a line with optional `fields`. Pass an error as the field `err`. */
export interface LogCall {
  (message: string): void;
  (fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface Logger {
  readonly debug: LogCall;
  readonly info: LogCall;
  readonly warn: LogCall;
  readonly error: LogCall;
  /** Returns a logger that writes to the same log under another source. */
  child(source: LogSource): Logger;
}

export interface RootLogger extends Logger {
  /** Passes every line of level info and above to `listener`, without its fields.
   *  @returns a function that removes the listener */
  subscribe(listener: (line: LogLine) => void): () => void;
  /** Returns the latest lines of level info and above, oldest first. @param count at most {@link KEPT_LINES} */
  recent(count: number): readonly LogLine[];
  /** Ends the log; call it before the process ends. Settles when every line is written, or when a stalled reader has
   *  used up the time. Lines logged later are dropped. */
  close(): Promise<void>;
}

export interface LogOptions {
  readonly level: (typeof LOG_LEVELS)[number];
  /** Whether lines are formatted for people instead of as JSON. */
  readonly pretty: boolean;
  readonly colour: boolean;
  /** File descriptor, stderr by default. */
  readonly fd?: number;
}

/** Lines kept in memory for clients that connect later. */
export const KEPT_LINES = 1000;
/** Longest wait for a stalled reader, ms. */
const CLOSE_MS = 800;

/** Fields with these names are never logged, neither at the top level nor one level below. */
const SECRETS = ['token', 'authorization', 'cookie', 'password', 'secret'];

export function createLogger(options: LogOptions): RootLogger {
  const listeners = new Set<(line: LogLine) => void>();
  const kept: LogLine[] = [];
  let seq = 0;
  const destination = pino.destination({ dest: options.fd ?? 2, sync: false });
  // A log that cannot be written (full disk, closed reader) must not end the service, and there is no place to report
  // it.
  destination.on('error', () => {});
  const format = options.pretty ? (line: string) => formatLogLine(line, options.colour) : (line: string) => line;
  let closing: Promise<void> | null = null;
  const stream = { write: (line: string) => void (closing ?? destination.write(format(line))) };
  const written = options.level === 'silent' ? Number.POSITIVE_INFINITY : pino.levels.values[options.level]!;
  const root = pino(
    {
      // Subscribed listeners get info lines even if the log's own level is higher.
      level: options.level === 'debug' ? 'debug' : 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '…' },
      hooks: {
        logMethod(args, method, level) {
          if (level >= 30) {
            const message = args.find((arg): arg is string => typeof arg === 'string') ?? '';
            const source = this.bindings()['source'] as LogSource;
            seq += 1;
            const line = { time: new Date().toISOString(), level: labelOf(level), source, message, seq };
            kept.push(line);
            // Remove old lines in batches, because moving the whole array for each line would take longer than writing
            // the line.
            if (kept.length >= 2 * KEPT_LINES) kept.splice(0, kept.length - KEPT_LINES);
            for (const listener of listeners) listener(line);
          }
          if (level >= written) method.apply(this, args);
        },
      },
    },
    stream,
  );
  return {
    ...wrap(root, 'service'),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recent: (count) => (count === 0 ? [] : kept.slice(-Math.min(count, KEPT_LINES))),
    // Do not use flushSync: it ignores the write in progress, and waits forever for a stalled reader.
    close() {
      closing ??= Promise.race([once(destination, 'close'), sleep(CLOSE_MS, undefined, { ref: false })])
        .catch(() => {}) // A failure of the log itself cannot be reported anywhere.
        .then(() => destination.destroy()); // Otherwise pino retries forever when the process exits.
      destination.end();
      return closing;
    },
  };
}

/** @param root logger without a source, because two sources in one JSON line would be ambiguous */
function wrap(root: pino.Logger, source: LogSource): Logger {
  const log = root.child({ source });
  return {
    debug: log.debug.bind(log) as LogCall,
    info: log.info.bind(log) as LogCall,
    warn: log.warn.bind(log) as LogCall,
    error: log.error.bind(log) as LogCall,
    child: (other) => wrap(root, other),
  };
}

function labelOf(level: number): LogLine['level'] {
  return level >= 50 ? 'error' : level >= 40 ? 'warn' : 'info';
}
