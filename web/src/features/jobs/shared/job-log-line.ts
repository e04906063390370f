export interface LogLine {
  readonly time: string | null;
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

const STAMP = /^\[?(?:\d{4}-\d\d-\d\d[T ])?(\d\d:\d\d:\d\d)(?:[.,]\d+)?Z?\]?\s+/;
/** Matches the text of a log line that reports a failure. */
const FAILED = /(?:^|: )FAILED\b|^failed\b|^error\b/;
const LEVEL = /^\[?(debug|info|warn|warning|error|fatal)\]?:?\s+/i;

/** ANSI colour codes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the escape character
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Splits a log line into time of day, level and text. Time is null and level `info` if the line has none. */
export function parseLogLine(coloured: string): LogLine {
  const line = coloured.replace(COLOURS, '');
  const stamp = STAMP.exec(line);
  const rest = stamp === null ? line : line.slice(stamp[0].length);
  const level = LEVEL.exec(rest);
  const text = level === null ? rest : rest.slice(level[0].length);
  const word = level?.[1]?.toLowerCase() ?? '';
  const isError = word === 'error' || word === 'fatal' || FAILED.test(text);
  return { time: stamp?.[1] ?? null, level: isError ? 'error' : word.startsWith('warn') ? 'warn' : 'info', text };
}
