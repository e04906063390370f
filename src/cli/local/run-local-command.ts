import process from 'node:process';
import { messageOf, StudioError } from '../../core/errors.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readOptions } from '../options.ts';
import { type FlagSet, parseFlags, UsageError } from '../parse-flags.ts';
import type { LocalCommand } from './local-command.ts';
import type { LocalName } from './local-summaries.ts';

interface LocalFlags {
  readonly workspace?: string;
  readonly config?: string;
  readonly host?: string;
  readonly port?: string;
  readonly transport?: string;
  readonly json?: boolean;
}

/** Loads the code of a command on use. */
const LOAD: Readonly<Record<LocalName, () => Promise<LocalCommand>>> = {
  doctor: async () => (await import('./doctor.ts')).DOCTOR,
  bench: async () => (await import('./bench.ts')).BENCH,
};

/** Runs a command without a service. Prints its result on stdout, errors on stderr. @returns the exit code */
export async function runLocalCommand(
  name: LocalName,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ExitCode> {
  try {
    const command = await LOAD[name]();
    const declare = (flags: FlagSet) => addCommon(command, command.declare(flags));
    const parsed = parseFlags<LocalFlags>(`motion-studio ${name}`, declare, args);
    if ('print' in parsed) {
      process.stdout.write(parsed.print);
      return EXIT.done;
    }
    const { json = false, ...given } = parsed.flags;
    const passed = Object.entries(given).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
    const options = readOptions(passed, env, '');
    if ('print' in options) throw new Error('the options of a command do not include --help or --version here');
    return await command.run(options, { json });
  } catch (error) {
    const expected = error instanceof UsageError || error instanceof StudioError;
    const text = expected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
    process.stderr.write(`motion-studio ${name}: ${text}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}

function addCommon({ example, failed }: LocalCommand, flags: FlagSet): FlagSet {
  return flags
    .option('--workspace <dir>', 'folder of robots, data and runs (default: ./workspace; MOTION_STUDIO_WORKSPACE)')
    .option('--config <file>', 'settings (default: studio.yaml in the workspace; MOTION_STUDIO_CONFIG)')
    .option('--host <host>', 'address on which the service would listen (MOTION_STUDIO_HOST)')
    .option('--port <port>', 'port on which the service would listen (MOTION_STUDIO_PORT)')
    .option('--transport <name>', 'HTTP engine of the service: auto, uws or node (MOTION_STUDIO_TRANSPORT)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\nExample: ${example}\n\nExit codes: 0 done, 1 ${failed}, 2 usage.`);
}
