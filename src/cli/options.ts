import path from 'node:path';
import { LOG_LEVELS } from '../core/logger.ts';
import { orMeant } from '../core/nearest.ts';
import { TRANSPORT_CHOICES, type TransportChoice } from '../gateway/transport/transport.ts';
import { COMMANDS } from './commands/command-table.ts';
import { LOCAL_SUMMARIES } from './local/local-summaries.ts';
import { type FlagSet, type Printed, parseFlags, repeated, UsageError } from './parse-flags.ts';
import { tokenOf, viewTokenOf } from './token.ts';

/** Options of the service. */
export interface StartOptions {
  readonly host: string;
  readonly port: number;
  /** null: clients need not send a token */
  readonly token: string | null;
  /** token of clients that may only read; null: there are none */
  readonly viewToken: string | null;
  /** clients on this machine must send the token, too */
  readonly tokenForAll: boolean;
  /** absolute */
  readonly workspace: string;
  /** settings file, absolute; null: `studio.yaml` in the workspace, if it exists */
  readonly config: string | null;
  readonly allowedHosts: readonly string[];
  readonly transport: TransportChoice;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly open: boolean;
}

const DEFAULTS = { host: '127.0.0.1', port: '8765', workspace: './workspace', logLevel: 'info', transport: 'auto' };

/** Value of MOTION_STUDIO_PORT that Kubernetes sets in the pods beside a Service named motion-studio. */
const SERVICE_LINK = /^tcp:\/\//;

/** A value, with the flag or variable that it came from. */
type Given = readonly [name: string, text: string];

type Flags = Partial<
  Record<
    'host' | 'port' | 'token' | 'tokenFile' | 'viewToken' | 'workspace' | 'config' | 'logLevel' | 'transport',
    string
  >
> & {
  allowedHost?: string[];
  tokenForAll?: boolean;
  open?: boolean;
};

/** Reads flags, then `MOTION_STUDIO_*` variables, then defaults. @param args without node and script
 *  @throws UsageError */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): StartOptions | Printed {
  const flags = parse(args, version);
  if ('print' in flags) return flags;
  const variable = (name: string) => {
    const value = env[`MOTION_STUDIO_${name}`];
    return value === undefined || value === '' || SERVICE_LINK.test(value) ? undefined : value;
  };
  /** Returns an option, with the name under which it was given for messages. */
  const given = (flag: string, value: string | undefined, name: string, usual: string): Given => {
    const set = value === undefined ? variable(name) : undefined;
    return set === undefined ? [flag, value ?? usual] : [`MOTION_STUDIO_${name}`, set];
  };
  for (const [name, value] of [
    ['--workspace', flags.workspace],
    ['--config', flags.config],
  ] as const)
    if (value === '')
      throw new UsageError(
        `${name}: is empty. Name a ${name === '--config' ? 'file' : 'folder'} or leave the option out.`,
      );
  const config = flags.config ?? variable('CONFIG');
  const open = flags.open ?? truth('MOTION_STUDIO_OPEN', variable('OPEN'));
  const token = tokenOf(flags, env);
  const tokenForAll = flags.tokenForAll ?? truth('MOTION_STUDIO_TOKEN_FOR_ALL', variable('TOKEN_FOR_ALL'));
  if (tokenForAll && token === null) {
    const name = flags.tokenForAll ? '--token-for-all' : 'MOTION_STUDIO_TOKEN_FOR_ALL';
    throw new UsageError(`${name}: needs a token, from --token or --token-file`);
  }
  return {
    host: hostOf(given('--host', flags.host, 'HOST', DEFAULTS.host)),
    port: portOf(given('--port', flags.port, 'PORT', DEFAULTS.port)),
    token,
    viewToken: viewTokenOf(flags.viewToken, env, token),
    tokenForAll,
    workspace: path.resolve(flags.workspace ?? variable('WORKSPACE') ?? DEFAULTS.workspace),
    config: config === undefined ? null : path.resolve(config),
    allowedHosts: flags.allowedHost ?? (variable('ALLOWED_HOST')?.split(',') ?? []).map((name) => name.trim()),
    transport: oneOf(given('--transport', flags.transport, 'TRANSPORT', DEFAULTS.transport), TRANSPORT_CHOICES),
    logLevel: oneOf(given('--log-level', flags.logLevel, 'LOG_LEVEL', DEFAULTS.logLevel), LOG_LEVELS),
    open,
  };
}

