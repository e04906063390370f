import { createHash, timingSafeEqual } from 'node:crypto';

const TOKEN_COOKIE = 'svc_studio_token';

/** The token of the service. The comparison takes the same time for any input. */
export class Token {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = digestOf(token);
  }

  equals(sent: string): boolean {
    return timingSafeEqual(this.#digest, digestOf(sent));
  }
}

/** Returns the tokens in the headers of a request, right or wrong.
 *  @param cookie the Cookie header  @param authorization the Authorization header */
export function tokensIn(cookie: string, authorization: string): string[] {
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  const tokens = bearer === undefined ? [] : [bearer];
  if (cookie === '') return tokens;
  for (const pair of cookie.split(';')) {
    const [name = '', ...value] = pair.split('=');
    if (name.trim() === TOKEN_COOKIE) tokens.push(unquote(value.join('=').trim()));
  }
  return tokens;
}

/** Hashes a text. All digests have the same length, as `timingSafeEqual` requires. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Removes quotes: the value of a cookie may be quoted (RFC 6265). */
function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** The Set-Cookie header of the answer to `/?token=`. */
export function tokenCookie(token: string): string {
  return `${TOKEN_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax`;
}
