export interface LogLine {
  readonly time: string | null;
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

const STAMP = /^\[?(?:\d{4}-\d\d-\d\d[T ])?(\d\d:\d\d:\d\d)(?:[.,]\d+)?Z?\]?\s+/;
/** Marks of a failed part in a log. */
const FAILED = /(?:^|: )FAILED\b|^failed\b|^error\b/;
const LEVEL = /^\[?(debug|info|warn|warning|error|fatal)\]?:?\s+/i;

/** Colour codes of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is looked for
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Takes a line of a job's log apart: a time of day and a level at its beginning, where it has them. */
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
