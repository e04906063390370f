const COLOURS: Readonly<Record<string, string>> = {
  debug: '\u001b[2m',
  info: '',
  warn: '\u001b[33m',
  error: '\u001b[31m',
};
const RESET = '\u001b[0m';

/** Formats one JSON line of the log for people: `12:03:04 warn  robots: g1 does not load  file=robot.yaml`. The stack
 *  of an error follows on indented lines. */
export function formatLogLine(json: string, colour: boolean): string {
  const { time, level, source, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const fields = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = `${clock} ${String(level).padEnd(5)} ${source === undefined ? '' : `${String(source)}: `}${String(msg ?? '')}`;
  const text = escaped([head, ...fields].join('  '));
  const paint = colour ? (COLOURS[String(level)] ?? '') : '';
  return `${paint}${text}${paint && RESET}\n${stackOf(err)}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters in names from outside
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Escapes control characters as JSON does, so that untrusted text cannot begin a new line or change the colour of the
 *  terminal. */
function escaped(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function stackOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { stack, message } = err as { stack?: unknown; message?: unknown };
  return `${String(stack ?? message ?? '').replaceAll(/^/gm, '    ')}\n`;
}
