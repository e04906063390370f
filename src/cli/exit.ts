import process from 'node:process';
import { messageOf } from '../core/errors.ts';
import type { ExitCode } from './exit-codes.ts';

/** Ends the process with the message of `error` as one line on stderr. */
export function fail(error: unknown, code: ExitCode): never {
  process.stderr.write(`motion-studio: ${messageOf(error)}\n`);
  process.exit(code);
}

/** Runs a command, waits until all its output is written and ends the process: `process.exit` alone would drop what
 *  a pipe has not taken yet. A reader that closes the pipe early, such as `head`, is not an error. */
export async function exitAfter(run: () => Promise<ExitCode>): Promise<never> {
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.on('error', () => {});
  const code = await run();
  await Promise.all(streams.map((stream) => new Promise((written) => stream.write('', written))));
  process.exit(code);
}