const COMMAND_NAMES = [...Object.keys(COMMANDS), ...Object.keys(LOCAL_SUMMARIES)];

/** @throws UsageError for an unknown command; `main` has already run the known ones. */
function refuseCommand(word: string): void {
  if (word.startsWith('-')) return;
  const meant = orMeant(word, COMMAND_NAMES) || `; the commands are ${COMMAND_NAMES.join(', ')}`;
  throw new UsageError(`unknown command ${JSON.stringify(word)}${meant}`);
}

/** If the name of a command appears after the first argument, adds to the usage error that it must come first. */
function withPlaceOfCommand(error: unknown, args: readonly string[]): unknown {
  const command = args.find((arg) => COMMAND_NAMES.includes(arg));
  if (command === undefined || !(error instanceof UsageError)) return error;
  return new UsageError(`${error.message}. A command comes before its options: motion-studio ${command} …`);
}

function parse(args: readonly string[], version: string): Flags | Printed {
  refuseCommand(args[0] ?? '-');
  try {
    const parsed = parseFlags<Flags>('motion-studio', (command) => declare(command, version), args);
    return 'print' in parsed ? parsed : parsed.flags;
  } catch (error) {
    throw withPlaceOfCommand(error, args);
  }
}

function declare(command: FlagSet, version: string): FlagSet {
  return command
    .usage('[command] [options]')
    .description(
      `Studio service for robot motion: robots, clips, tasks, training and playback behind one port.\n\n${commandList()}`,
    )
    .option('--host <host>', `address to listen on (default: ${DEFAULTS.host})`)
    .option('--port <port>', `port to listen on, 0 for any free one (default: ${DEFAULTS.port})`)
    .option('--token <token>', 'the token that clients of other machines must send')
    .option('--token-file <file>', 'the token, from the first line of a file')
    .option('--view-token <token>', 'the token of clients that may only view; needs --token or --token-file')
    .option('--token-for-all', 'clients of this machine must send it, too: for forwarders that send no headers')
    .option('--workspace <dir>', `folder of robots, data and runs (default: ${DEFAULTS.workspace})`)
    .option('--config <file>', 'settings (default: studio.yaml in the workspace)')
    .option('--allowed-host <host>', 'a host name that clients may use for this machine; may be repeated', repeated)
    .option(
      '--transport <name>',
      `HTTP engine: auto, uws (uWebSockets.js) or node (node:http) (default: ${DEFAULTS.transport})`,
    )
    .option('--log-level <level>', `${LOG_LEVELS.join(', ')} (default: ${DEFAULTS.logLevel})`)
    .option('--open', 'open the page in a browser')
    .version(version, '--version', 'print the version')
    .addHelpText(
      'after',
      '\nEach option is also an environment variable: MOTION_STUDIO_PORT, MOTION_STUDIO_TOKEN_FILE, …\n\nExample: motion-studio --workspace ~/robots --port 9000 --open\n\nExit codes: 0 stopped by a signal, 1 the workspace, the settings or the port cannot be used, 2 usage.',
    );
}

function commandList(): string {
  const line = ([name, summary]: readonly [string, string]) => `  ${name.padEnd(9)} ${summary}`;
  const remote = Object.entries(COMMANDS).map(([name, { summary }]) => line([name, summary]));
  const local = Object.entries(LOCAL_SUMMARIES).map(line);
  return `Without a command, starts the service. Commands of a running service, each with --help:
${remote.join('\n')}

Commands on this machine, without a service:
${local.join('\n')}`;
}

function hostOf([name, text]: Given): string {
  if (text === '' || /[\s/]/.test(text))
    throw new UsageError(`${name}: must be an address or a name, got ${JSON.stringify(text)}`);
  return text;
}

function portOf([name, text]: Given): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535))
    throw new UsageError(`${name}: must be an integer from 0 to 65535, got ${JSON.stringify(text)}`);
  return port;
}

function oneOf<T extends string>([name, text]: Given, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined)
    throw new UsageError(`${name}: must be one of ${choices.join(', ')}, got ${JSON.stringify(text)}`);
  return found;
}

function truth(name: string, value: string | undefined): boolean {
  if (value === undefined || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  throw new UsageError(`${name}: must be 1 or 0, got ${JSON.stringify(value)}`);
}
