import { crc32 } from 'node:zlib';

const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
/** 1 January 1980, the first date that zip knows: equal content gives equal bytes. */
const DOS_DATE = 0x21;
const UTF8_NAME = 0x800;
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffffffff;

/** A zip file of stored entries in the order given, the same bytes for the same content.
 *  @throws RangeError beyond 65,535 entries or 4 GiB, which need zip64 */
export function writeZip(entries: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const files = [...entries].map(([name, content]) => ({ name: Buffer.from(name), content, crc: crc32(content) }));
  const centralBytes = files.reduce((sum, { name }) => sum + CENTRAL_HEADER_BYTES + name.length, 0);
  const localBytes = files.reduce(
    (sum, { name, content }) => sum + LOCAL_HEADER_BYTES + name.length + content.length,
    0,
  );
  if (files.length > MAX_ENTRIES || localBytes + centralBytes > MAX_BYTES)
    throw new RangeError(`a zip file of ${files.length} entries and ${localBytes} bytes needs zip64`);
  const out = new Uint8Array(localBytes + centralBytes + END_BYTES);
  const view = new DataView(out.buffer);
  let at = 0;
  let central = localBytes;
  for (const { name, content, crc } of files) {
    const flags = name.some((byte) => byte > 127) ? UTF8_NAME : 0;
    const common = (from: number) => {
      view.setUint16(from, VERSION, true);
      view.setUint16(from + 2, flags, true);
      view.setUint16(from + 8, DOS_DATE, true);
      view.setUint32(from + 10, crc, true);
      view.setUint32(from + 14, content.length, true);
      view.setUint32(from + 18, content.length, true);
      view.setUint16(from + 22, name.length, true);
    };
    view.setUint32(central, 0x02014b50, true);
    view.setUint16(central + 4, VERSION, true);
    common(central + 6);
    view.setUint32(central + 42, at, true);
    out.set(name, central + CENTRAL_HEADER_BYTES);
    central += CENTRAL_HEADER_BYTES + name.length;

    view.setUint32(at, 0x04034b50, true);
    common(at + 4);
    out.set(name, at + LOCAL_HEADER_BYTES);
    out.set(content, at + LOCAL_HEADER_BYTES + name.length);
    at += LOCAL_HEADER_BYTES + name.length + content.length;
  }
  view.setUint32(central, 0x06054b50, true);
  view.setUint16(central + 8, files.length, true);
  view.setUint16(central + 10, files.length, true);
  view.setUint32(central + 12, centralBytes, true);
  view.setUint32(central + 16, localBytes, true);
  return out;
}
