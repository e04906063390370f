import { addressText } from './peer.ts';

/** Delay for the first wrong token of an address, ms. Each further wrong token doubles it. */
const FIRST_DELAY_MS = 125;
const MAX_DELAY_MS = 2000;
/** Time without a wrong token after which an address starts again with the first delay, ms. */
const FORGET_MS = 10 * 60_000;
/** Number of remembered addresses. Beyond it, the address with the oldest wrong token is forgotten. */
const MAX_ADDRESSES = 4096;
/** Number of answers delayed at the same time. Further answers are not delayed, so that delays do not use up
 *  sockets. */
const MAX_WAITING = 256;
const MAX_WAITING_PER_ADDRESS = 32;
const WARN_EVERY_MS = 60_000;
/** Number of addresses named in one warning. */
const MAX_NAMED = 5;

interface Sender {
  wrong: number;
  lastMs: number;
  waiting: number;
}

/** Slows down clients that guess the token. The right token is never delayed, even after wrong tokens from its
 *  address. */
export class WrongTokens {
  readonly #warn: (text: string) => void;
  readonly #senders = new Map<string, Sender>();
  #waiting = 0;
  /** number of wrong tokens by address since the last warning */
  #unreported = new Map<string, number>();
  #warnTimer: NodeJS.Timeout | null = null;

  /** @param warn receives at most one line a minute */
  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** Counts a wrong token from `address` and calls `answer` after a delay of 125 ms to 2 s.
   *  @returns a function that cancels the call, for a client that has disconnected */
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
    // Delete and insert again, so that the map stays ordered by the time of the last wrong token.
    this.#senders.delete(name);
    this.#senders.set(name, sender);
    if (this.#senders.size > MAX_ADDRESSES) {
      const [oldest] = this.#senders.keys();
      if (oldest !== undefined) this.#senders.delete(oldest);
    }
    return sender;
  }

  /** Warns about the first wrong token immediately, then once a minute about all wrong tokens since the last
   *  warning. */
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

/** Returns an IPv4 address, or the /64 network of an IPv6 address, because a client can use every address of its
 *  /64. */
function networkText(address: Uint8Array): string {
  const text = addressText(address);
  return text.includes(':') ? `${text.split(':').slice(0, 4).join(':')}::/64` : text;
}
