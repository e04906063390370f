import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { messageOf } from '../core/errors.ts';
import { LOG_LEVELS } from '../core/logger.ts';
import { TRANSPORT_CHOICES, type TransportChoice } from '../gateway/transport/transport.ts';

/** Options of the service. */
export interface StartOptions {
  readonly host: string;
  readonly port: number;
  /** null: clients need not send a token */
  readonly token: string | null;
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

/** The command line or an environment variable is not valid. Prints one line on stderr; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Help or version text to print on stdout, requested instead of a start. */
export interface Printed {
  readonly print: string;
}

const DEFAULTS = { host: '127.0.0.1', port: '8765', workspace: './workspace', logLevel: 'info', transport: 'auto' };

type Flags = Partial<
  Record<'host' | 'port' | 'token' | 'tokenFile' | 'workspace' | 'config' | 'logLevel' | 'transport', string>
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
    return value === undefined || value === '' ? undefined : value;
  };
  const host = flags.host ?? variable('HOST') ?? DEFAULTS.host;
  if (host === '' || /[\s/]/.test(host))
    throw new UsageError(`--host: must be an address or a name, got ${JSON.stringify(host)}`);
  const logLevel = flags.logLevel ?? variable('LOG_LEVEL') ?? DEFAULTS.logLevel;
  if (!isLogLevel(logLevel))
    throw new UsageError(`--log-level: must be one of ${LOG_LEVELS.join(', ')}, got ${JSON.stringify(logLevel)}`);
  const transport = flags.transport ?? variable('TRANSPORT') ?? DEFAULTS.transport;
  if (!isTransport(transport)) {
    throw new UsageError(
      `--transport: must be one of ${TRANSPORT_CHOICES.join(', ')}, got ${JSON.stringify(transport)}`,
    );
  }
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
  if (tokenForAll && token === null)
    throw new UsageError('--token-for-all: needs a token, from --token or --token-file');
  return {
    host,
    port: portOf(flags.port ?? variable('PORT') ?? DEFAULTS.port),
    token,
    tokenForAll,
    workspace: path.resolve(flags.workspace ?? variable('WORKSPACE') ?? DEFAULTS.workspace),
    config: config === undefined ? null : path.resolve(config),
    allowedHosts: flags.allowedHost ?? (variable('ALLOWED_HOST')?.split(',') ?? []).map((name) => name.trim()),
    transport,
    logLevel,
    open,
  };
}

function parse(args: readonly string[], version: string): Flags | Printed {
  let printed = '';
  const command = new Command('motion-studio')
    .description('Studio service for robot motion: robots, clips, tasks, training and playback behind one port.')
    .option('--host <host>', `address to listen on (default: ${DEFAULTS.host})`)
    .option('--port <port>', `port to listen on, 0 for any free one (default: ${DEFAULTS.port})`)
    .option('--token <token>', 'the token that clients of other machines must send')
    .option('--token-file <file>', 'the token, from the first line of a file')
    .option('--token-for-all', 'clients of this machine must send it, too: for forwarders that send no headers')
    .option('--workspace <dir>', `folder of robots, data and runs (default: ${DEFAULTS.workspace})`)
    .option('--config <file>', 'settings (default: studio.yaml in the workspace)')
    .option(
      '--allowed-host <host>',
      'a host name that clients may use for this machine; may be repeated',
      (value: string, all: string[] = []) => [...all, value],
    )
    .option(
      '--transport <name>',
      `HTTP engine: auto, uws (uWebSockets.js) or node (node:http) (default: ${DEFAULTS.transport})`,
    )
    .option('--log-level <level>', `${LOG_LEVELS.join(', ')} (default: ${DEFAULTS.logLevel})`)
    .option('--open', 'open the page in a browser')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText(
      'after',
      '\nEach option is also an environment variable: MOTION_STUDIO_PORT, MOTION_STUDIO_TOKEN_FILE, …',
    )
    .allowExcessArguments(false)
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
    if (error.code === 'commander.excessArguments')
      throw new UsageError(
        `unexpected argument ${JSON.stringify(command.args[0])}. Options begin with --: see --help.`,
      );
    throw new UsageError(error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' '));
  }
  return command.opts<Flags>();
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535))
    throw new UsageError(`--port: must be an integer from 0 to 65535, got ${JSON.stringify(text)}`);
  return port;
}

function isLogLevel(text: string): text is StartOptions['logLevel'] {
  return (LOG_LEVELS as readonly string[]).includes(text);
}

function isTransport(text: string): text is TransportChoice {
  return (TRANSPORT_CHOICES as readonly string[]).includes(text);
}

function truth(name: string, value: string | undefined): boolean {
  if (value === undefined || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  throw new UsageError(`${name}: must be 1 or 0, got ${JSON.stringify(value)}`);
}

/** Returns the token. Flags take precedence over variables; only one of `--token` and `--token-file` is allowed, and
 *  one of their variables. An empty token is refused rather than ignored: a script that passes one meant to set it. */
function tokenOf(flags: Flags, env: Readonly<Record<string, string | undefined>>): string | null {
  const sources: [string, string | undefined, string, string | undefined][] = [
    ['--token', flags.token, '--token-file', flags.tokenFile],
    ['MOTION_STUDIO_TOKEN', env['MOTION_STUDIO_TOKEN'], 'MOTION_STUDIO_TOKEN_FILE', env['MOTION_STUDIO_TOKEN_FILE']],
  ];
  for (const [tokenName, token, fileName, file] of sources) {
    if (token !== undefined && file !== undefined)
      throw new UsageError(`${tokenName} and ${fileName} cannot be given together`);
    if (token !== undefined) return checkToken(token, tokenName);
    if (file !== undefined) return checkToken(firstLine(file, fileName), fileName);
  }
  return null;
}

function firstLine(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n', 1)[0]!.trim();
  } catch (error) {
    throw new UsageError(`${name}: ${whyUnreadable(error, file)}`);
  }
}

function whyUnreadable(error: unknown, file: string): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return `the file ${file} does not exist. Write the token on its first line.`;
    case 'EISDIR':
      return `${file} is a folder. Name a file that holds the token on its first line.`;
    case 'EACCES':
      return `the file ${file} cannot be read: permission denied. Let the user of the service read it.`;
    default:
      return messageOf(error);
  }
}

/** Refuses a token with characters that a cookie's value cannot contain (RFC 6265). */
function checkToken(token: string, name: string): string {
  if (token === '') throw new UsageError(`${name}: the token is empty. Set one or leave the option out.`);
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(token)) {
    throw new UsageError(
      `${name}: the token holds a character that a cookie cannot carry: use printable ASCII without blanks, quotes, commas, semicolons and backslashes`,
    );
  }
  return token;
}
