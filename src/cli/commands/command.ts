import type { HttpClient } from '../../protocol/http-client.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { FlagSet } from '../parse-flags.ts';
import type { Output } from './output.ts';

/** Environment of a command: the service and where its result is printed. */
export interface CommandContext {
  readonly client: HttpClient;
  readonly output: Output;
  /** address of the service, with a slash at the end */
  readonly url: string;
  /** waits for the end of jobs that the command starts */
  readonly wait: boolean;
}

/** A command of a running service. */
export interface CliCommand {
  /** an example command line, for the help */
  readonly example: string;
  /** Adds description, arguments and options. The options that all commands have are already added. */
  declare(flags: FlagSet): FlagSet;
  /** Checks the command line and returns the action. Sends nothing yet. @throws UsageError */
  prepare(args: readonly string[], flags: object): (context: CommandContext) => Promise<ExitCode>;
}

/** An error whose message is already a sentence for the user; exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
