import process from 'node:process';
import { messageOf } from '../core/errors.ts';
import type { ExitCode } from './exit-codes.ts';

/** Ends the process with the message of `error` as one line on stderr. */
export function fail(error: unknown, code: ExitCode): never {
  process.stderr.write(`motion-studio: ${messageOf(error)}\n`);
  process.exit(code);
}
