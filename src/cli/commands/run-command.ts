import process from 'node:process';
import { messageOf } from '../../core/errors.ts';
import { HttpClient, ReplyError } from '../../protocol/http-client.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type FlagSet, parseFlags, UsageError } from '../parse-flags.ts';
import { tokenOf } from '../token.ts';
import { CommandError } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { Output } from './output.ts';

const DEFAULT_URL = 'http://127.0.0.1:8765';
/** Statuses of a proxy without a service behind it, and of a service that is shutting down. */
const NO_SERVICE = [0, 502, 503, 504];

interface CommonFlags {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly json?: boolean;
  readonly wait?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a command against a running service. Prints results on stdout, progress and errors on stderr.
 *  @param name a name of `COMMANDS`  @returns the exit code */
export async function runCommand(name: string, args: readonly string[], env: Environment): Promise<ExitCode> {
  try {
    const command = await COMMANDS[name]!.load();
    const declare = (flags: FlagSet) => addCommon(command.declare(flags), command.example);
    const parsed = parseFlags<CommonFlags>(`motion-studio ${name}`, declare, args);
    if ('print' in parsed) {
      process.stdout.write(parsed.print);
      return EXIT.done;
    }
    const { flags } = parsed;
    const url = urlOf(flags.url, env);
    const token = tokenOf(flags, env);
    const action = command.prepare(parsed.args, flags);
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return await action({
      client: new HttpClient({ base: url, headers }),
      output: new Output(process, flags.json === true),
      url,
      wait: flags.wait === true,
    });
  } catch (error) {
    process.stderr.write(`motion-studio ${name}: ${sentenceOf(error)}\n`);
    return codeOf(error);
  }
}

function addCommon(flags: FlagSet, example: string): FlagSet {
  return flags
    .option('--url <url>', `address of the service (default: ${DEFAULT_URL}; MOTION_STUDIO_URL)`)
    .option('--token <token>', 'token of the service (MOTION_STUDIO_TOKEN)')
    .option('--token-file <file>', 'the token, from the first line of a file (MOTION_STUDIO_TOKEN_FILE)')
    .option('--json', 'print the result as JSON')
    .option('--wait', 'wait until the started work ends, with progress. A job continues if the command is stopped')
    .addHelpText(
      'after',
      `\nExample: ${example}\n\nExit codes: 0 done, 1 failed, 2 usage, 3 a gate was missed, 4 no service.`,
    );
}

function urlOf(flag: string | undefined, env: Environment): string {
  const [name, text] =
    flag === undefined ? ['MOTION_STUDIO_URL', env['MOTION_STUDIO_URL'] || DEFAULT_URL] : ['--url', flag];
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${name}: must be an address such as ${DEFAULT_URL}, got ${JSON.stringify(text)}`);
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}

function sentenceOf(error: unknown): string {
  if (error instanceof ReplyError) {
    // Print only the first part: the rest is for browsers and HTTP clients.
    if (error.status === 401) return `${error.message.split(':', 1)[0]}: send it with --token or --token-file`;
    if (error.status !== 0) return error.message;
    const cause = error.cause instanceof Error && error.cause.cause !== undefined ? error.cause.cause : error.cause;
    return `no service answers (${messageOf(cause)}). Start one, or name its address with --url.`;
  }
  if (error instanceof UsageError || error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ReplyError && NO_SERVICE.includes(error.status)) return EXIT.noService;
  return EXIT.failed;
}
