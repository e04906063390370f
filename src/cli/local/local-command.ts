import type { ExitCode } from '../exit-codes.ts';
import type { StartOptions } from '../options.ts';
import type { FlagSet } from '../parse-flags.ts';

/** A command that runs on this machine without a service. */
export interface LocalCommand {
  /** an example command line, for the help */
  readonly example: string;
  /** meaning of exit code 1 */
  readonly failed: string;
  declare(flags: FlagSet): FlagSet;
  /** @param options the options with which a service would start */
  run(options: StartOptions, flags: { readonly json: boolean }): Promise<ExitCode>;
}
