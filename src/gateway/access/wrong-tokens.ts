import { addressText } from './peer.ts';

/** Delay of an address's first wrong token, ms; each further one doubles it. */
const FIRST_DELAY_MS = 125;
const MAX_DELAY_MS = 2000;
/** An address that sent no wrong token for this long starts anew, ms. */
const FORGET_MS = 10 * 60_000;
/** Addresses remembered; beyond it the one that was silent longest is forgotten. */
const MAX_ADDRESSES = 4096;
/** Answers that wait at once. Further ones are given without a delay, so that waiting holds no more sockets. */
const MAX_WAITING = 256;
const MAX_WAITING_PER_ADDRESS = 32;
const WARN_EVERY_MS = 60_000;
/** Addresses that one warning names. */
const MAX_NAMED = 5;

interface Sender {
  wrong: number;
  lastMs: number;
  waiting: number;
}

/** Slows down clients that guess the token. The right token passes without coming here, whatever its address sent before. */
export class WrongTokens {
  readonly #warn: (text: string) => void;
  readonly #senders = new Map<string, Sender>();
  #waiting = 0;
  /** wrong tokens by address since the last warning */
  #unreported = new Map<string, number>();
  #warnTimer: NodeJS.Timeout | null = null;

  /** @param warn gets one line a minute at most */
  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** Counts a wrong token of `address` and calls `answer` after the address's delay, 125 ms to 2 s.
   *  @returns ends the wait without the call, for a client that has gone */
  delay(address: Uint8Array, answer: () => void): () => void {
    const name = networkText(address);
    const sender = this.#senderOf(name);
    sender.wrong += 1;
    this.#report(name);
    if (this.#waiting >= MAX_WAITING || sender.waiting >= MAX_WAITING_PER_ADDRESS) {
      answer();
      return () => {};
    }
    this.#waiting += 1;
    sender.waiting += 1;
    let waits = true;
    const end = () => {
      if (!waits) return false;
      waits = false;
      this.#waiting -= 1;
      sender.waiting -= 1;
      return true;
    };
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(sender.wrong - 1, 10));
    const timer = setTimeout(() => {
      if (end()) answer();
    }, delayMs);
    return () => {
      clearTimeout(timer);
      end();
    };
  }

  #senderOf(name: string): Sender {
    const now = performance.now();
    const known = this.#senders.get(name);
    const sender = known ?? { wrong: 0, lastMs: now, waiting: 0 };
    if (now - sender.lastMs > FORGET_MS) sender.wrong = 0;
    sender.lastMs = now;
    // The map's order is that of the last wrong token.
    this.#senders.delete(name);
    this.#senders.set(name, sender);
    if (this.#senders.size > MAX_ADDRESSES) {
      const [oldest] = this.#senders.keys();
      if (oldest !== undefined) this.#senders.delete(oldest);
    }
    return sender;
  }

  /** Warns at once, then of all that came within a minute at its end. */
  #report(name: string): void {
    if (this.#unreported.size < MAX_ADDRESSES || this.#unreported.has(name))
      this.#unreported.set(name, (this.#unreported.get(name) ?? 0) + 1);
    if (this.#warnTimer === null) this.#flush();
  }

  #flush(): void {
    this.#warnTimer = null;
    if (this.#unreported.size === 0) return;
    const senders = [...this.#unreported].sort((a, b) => b[1] - a[1]);
    const named = senders.slice(0, MAX_NAMED).map(([name, count]) => `${count} from ${name}`);
    const more = senders.length - named.length;
    this.#unreported = new Map();
    this.#warn(
      `requests with a wrong token: ${named.join(', ')}${more > 0 ? ` and others from ${more} addresses` : ''}`,
    );
    this.#warnTimer = setTimeout(() => this.#flush(), WARN_EVERY_MS);
    this.#warnTimer.unref();
  }
}

/** An IPv4 address, or the network of an IPv6 address: a client has all addresses of its /64. */
function networkText(address: Uint8Array): string {
  const text = addressText(address);
  return text.includes(':') ? `${text.split(':').slice(0, 4).join(':')}::/64` : text;
}
