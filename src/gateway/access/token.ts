import { createHash, timingSafeEqual } from 'node:crypto';

export const TOKEN_COOKIE = 'svc_studio_token';

/** Compares in a time that does not depend on what is sent. */
export class Token {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = digestOf(token);
  }

  equals(sent: string): boolean {
    return timingSafeEqual(this.#digest, digestOf(sent));
  }
}

/** The tokens that a request carries, right or wrong.
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

/** Digests have one length, whatever was sent. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A cookie's value may stand in quotes (RFC 6265). */
function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** The cookie that a browser keeps after `/?token=`. */
export function tokenCookie(token: string): string {
  return `${TOKEN_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax`;
}
