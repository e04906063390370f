import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Time after which the addresses of the machine are listed again, ms. */
const REFRESH_MS = 5000;

/** The addresses of this machine. A client that connects to a non-loopback address of its own machine has that address
 *  as its peer address, not a loopback address. */
export class OwnAddresses {
  readonly #list: () => Iterable<string>;
  #known = new Set<string>();
  #listedMs = Number.NEGATIVE_INFINITY;

  /** @param list the machine's addresses as text */
  constructor(list: () => Iterable<string> = interfaceAddresses) {
    this.#list = list;
  }

  /** @param address 4 or 16 bytes */
  has(address: Uint8Array): boolean {
    const bytes = canonical(address);
    if (isLoopback(bytes)) return true;
    const now = performance.now();
    if (now - this.#listedMs > REFRESH_MS) {
      this.#listedMs = now;
      this.#known = new Set([...this.#list()].map(keyOfText));
    }
    return this.#known.has(bytes.join('.'));
  }
}

/** Formats an address, IPv6 in eight groups; `?` if the socket is closed. @param address 4 or 16 bytes */
export function addressText(address: Uint8Array): string {
  const bytes = canonical(address);
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '?';
  return Array.from({ length: 8 }, (_, k) => ((bytes[2 * k]! << 8) | bytes[2 * k + 1]!).toString(16)).join(':');
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
}

/** Returns the four bytes of an IPv4 address mapped into IPv6 (::ffff:a.b.c.d); other addresses unchanged. */
function canonical(bytes: Uint8Array): Uint8Array {
  const mapped =
    bytes.length === 16 &&
    bytes[10] === 0xff &&
    bytes[11] === 0xff &&
    bytes.subarray(0, 10).every((byte) => byte === 0);
  return mapped ? bytes.subarray(12) : bytes;
}

function isLoopback(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.length === 16 && bytes[15] === 1 && bytes.subarray(0, 15).every((byte) => byte === 0);
}

/** Converts an address in text form to a key of `#known`. */
function keyOfText(text: string): string {
  return canonical(addressBytes(text)).join('.');
}

/** Returns the 4 or 16 bytes of an address; no bytes for ''. Ignores a scope (fe80::1%eth0). */
export function addressBytes(text: string): Uint8Array {
  if (text === '') return new Uint8Array(0);
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number);
  const [bare = ''] = text.split('%');
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  const hex = dotted ? `${dotted[1]}${hexOfV4(dotted[2]!)}` : bare;
  const [head = '', tail] = hex.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const groups = [...left, ...Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function hexOfV4(text: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
