import type { Logger, LogSource } from '../../src/core/logger.ts';

/** Creates a logger that appends each line to `lines`, such as `info jobs: train-1 started`. */
export function keepingLogger(lines: string[], source: LogSource = 'service'): Logger {
  const write =
    (level: string) =>
    (first: Readonly<Record<string, unknown>> | string, message = '') =>
      void lines.push(`${level} ${source}: ${typeof first === 'string' ? first : message}`);
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (other) => keepingLogger(lines, other),
  };
}
