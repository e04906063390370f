import type { ExitCode } from '../exit-codes.ts';
import type { StartOptions } from '../options.ts';
import type { FlagSet } from '../parse-flags.ts';

/** A command that works on this machine, without a running service. */
export interface LocalCommand {
  /** a command line that works, for the help */
  readonly example: string;
  /** what exit code 1 means */
  readonly failed: string;
  declare(flags: FlagSet): FlagSet;
  /** @param options those with which a service would start */
  run(options: StartOptions, flags: { readonly json: boolean }): Promise<ExitCode>;
}
