import { tailLines } from '../log-tail.ts';

const LINES = 60;
const MAX_LETTERS = 300;
/** Patterns of the last line of a failed program: of this service, of a Python exception, of a tool with wrong
 *  arguments, of a shell that cannot start a program. */
const SAID = [
  /^(?:train|evaluate): (?!error: )(.+)$/,
  /^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt)(?:: .*)?$/,
  /^(?:\S+: )?(?:error|fatal): (.+)$/i,
  /: (\S+: (?:not found|[Pp]ermission denied))$/,
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of coloured output
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Returns the log line that best explains why the program failed, or null. */
export async function failureLine(log: string): Promise<string | null> {
  const lines = (await tailLines(log, LINES)).map((line) => line.replace(COLOURS, '').trimEnd()).reverse();
  for (const pattern of SAID) {
    const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
    if (!found) continue;
    const words = found[1] ?? found[0];
    return words.length > MAX_LETTERS ? `${words.slice(0, MAX_LETTERS)}…` : words;
  }
  return null;
}
