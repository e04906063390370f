import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { answerOutside, contentRange, partOf, type RangeRequest } from '../kernel/byte-range.ts';
import {
  chooseEncoding,
  compress,
  type Encoding,
  etagHeader,
  KEEP_PACKED_FROM_BYTES,
  matchesEtag,
} from '../kernel/encoding.ts';
import type { Exchange, Headers } from '../kernel/exchange.ts';
import type { Files } from '../kernel/kernel.ts';
import type { TransportRequest } from '../transport/transport.ts';
import { PAGE_HEADERS } from './page-headers.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.py': 'text/x-python; charset=utf-8',
};
const OTHER_TYPE = 'application/octet-stream';
/** Media types whose content is already compressed. */
const PACKED = /^(image\/(?!svg)|font\/woff2|application\/octet-stream)/;
/** Names with a content hash from the build: such a file never changes. */
const HASHED = /-[\w-]{8}\.\w+$/;

interface Asset {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly etag: string;
  readonly caching: string;
  readonly packed: Map<Encoding, Promise<Uint8Array>>;
}

/** The files of the built page and of the documentation, kept in memory. */
export class StaticFiles implements Files {
  readonly #assets: ReadonlyMap<string, Asset>;

  private constructor(assets: ReadonlyMap<string, Asset>) {
    this.#assets = assets;
  }

  /** Reads every file below each folder. A missing folder is treated as empty.
   *  @param folders folders by the path under which they are served: `''` or `/docs` */
  static async load(folders: Readonly<Record<string, string>>): Promise<StaticFiles> {
    const assets = new Map<string, Asset>();
    for (const [place, folder] of Object.entries(folders)) await addFiles(assets, place, folder);
    return new StaticFiles(assets);
  }

  has(file: string): boolean {
    return this.#assets.has(file);
  }

  answer(file: string, exchange: Exchange, request: TransportRequest): void {
    const asset = this.#assets.get(file);
    if (!asset) return;
    const range = request.header('range');
    const compressible = asset.bytes.byteLength >= KEEP_PACKED_FROM_BYTES && !PACKED.test(asset.type);
    // A range refers to the uncompressed bytes.
    const encoding = compressible && range === '' ? chooseEncoding(request.header('accept-encoding')) : null;
    const headers: Headers = {
      ...PAGE_HEADERS,
      'content-type': asset.type,
      'cache-control': asset.caching,
      etag: etagHeader(asset.etag, encoding),
      ...(compressible ? { vary: 'accept-encoding' } : {}),
    };
    if (matchesEtag(request.header('if-none-match'), asset.etag)) exchange.answer(304, headers, '');
    else if (encoding !== null) {
      packedOf(asset, encoding).then(
        (bytes) => exchange.answer(200, { ...headers, 'content-encoding': encoding }, bytes),
        // If the compression fails, send the uncompressed bytes with the ETag of the uncompressed content.
        () => exchange.answer(200, { ...headers, etag: etagHeader(asset.etag, null) }, asset.bytes),
      );
    } else answerPlain(asset, { range, ifRange: request.header('if-range') }, exchange, headers);
  }
}

async function addFiles(assets: Map<string, Asset>, place: string, folder: string): Promise<void> {
  for (const name of await filesBelow(folder)) {
    const bytes = await readFile(path.join(folder, name));
    const asset = {
      bytes,
      type: TYPES[path.extname(name).toLowerCase()] ?? OTHER_TYPE,
      etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
      caching: HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      packed: new Map(),
    };
    const served = `${place}/${name.split(path.sep).map(encodeURIComponent).join('/')}`;
    assets.set(served, asset);
    // The address of a folder serves its index page.
    if (place !== '' && served === `${place}/index.html`) assets.set(`${place}/`, asset);
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function packedOf(asset: Asset, encoding: Encoding): Promise<Uint8Array> {
  let packed = asset.packed.get(encoding);
  if (!packed) {
    packed = compress(asset.bytes, encoding, 'small');
    asset.packed.set(encoding, packed);
  }
  return packed;
}

function answerPlain(asset: Asset, wish: RangeRequest, exchange: Exchange, headers: Headers): void {
  const { bytes, etag } = asset;
  const total = bytes.byteLength;
  const ranged = { ...headers, 'accept-ranges': 'bytes' };
  const part = exchange.head ? null : partOf(wish, { etag: etagHeader(etag, null), strong: true }, total);
  if (part === null) exchange.answer(200, ranged, bytes);
  else if (part === 'outside') answerOutside(exchange, ranged, total);
  else exchange.answer(206, { ...ranged, ...contentRange(part, total) }, bytes.subarray(part[0], part[1] + 1));
}
