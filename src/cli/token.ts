import { readFileSync } from 'node:fs';
import { messageOf } from '../core/errors.ts';
import { UsageError } from './parse-flags.ts';

interface TokenFlags {
  readonly token?: string;
  readonly tokenFile?: string;
}

/** Returns the token. Flags take precedence over variables; only one of `--token` and `--token-file` is allowed, and
 *  one of their variables. An empty token is refused rather than ignored: a script that passes one meant to set it. */
export function tokenOf(flags: TokenFlags, env: Readonly<Record<string, string | undefined>>): string | null {
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

/** Returns the token of clients that may only read; null: there are none.
 *  @param flag value of `--view-token`  @param token of the service */
export function viewTokenOf(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  token: string | null,
): string | null {
  const variable = env['MOTION_STUDIO_VIEW_TOKEN'];
  const sent = flag ?? variable;
  if (sent === undefined) return null;
  const name = flag === undefined ? 'MOTION_STUDIO_VIEW_TOKEN' : '--view-token';
  if (token === null)
    throw new UsageError(`${name}: needs a token with full access as well, from --token or --token-file`);
  const viewToken = checkToken(sent, name);
  if (viewToken === token)
    throw new UsageError(`${name}: must differ from the token of the service. Set another value.`);
  return viewToken;
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
      return `${file} is a folder. Name a file with the token on its first line.`;
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
      `${name}: the token contains a character that a cookie cannot contain. Use printable ASCII without blanks, quotes, commas, semicolons and backslashes`,
    );
  }
  return token;
}
