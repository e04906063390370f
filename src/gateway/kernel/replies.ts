import type { BinaryReply, RouteSpec } from '../../protocol/route.ts';
import {
  compress,
  type Encoding,
  etagHeader,
  KEEP_PACKED_FROM_BYTES,
  matchesEtag,
  PACK_ONCE_FROM_BYTES,
} from './encoding.ts';
import type { Exchange, Headers } from './exchange.ts';
import { answerFile, attachment } from './file-download.ts';
import type { Content, FileReply, Handler, StreamReply, TaggedContent } from './handler.ts';
import type { Negotiation } from './negotiation.ts';
import type { RequestContext } from './request-context.ts';

const JSON_TYPE = 'application/json';
const JSON_HEADERS: Headers = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' };

const CACHING: Headers = { 'cache-control': 'no-cache', vary: 'accept-encoding' };

interface Kept {
  readonly etag: string;
  readonly bytes: Uint8Array | Promise<Uint8Array>;
  readonly headers: Headers;
}

/** Turns the results of handlers into answers. */
export class Replies {
  /** Latest bytes of tagged replies, by encoding and route. */
  readonly #kept = {
    plain: new Map<RouteSpec, Kept>(),
    br: new Map<RouteSpec, Kept>(),
    gzip: new Map<RouteSpec, Kept>(),
  };

  /** Sends the value that the handler returned. @param kind kind of the reply: that of the handler, or `content` if a
   *  handler of files returned a redirect @param more headers in addition to those of every JSON reply */
  send<C>(
    { route: { spec }, exchange, negotiation }: RequestContext<C>,
    kind: Handler<unknown>['kind'],
    result: unknown,
    more?: Headers,
  ): void | Promise<void> {
    switch (kind) {
      case 'tagged':
        return this.#tagged(spec, result as TaggedContent<unknown>, exchange, negotiation);
      case 'content':
        return content(spec, result as Content, exchange);
      case 'download':
        return answerFile(result as FileReply, typeOf(spec), exchange, negotiation);
      case 'stream':
        return stream(spec, result as StreamReply, exchange);
      default:
        return json(JSON.stringify(result), more ? { ...JSON_HEADERS, ...more } : JSON_HEADERS, exchange, negotiation);
    }
  }

  #tagged(spec: RouteSpec, { content, etag }: TaggedContent<unknown>, exchange: Exchange, negotiation: Negotiation) {
    const encoding = negotiation.encoding;
    if (matchesEtag(negotiation.ifNoneMatch, etag)) {
      exchange.answer(304, { ...CACHING, etag: etagHeader(etag, encoding) }, '');
      return;
    }
    const plain = this.#keep(spec, etag, null, () => bytesOf(content));
    const bytes = plain.bytes as Uint8Array;
    if (encoding === null || bytes.byteLength < KEEP_PACKED_FROM_BYTES) {
      exchange.answer(200, plain.headers, bytes);
      return;
    }
    const packed = this.#keep(spec, etag, encoding, () => compress(bytes, encoding, 'small'));
    return Promise.resolve(packed.bytes).then((small) => exchange.answer(200, packed.headers, small));
  }

  #keep(spec: RouteSpec, etag: string, encoding: Encoding | null, make: () => Kept['bytes']): Kept {
    const kept = this.#kept[encoding ?? 'plain'].get(spec);
    if (kept?.etag === etag) return kept;
    const packing = encoding === null ? {} : { 'content-encoding': encoding };
    const headers = { 'content-type': typeOf(spec), ...CACHING, etag: etagHeader(etag, encoding), ...packing };
    const made = { etag, bytes: make(), headers };
    this.#kept[encoding ?? 'plain'].set(spec, made);
    return made;
  }
}

function content(spec: RouteSpec, { body, contentType, status = 200, headers }: Content, exchange: Exchange): void {
  const type = { 'content-type': contentType ?? typeOf(spec), 'cache-control': 'no-store' };
  exchange.answer(status, { ...type, ...headers }, body);
}

function stream(spec: RouteSpec, reply: StreamReply, exchange: Exchange): Promise<void> {
  const { parts, size, name, contentType = typeOf(spec) } = reply;
  const headers = { 'content-type': contentType, 'cache-control': 'no-store', ...attachment(name) };
  return exchange.stream(200, headers, size, parts);
}

function json(text: string, headers: Headers, exchange: Exchange, negotiation: Negotiation): void | Promise<void> {
  const encoding = text.length < PACK_ONCE_FROM_BYTES ? null : negotiation.encoding;
  if (encoding === null) {
    exchange.answer(200, headers, text);
    return;
  }
  return compress(Buffer.from(text), encoding, 'quick').then((bytes) =>
    exchange.answer(200, { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' }, bytes),
  );
}

function bytesOf(content: unknown): Uint8Array {
  return content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
}

function typeOf({ reply }: RouteSpec): string {
  return 'contentType' in reply ? (reply as BinaryReply).contentType : JSON_TYPE;
}
