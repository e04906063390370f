import { tailLines } from '../log-tail.ts';

const LINES = 60;
const MAX_LETTERS = 300;
/** What programs say of themselves before they end: this one, Python of an exception, tools of their arguments, the
 *  shell of a program that it cannot start. */
const SAID = [
  /^motion-studio train: (.+)$/,
  /^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt)(?:: .*)?$/,
  /^(?:\S+: )?(?:error|fatal): (.+)$/i,
  /: (\S+: (?:not found|[Pp]ermission denied))$/,
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: consoles are coloured by escape sequences
const COLOURS = /\u001b\[[0-9;]*m/g;

/** The line of a log that says best why its program failed; null where none does. */
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
