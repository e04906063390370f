import { TRAILER_BYTES } from './clients.ts';

const PREFIX = '{"seq":';
const SEQ_DIGITS = 12;

/** A frame in the format of the websocket, `[u32 header length][header JSON][float32 blob]`. It ends with the trailer
 *  that the clients of the bench read: `[u64 monotonic ns at publishing][u64 sequence number]`. */
export class TestFrame {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  /** @param bytes memory of the frame, a multiple of 4 */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const json = `${PREFIX}${' '.repeat(SEQ_DIGITS)},"time":0,"n":1,"owner":"data"}`;
    const header = json.padEnd(Math.ceil(json.length / 4) * 4);
    this.#view.setUint32(0, header.length, true);
    bytes.set(new TextEncoder().encode(header), 4);
    for (let at = 4 + header.length; at < bytes.byteLength - TRAILER_BYTES; at++) bytes[at] = at & 0xff;
  }

  /** Writes the sequence number and the current time into the frame. */
  stamp(seq: number): void {
    let digits = seq;
    for (let k = SEQ_DIGITS - 1; k >= 0; k--) {
      this.bytes[4 + PREFIX.length + k] = digits > 0 || k === SEQ_DIGITS - 1 ? 0x30 + (digits % 10) : 0x20;
      digits = Math.floor(digits / 10);
    }
    const end = this.bytes.byteLength;
    this.#view.setBigUint64(end - 8, BigInt(seq), true);
    this.#view.setBigUint64(end - 16, process.hrtime.bigint(), true);
  }
}
