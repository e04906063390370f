import type { ErrorBody } from '../../protocol/errors.ts';
import type { Exchange, Headers } from './exchange.ts';

/** First and last byte. */
export type ByteRange = readonly [first: number, last: number];

/** Headers of a request for a part of the content. */
export interface RangeRequest {
  /** values of `Range` and `If-Range`; '' if missing */
  readonly range: string;
  readonly ifRange: string;
}

/** Identifies a version of the content by the values of its ETag and Last-Modified headers. */
export interface Version {
  readonly etag: string;
  readonly lastModified?: string;
  /** Whether different bytes always have different tags. Only then may `If-Range` continue a download. */
  readonly strong: boolean;
}

/** Returns the part of `total` bytes to answer with (RFC 9110): null for all bytes, `outside` for a part that starts
 *  after the end. Returns null also for several ranges, an invalid header, or an `If-Range` of another version. */
export function partOf(
  { range, ifRange }: RangeRequest,
  version: Version,
  total: number,
): ByteRange | 'outside' | null {
  if (range === '') return null;
  const isSame = version.strong && (ifRange === version.etag || ifRange === version.lastModified);
  return ifRange === '' || isSame ? parseRange(range, total) : null;
}

/** Parses the first and last byte of a Range header. */
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

/** Answers 416. @param headers of the answer with all bytes */
export function answerOutside(exchange: Exchange, headers: Headers, total: number): void {
  const { 'content-disposition': _, ...others } = headers;
  const body: ErrorBody = { detail: `Range: starts after the end; the content has ${total} bytes` };
  const more = { 'content-type': 'application/json', 'content-range': `bytes */${total}` };
  exchange.answer(416, { ...others, ...more }, JSON.stringify(body));
}
