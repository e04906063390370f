import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Smallest answer that is worth compressing for one client. */
export const PACK_ONCE_FROM_BYTES = 16 * 1024;
/** Smallest content that is worth compressing once for all clients: below it, compression does not save a packet. */
export const KEEP_PACKED_FROM_BYTES = 1024;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

let lastAccepted = '';
let lastChosen: Encoding | null = null;

/** Returns the encoding to answer with, brotli before gzip; null for an uncompressed answer. */
export function chooseEncoding(acceptEncoding: string): Encoding | null {
  // Clients repeat the same header, so remember the last result.
  if (acceptEncoding !== lastAccepted) {
    lastChosen = chooseAmong(acceptEncoding);
    lastAccepted = acceptEncoding;
  }
  return lastChosen;
}

function chooseAmong(acceptEncoding: string): Encoding | null {
  const accepted = new Map(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
        const quality = parameters.find((text) => text.startsWith('q='));
        return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const;
      }),
  );
  for (const encoding of ['br', 'gzip'] as const) {
    if ((accepted.get(encoding) ?? accepted.get('*') ?? 0) > 0) return encoding;
  }
  return null;
}

/** Compresses in the thread pool of Node.
 *  @param effort `quick` for content sent once, `small` for content sent often */
export function compress(bytes: Uint8Array, encoding: Encoding, effort: 'quick' | 'small'): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzipAsync(bytes, { level: effort === 'quick' ? 1 : 6 });
  return brotliAsync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: effort === 'quick' ? 1 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  });
}

/** Whether the If-None-Match header names `etag` (without quotes) in any encoding. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === '') return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((part) => {
    const tag = /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(part)?.[1];
    return tag !== undefined && (tag === etag || tag === `${etag}-br` || tag === `${etag}-gzip`);
  });
}

/** Returns the strong ETag of the content in an encoding. The bytes differ between encodings, so the tags must
 *  differ. */
export function etagHeader(etag: string, encoding: Encoding | null): string {
  return encoding === null ? `"${etag}"` : `"${etag}-${encoding}"`;
}
