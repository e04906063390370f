import type { ErrorBody } from '../../protocol/errors.ts';
import type { Exchange, Headers } from './exchange.ts';

/** First and last byte. */
export type ByteRange = readonly [first: number, last: number];

/** What a request says of the part that it wants. */
export interface RangeRequest {
  /** header values, '' where missing */
  readonly range: string;
  readonly ifRange: string;
}

/** What identifies a version of the bytes, as in the headers of the same name. */
export interface Version {
  readonly etag: string;
  readonly lastModified?: string;
  /** Whether other bytes cannot have the same tag and date. A version that may be told from the next one only by luck is
   *  never continued. */
  readonly strong: boolean;
}

/** The part of `total` bytes to answer with by RFC 9110: null for the whole, `outside` for a part that starts after the
 *  end. The whole is the answer to several ranges, to what is not understood, and to `If-Range` of another version. */
export function partOf(
  { range, ifRange }: RangeRequest,
  version: Version,
  total: number,
): ByteRange | 'outside' | null {
  if (range === '') return null;
  const isSame = version.strong && (ifRange === version.etag || ifRange === version.lastModified);
  return ifRange === '' || isSame ? parseRange(range, total) : null;
}

/** First and last byte of a Range header. */
export function parseRange(header: string, total: number): ByteRange | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const count = Math.min(Number(last), total);
    return count === 0 ? 'outside' : [total - count, total - 1];
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= total) return 'outside';
  return [from, last === '' ? total - 1 : Math.min(Number(last), total - 1)];
}

export function contentRange([first, last]: ByteRange, total: number): Headers {
  return { 'content-range': `bytes ${first}-${last}/${total}` };
}

/** Answers 416. @param headers of the whole */
export function answerOutside(exchange: Exchange, headers: Headers, total: number): void {
  const { 'content-disposition': _, ...others } = headers;
  const body: ErrorBody = { detail: `Range: starts after the end of ${total} bytes` };
  const more = { 'content-type': 'application/json', 'content-range': `bytes */${total}` };
  exchange.answer(416, { ...others, ...more }, JSON.stringify(body));
}
