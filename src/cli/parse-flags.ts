import { Command, CommanderError } from 'commander';

/** The command line or an environment variable is not valid. Prints one line on stderr; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Help or version text to print on stdout, requested instead of an action. */
export interface Printed {
  readonly print: string;
}

/** Arguments and flags in the order and under the names that `declare` gave them. */
export interface Parsed<F> {
  readonly args: readonly string[];
  readonly flags: F;
}

export type FlagSet = Command;

/** Parses a command line. @param name as in the help: `motion-studio evaluate` @param declare adds description,
 *  arguments and options @throws UsageError */
export function parseFlags<F>(
  name: string,
  declare: (command: FlagSet) => FlagSet,
  args: readonly string[],
): Parsed<F> | Printed {
  let printed = '';
  const command = declare(new Command(name).helpOption('-h, --help', 'print this help').allowExcessArguments(false))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: () => {},
    });
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { print: printed };
    if (error.code === 'commander.excessArguments') {
      const extra = command.args[command.registeredArguments.length];
      throw new UsageError(`unexpected argument ${JSON.stringify(extra)}. Options begin with --: see --help.`);
    }
    throw new UsageError(error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' '));
  }
  return { args: command.args, flags: command.opts<object>() as F };
}

/** Collects the values of an option that may be repeated. */
export function repeated(value: string, all: string[] = []): string[] {
  return [...all, value];
}
