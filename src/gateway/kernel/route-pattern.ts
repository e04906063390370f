import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { percentDecode } from '../address/percent.ts';

interface Segment {
  /** the literal text; null for a parameter */
  readonly text: string | null;
  readonly name: string;
}

/** The path of a contract: matches request paths and extracts their parameters. */
export class RoutePattern {
  /** Sort key, most specific pattern first. For each segment: a literal, then a parameter, then `{rest*}`. */
  readonly precedence: string;
  readonly #segments: readonly Segment[];
  readonly #rest: string | null;
  readonly hasParams: boolean;

  /** @param path `/api/robots/{id}/spec`, `/api/robots/import/upload/{id}/{path*}` */
  constructor(path: string) {
    const segments: Segment[] = path
      .slice(1)
      .split('/')
      .map((text) => {
        const name = /^\{(\w+)\*?\}$/.exec(text)?.[1];
        return name === undefined ? { text, name: '' } : { text: null, name };
      });
    const rest = path.endsWith('*}') ? segments.pop() : undefined;
    this.#segments = segments;
    this.#rest = rest?.name ?? null;
    this.hasParams = rest !== undefined || segments.some(({ text }) => text === null);
    this.precedence = segments.map(({ text }) => (text === null ? '1' : '0')).join('') + (rest ? '2' : '');
  }

  /** @param parts segments of the path, not decoded */
  matches(parts: readonly string[]): boolean {
    const count = this.#segments.length;
    if (this.#rest === null ? parts.length !== count : parts.length <= count) return false;
    return this.#segments.every(({ text }, k) => (text === null ? parts[k] !== '' : text === parts[k]));
  }

  /** Returns the decoded parameters. @throws bad_input for an empty segment, `.`, `..`, slashes and control
   *  characters */
  params(parts: readonly string[]): Record<string, string> {
    const values: Record<string, string> = {};
    for (const [k, { text, name }] of this.#segments.entries()) {
      if (text === null) values[name] = decodeSegment(name, parts[k] ?? '');
    }
    if (this.#rest !== null) {
      const name = this.#rest;
      values[name] = parts
        .slice(this.#segments.length)
        .flatMap((part) => decodeRest(name, part))
        .join('/');
    }
    return values;
  }
}

/** Returns the segments of a path, not decoded. */
export function partsOf(url: string): string[] {
  return url.slice(1).split('/');
}

/** Decodes one part of `{rest*}`. Generated clients encode its slashes, so the decoded text may have several
 *  segments. */
function decodeRest(name: string, raw: string): string[] {
  return percentDecode(name, raw)
    .split('/')
    .map((text) => checkedSegment(name, text));
}

/** Decodes a segment. @throws bad_input for a segment that could leave its folder or has a special meaning for a file
 *  system */
function decodeSegment(name: string, raw: string): string {
  return checkedSegment(name, percentDecode(name, raw));
}

function checkedSegment(name: string, text: string): string {
  if (text === '') throw badInput(`${name}: must not be empty`);
  if (text === '.' || text === '..') throw badInput(`${name}: must not be ${quoteName(text)}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  if (/[/\\\u0000-\u001f\u007f]/.test(text)) {
    throw badInput(`${name}: ${quoteName(text)} must not contain slashes, backslashes or control characters`);
  }
  return text;
}
