import { messageOf, StudioError } from '../core/errors.ts';

/** Returns what a detached job writes to its log about the error that ended it: its message, and for a bug where it
 *  happened. A person can act on other errors without a stack.
 *  @param command first word of the message, by which the service finds it */
export function failureText(command: string, error: unknown): string {
  const text = `${command}: ${messageOf(error)}\n`;
  if (error instanceof StudioError && error.code !== 'internal') return text;
  const thrown = error instanceof StudioError ? error.cause : error;
  return thrown instanceof Error ? `${text}${thrown.stack}\n` : text;
}
