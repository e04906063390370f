import { crc32 } from 'node:zlib';

const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
/** 1 January 1980, the earliest date in zip files. A constant date makes equal content yield equal bytes. */
const DOS_DATE = 0x21;
const UTF8_NAME = 0x800;
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffffffff;

/** Formats a zip file of uncompressed entries in the given order. Equal content yields equal bytes.
 *  @throws RangeError beyond 65,535 entries or 4 GiB, which need zip64 */
export function writeZip(entries: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  return joinParts(zipParts(Array.from(entries, ([name, content]) => [name, [content]] as const)));
}

/** Formats a zip file as parts to write in order. Contents are not copied, so they must not change before they are
 *  written.
 *  @param entries name of each entry, and its content in parts
 *  @throws RangeError beyond 65,535 entries or 4 GiB, which need zip64 */
export function zipParts(entries: Iterable<readonly [name: string, parts: readonly Uint8Array[]]>): Uint8Array[] {
  const files = Array.from(entries, ([name, parts]) => ({
    name: Buffer.from(name),
    parts,
    bytes: parts.reduce((sum, part) => sum + part.byteLength, 0),
    // Skip empty parts, because zlib's crc32 restarts the checksum for them.
    crc: parts.reduce((crc, part) => (part.byteLength === 0 ? crc : crc32(part, crc)), 0),
  }));
  const centralBytes = files.reduce((sum, { name }) => sum + CENTRAL_HEADER_BYTES + name.length, 0);
  const localBytes = files.reduce((sum, { name, bytes }) => sum + LOCAL_HEADER_BYTES + name.length + bytes, 0);
  if (files.length > MAX_ENTRIES || localBytes + centralBytes > MAX_BYTES)
    throw new RangeError(`a zip file of ${files.length} entries and ${localBytes} bytes requires zip64`);
  const out: Uint8Array[] = [];
  let at = 0;
  const places: ZipPlace[] = [];
  for (const { parts, ...file } of files) {
    const place = { ...file, at };
    const local = localHeader(place);
    places.push(place);
    out.push(local, ...parts);
    at += local.length + file.bytes;
  }
  out.push(centralDirectory(places, at));
  return out;
}

/** An uncompressed entry of a zip file. */
export interface ZipPlace {
  /** UTF-8 */
  readonly name: Uint8Array;
  readonly bytes: number;
  readonly crc: number;
  /** position of its local header in the file */
  readonly at: number;
}

/** Formats the header before the content of an entry. */
export function localHeader(place: ZipPlace): Uint8Array {
  const local = new Uint8Array(LOCAL_HEADER_BYTES + place.name.length);
  const view = new DataView(local.buffer);
  view.setUint32(0, 0x04034b50, true);
  writeCommon(view, 4, place);
  local.set(place.name, LOCAL_HEADER_BYTES);
  return local;
}

/** Formats the directory after the last entry, and the end of the file. @param at position of the directory in the
 *  file */
export function centralDirectory(places: readonly ZipPlace[], at: number): Uint8Array {
  const centralBytes = places.reduce((sum, { name }) => sum + CENTRAL_HEADER_BYTES + name.length, 0);
  const end = new Uint8Array(centralBytes + END_BYTES);
  const view = new DataView(end.buffer);
  let central = 0;
  for (const place of places) {
    view.setUint32(central, 0x02014b50, true);
    view.setUint16(central + 4, VERSION, true);
    writeCommon(view, central + 6, place);
    view.setUint32(central + 42, place.at, true);
    end.set(place.name, central + CENTRAL_HEADER_BYTES);
    central += CENTRAL_HEADER_BYTES + place.name.length;
  }
  view.setUint32(central, 0x06054b50, true);
  view.setUint16(central + 8, places.length, true);
  view.setUint16(central + 10, places.length, true);
  view.setUint32(central + 12, centralBytes, true);
  view.setUint32(central + 16, at, true);
  return end;
}

/** Writes the fields that are common to both headers of an entry. */
function writeCommon(header: DataView, from: number, { name, bytes, crc }: ZipPlace): void {
  header.setUint16(from, VERSION, true);
  header.setUint16(from + 2, name.some((byte) => byte > 127) ? UTF8_NAME : 0, true);
  header.setUint16(from + 8, DOS_DATE, true);
  header.setUint32(from + 10, crc, true);
  header.setUint32(from + 14, bytes, true);
  header.setUint32(from + 18, bytes, true);
  header.setUint16(from + 22, name.length, true);
}

/** Concatenates parts into one array. */
export function joinParts(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}
