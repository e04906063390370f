import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { badInput, StudioError } from '../../core/errors.ts';
import { READ_FLAGS } from '../../core/files/bounded-file.ts';
import { answerOutside, type ByteRange, contentRange, partOf, type Version } from './byte-range.ts';
import { matchesEtag } from './encoding.ts';
import type { Exchange, Headers } from './exchange.ts';
import type { FileReply } from './handler.ts';
import type { Negotiation } from './negotiation.ts';

/** Bytes per read. */
const PART_BYTES = 256 * 1024;
/** After this time without a change, ms, the file times identify a version of the file. File systems record times in
 *  steps of up to two seconds, so two changes within one step cannot be distinguished. */
const SETTLED_MS = 2000;

/** Answers with a file or one range of its bytes (RFC 9110), read at the pace of the socket.
 *  @param contentType used if `reply` has none  @throws bad_input if the file does not exist or is not a regular
 *  file */
export async function answerFile(
  reply: FileReply,
  contentType: string,
  exchange: Exchange,
  negotiation: Negotiation,
): Promise<void> {
  const { path, name } = reply;
  const file = await openFile(path);
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw badInput('the file is not a regular file');
    const total = Number(stats.size);
    const version = versionOf(stats);
    const headers: Headers = {
      'content-type': reply.contentType ?? contentType,
      'cache-control': 'no-cache',
      'accept-ranges': 'bytes',
      etag: version.etag,
      'last-modified': version.lastModified,
      ...(name === undefined ? {} : attachment(name)),
    };
    // RFC 9110 defines ranges only for GET.
    const part = exchange.head ? null : partOf(negotiation, version, total);
    if (isKnown(negotiation, version)) exchange.answer(304, headers, '');
    else if (part === 'outside') answerOutside(exchange, headers, total);
    else if (part === null) await exchange.stream(200, headers, total, partsOf(file, stats, [0, total - 1]));
    else {
      const [first, last] = part;
      const ranged = { ...headers, ...contentRange(part, total) };
      await exchange.stream(206, ranged, last - first + 1, partsOf(file, stats, part));
    }
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, READ_FLAGS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new StudioError('bad_input', 'the file does not exist any more', { cause: error });
  }
}

/** Reads a range. @throws conflict if the file has been truncated or overwritten since it was opened */
async function* partsOf(file: FileHandle, opened: BigIntStats, [first, last]: ByteRange): AsyncGenerator<Uint8Array> {
  for (let at = first; at <= last; ) {
    const length = Math.min(PART_BYTES, last - at + 1);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0 || isOther(await file.stat({ bigint: true }), opened))
      throw new StudioError('conflict', 'the file was changed during the download. Try again');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Returns true if bytes of the opened file may have changed. A file that only grows, such as a log, keeps its
 *  beginning. */
function isOther(now: BigIntStats, opened: BigIntStats): boolean {
  return now.size < opened.size || (now.size === opened.size && now.mtimeNs !== opened.mtimeNs);
}

/** Returns the version of a file from its length, mtime and ctime. Programs can set mtime to an earlier time, but not
 *  ctime. */
function versionOf({ size, mtimeNs, ctimeNs, mtimeMs, ctimeMs }: BigIntStats): Required<Version> {
  const tag = [size, mtimeNs, ctimeNs].map((value) => value.toString(36)).join('-');
  const strong = Date.now() - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) > SETTLED_MS;
  return {
    etag: strong ? `"${tag}"` : `W/"${tag}"`,
    lastModified: new Date(Number(mtimeMs)).toUTCString(),
    strong,
  };
}

/** Whether the client already has this version. */
function isKnown({ ifNoneMatch, ifModifiedSince }: Negotiation, { etag, lastModified }: Required<Version>): boolean {
  if (ifNoneMatch !== '') return matchesEtag(ifNoneMatch, etag.replace(/^W\/|"/g, ''));
  return ifModifiedSince !== '' && Date.parse(lastModified) <= Date.parse(ifModifiedSince);
}

/** Returns the header that saves the content under `name` (RFC 6266): an ASCII form of the name, and the exact name for
 *  clients that support `filename*`. */
export function attachment(name: string): Headers {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return { 'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${exact}` };
}
